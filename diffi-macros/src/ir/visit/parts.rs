//! The parts of a statement: variables, places and passive code, and what becomes of each. All other traversals are made of this one.
//!
//! Shared and mutable traversal have one text. The mutable one leaves out sets of variables, which have no variable to be changed.

use crate::ir::*;

/// What a statement does with a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Reads its value.
    Read,
    /// Reads its shape.
    Shape,
    /// Changes it.
    Write,
    /// Reads and changes it.
    Update,
    /// Reads its shape, and changes it.
    Adapt,
    /// Brings it into being.
    Define,
}

macro_rules! traversal {
    ($($m:ident)?) => {
        /// A part of a statement.
        #[allow(dead_code, reason = "who changes variables changes all of them")]
        pub enum Part<'a> {
            /// A whole variable.
            Var(&'a $($m)? Var, Use),
            /// A place. Its indices are no parts of their own.
            Place(&'a $($m)? Place, Use),
            /// Tokens.
            Passive(&'a $($m)? PassiveCode),
            /// Tokens that lend what they read: it may change.
            Lent(&'a $($m)? PassiveCode),
        }

        type Found<'f, 'a> = &'f mut dyn FnMut(Part<'a>);

        /// The blocks directly inside a statement.
        pub fn blocks(stmt: &$($m)? Stmt) -> Vec<&$($m)? Block> {
            match stmt {
                Stmt::If { then, els, .. } => vec![then, els],
                Stmt::Switch { arms, .. } => arms.into_iter().map(|arm| &$($m)? arm.body).collect(),
                Stmt::For(on) => vec![&$($m)? on.body],
                Stmt::While { prelude, body, .. } => vec![prelude, body],
                Stmt::Derived(Derived::Loop(l)) => vec![&$($m)? l.on.body],
                Stmt::Derived(
                    Derived::Times { body, .. }
                    | Derived::Guard { body, .. }
                    | Derived::NoAlias { body, .. }
                    | Derived::LoopBuffers { body, .. },
                ) => vec![body],
                _ => vec![],
            }
        }

        /// The parts of a statement, without those of the blocks in it.
        pub fn head<'a>(stmt: &'a $($m)? Stmt, f: Found<'_, 'a>) {
            match stmt {
                Stmt::Let { var, expr: of } => {
                    expr(of, f);
                    f(Part::Var(var, Use::Define));
                }
                Stmt::Declare { var } => f(Part::Var(var, Use::Define)),
                Stmt::Assign { place, value, .. } | Stmt::Push { place, value, .. } => {
                    f(Part::Place(place, Use::Write));
                    operand(value, f);
                }
                Stmt::Swap { a, b, .. } => {
                    f(Part::Place(a, Use::Update));
                    f(Part::Place(b, Use::Update));
                }
                Stmt::If { cond, .. } => f(Part::Passive(cond)),
                Stmt::Switch { scrutinee, arms } => {
                    f(Part::Passive(scrutinee));
                    for Arm { binds, guard, .. } in arms {
                        vars(binds, Use::Define, f);
                        passive(guard, f);
                    }
                }
                Stmt::For(on) => counted(on, f),
                Stmt::While { cond, checkpoint, .. } => {
                    kept(checkpoint, f);
                    f(Part::Passive(cond));
                }
                Stmt::Effect { tokens, .. } => f(Part::Passive(tokens)),
                Stmt::Derived(d) => derived(d, f),
            }
        }

        /// The parts of an operand.
        pub fn operand<'a>(of: &'a $($m)? Operand, f: Found<'_, 'a>) {
            match of {
                Operand::Place(p) => f(Part::Place(p, Use::Read)),
                Operand::Passive(o) => f(Part::Passive(o)),
                Operand::Made { args, .. } => operands(args, f),
            }
        }

        fn operands<'a>(all: &'a $($m)? Vec<Operand>, f: Found<'_, 'a>) {
            for one in all {
                operand(one, f);
            }
        }

        fn vars<'a>(all: impl IntoIterator<Item = &'a $($m)? Var>, used: Use, f: Found<'_, 'a>) {
            for var in all {
                f(Part::Var(var, used));
            }
        }

        fn passive<'a>(all: impl IntoIterator<Item = &'a $($m)? PassiveCode>, f: Found<'_, 'a>) {
            for o in all {
                f(Part::Passive(o));
            }
        }

        /// The parts of a right-hand side.
        pub fn expr<'a>(of: &'a $($m)? Expr, f: Found<'_, 'a>) {
            match of {
                Expr::Operand(o) | Expr::Boxed(o) => operand(o, f),
                Expr::Op { args, .. } | Expr::Array(args) | Expr::VecOf(args) | Expr::Tuple(args) => operands(args, f),
                Expr::Struct(s) => {
                    for (_, o) in &$($m)? s.fields {
                        operand(o, f);
                    }
                }
                Expr::Call(of) => call(of, Use::Read, f),
                Expr::Repeat { value, len } | Expr::VecRepeat { value, len } => {
                    operand(value, f);
                    f(Part::Passive(len));
                }
                Expr::VecNew(o) | Expr::Passive(o) | Expr::Scratch { len: o } => f(Part::Passive(o)),
                Expr::ToVec(p) | Expr::Content(p) | Expr::Fresh { place: p, .. } => f(Part::Place(p, Use::Read)),
                Expr::Pop(p) => f(Part::Place(p, Use::Update)),
                Expr::If { cond, place } => {
                    f(Part::Passive(cond));
                    f(Part::Place(place, Use::Read));
                }
                Expr::Zero => {}
            }
        }

        /// The arguments of a call, of which it reads the values or the shapes.
        pub fn call<'a>(of: &'a $($m)? Call, read: Use, f: Found<'_, 'a>) {
            let changed = if read == Use::Shape { Use::Adapt } else { Use::Update };
            for arg in &$($m)? of.args {
                match arg {
                    CallArg::Ref(p) | CallArg::Value(Operand::Place(p)) => f(Part::Place(p, read)),
                    CallArg::Mut(p) => f(Part::Place(p, changed)),
                    CallArg::Value(o) => operand(o, f),
                    CallArg::Passive(o) => f(Part::Passive(o)),
                    CallArg::Lent(o) => f(Part::Lent(o)),
                }
            }
        }

        fn kept<'a>(checkpoint: &'a $($m)? Option<Checkpoint>, f: Found<'_, 'a>) {
            match checkpoint {
                Some(Checkpoint { keep: CheckpointPolicy::Every(n) | CheckpointPolicy::Snapshots(n), .. }) => {
                    f(Part::Passive(n));
                }
                _ => {}
            }
        }

        fn counted<'a>(on: &'a $($m)? For, f: Found<'_, 'a>) {
            kept(&$($m)? on.checkpoint, f);
            f(Part::Passive(&$($m)? on.lo));
            f(Part::Passive(&$($m)? on.hi));
            passive(&$($m)? on.step, f);
            f(Part::Var(&$($m)? on.var, Use::Define));
            vars(&$($m)? on.until, Use::Read, f);
        }

        fn frame<'a>(of: &'a $($m)? TapeFrame, how: Use, f: Found<'_, 'a>) {
            let TapeFrame { floats, words, wholes, whole_dots, carried, into, at, .. } = of;
            if how == Use::Define {
                for c in carried {
                    f(Part::Var(&$($m)? c.value, how));
                }
            }
            passive(at, f);
            let dots = whole_dots.into_iter().map(|(dot, _)| dot);
            for var in floats.into_iter().chain(words).chain(wholes).chain(dots) {
                let restored = how == Use::Define && into.contains(var);
                f(Part::Var(var, if restored { Use::Write } else { how }));
            }
        }

        fn shape<'a>(like: &'a $($m)? ShapeOf, f: Found<'_, 'a>) {
            match like {
                ShapeOf::Value(p) => f(Part::Place(p, Use::Shape)),
                ShapeOf::Len(o) | ShapeOf::Passive(o) => f(Part::Passive(o)),
                ShapeOf::Fixed => {}
            }
        }

        fn derived<'a>(d: &'a $($m)? Derived, f: Found<'_, 'a>) {
            match d {
                Derived::Zero { .. }
                | Derived::Unset { .. }
                | Derived::Release { .. }
                | Derived::Acc { .. }
                | Derived::Move { .. }
                | Derived::Clear { .. }
                | Derived::Still { .. }
                | Derived::Fresh { .. }
                | Derived::Refill { .. } => shadow(d, f),
                Derived::View { .. }
                | Derived::Cut { .. }
                | Derived::NoAlias { .. }
                | Derived::Chunks { .. }
                | Derived::Cells { .. }
                | Derived::Parted { .. } => slices(d, f),
                Derived::FrameBlock(l) => counted(&$($m)? l.on, f),
                Derived::FrameWindow { from, count, .. } => {
                    f(Part::Passive(from));
                    f(Part::Passive(count));
                }
                Derived::Pop { var, place } => {
                    f(Part::Place(place, Use::Update));
                    f(Part::Var(var, Use::Define));
                }
                Derived::Guard { .. } | Derived::LoopBuffers { .. } => {}
                Derived::PushFrame(r) | Derived::StoreFrame(r) => frame(r, Use::Read, f),
                Derived::PopFrame(r) | Derived::LoadFrame(r) => frame(r, Use::Define, f),
                Derived::Loop(l) => derived_loop(l, f),
                Derived::Times { iterations, .. } => f(Part::Var(iterations, Use::Read)),
                Derived::Sweep(s) => sweep(s, f),
                Derived::Either { place, value } => {
                    operand(value, f);
                    f(Part::Place(place, Use::Update));
                }
            }
        }

        /// Shadows that are made, filled, added to and given back.
        fn shadow<'a>(d: &'a $($m)? Derived, f: Found<'_, 'a>) {
            match d {
                Derived::Zero { var, like } => {
                    shape(like, f);
                    f(Part::Var(var, Use::Define));
                }
                Derived::Unset { var, like, of } => {
                    vars(of, Use::Read, f);
                    shape(like, f);
                    f(Part::Var(var, Use::Define));
                }
                Derived::Release { var } => f(Part::Var(var, Use::Write)),
                Derived::Acc { place, value, .. } => {
                    f(Part::Place(value, Use::Read));
                    f(Part::Place(place, Use::Write));
                }
                Derived::Move { to, from, declares } => {
                    f(Part::Var(from, Use::Read));
                    f(Part::Var(to, if *declares { Use::Define } else { Use::Write }));
                }
                Derived::Clear { place, .. } => f(Part::Place(place, Use::Write)),
                Derived::Still { place, like } => {
                    f(Part::Place(like, Use::Shape));
                    f(Part::Place(place, Use::Write));
                }
                Derived::Fresh { bar, lo, hi } => {
                    f(Part::Var(bar, Use::Write));
                    f(Part::Passive(lo));
                    f(Part::Passive(hi));
                }
                Derived::Refill { var, len, with } => {
                    passive(len, f);
                    match with {
                        Refill::Value(o) => operand(o, f),
                        Refill::Zero | Refill::Anything => {}
                        Refill::Copy(p) => f(Part::Place(p, Use::Read)),
                    }
                    f(Part::Var(var, Use::Write));
                }
                _ => unreachable!("the statement makes no shadow"),
            }
        }

        /// Views and slices of places.
        fn slices<'a>(d: &'a $($m)? Derived, f: Found<'_, 'a>) {
            let lent = |exclusive: &bool| if *exclusive { Use::Update } else { Use::Read };
            match d {
                Derived::View { var, place, exclusive, .. } => {
                    f(Part::Place(place, lent(exclusive)));
                    f(Part::Var(var, Use::Define));
                }
                Derived::Cut { head, vars: parts, place, pairs, exclusive, .. } => {
                    f(Part::Var(pairs, Use::Read));
                    f(Part::Place(place, lent(exclusive)));
                    vars(head.into_iter().map(|(var, _)| var), Use::Define, f);
                    vars(parts, Use::Define, f);
                }
                Derived::NoAlias { slices, .. } => vars(slices, Use::Read, f),
                Derived::Chunks { var, place, count, exclusive, .. } => {
                    f(Part::Passive(count));
                    f(Part::Place(place, lent(exclusive)));
                    f(Part::Var(var, Use::Define));
                }
                Derived::Cells { var, place, .. } => {
                    f(Part::Place(place, Use::Update));
                    f(Part::Var(var, Use::Define));
                }
                Derived::Parted { vars: parts, place, starts, lengths, .. } => {
                    passive(starts, f);
                    passive(lengths, f);
                    f(Part::Place(place, Use::Update));
                    vars(parts, Use::Define, f);
                }
                _ => unreachable!("the statement names no slices"),
            }
        }

        fn derived_loop<'a>(l: &'a $($m)? Loop, f: Found<'_, 'a>) {
            vars(&$($m)? l.iterations, Use::Read, f);
            if l.sweep == LoopSweep::Primal {
                for c in &$($m)? l.first {
                    f(Part::Var(&$($m)? c.cell, Use::Read));
                }
            }
            for walk in &$($m)? l.walks {
                f(Part::Place(&$($m)? walk.slice, Use::Read));
                passive(&$($m)? walk.by, f);
                f(Part::Var(&$($m)? walk.element, Use::Define));
            }
            counted(&$($m)? l.on, f);
        }

        fn sweep<'a>(s: &'a $($m)? Sweep, f: Found<'_, 'a>) {
            let Sweep { kind, call: of, result, bars, result_bar, fresh, tangents } = s;
            let linear = *kind == SweepKind::Reverse && of.linear;
            let changed: Vec<bool> = of.args.iter().map(|arg| matches!(arg, CallArg::Mut(_))).collect();
            call(of, if linear { Use::Shape } else { Use::Read }, f);
            // the callee adds to a cotangent, and takes what it changed
            let bar = |root: &Var| if fresh.contains(root) { Use::Write } else { Use::Update };
            for (place, _) in bars.into_iter().flatten() {
                let used = bar(&place.root);
                f(Part::Place(place, used));
            }
            vars(result_bar, Use::Update, f);
            if let Some(SweepTangents { args, result, bars, result_bar }) = tangents {
                for place in bars.into_iter().flatten() {
                    let used = bar(&place.root);
                    f(Part::Place(place, used));
                }
                vars(result_bar, Use::Update, f);
                for (tangent, changed) in args.into_iter().zip(changed) {
                    let used = if changed { Use::Update } else { Use::Read };
                    tangent.into_iter().for_each(|(place, _)| f(Part::Place(place, used)));
                }
                vars(result, Use::Define, f);
            }
            vars(result, Use::Define, f);
        }

        /// The parts of a result.
        pub fn out<'a>(of: &'a $($m)? Output, f: Found<'_, 'a>) {
            match of {
                Output::Float(o) => operand(o, f),
                Output::Place(p) => f(Part::Place(p, Use::Read)),
                Output::Tuple(all) | Output::Array(all) => {
                    for one in all {
                        out(one, f);
                    }
                }
                Output::Passive(o) => f(Part::Passive(o)),
                Output::Beside(y, aux) => {
                    out(y, f);
                    f(Part::Passive(aux));
                }
                Output::Maybe(m) => {
                    let MaybeOutput { present, failure, content, .. } = &$($m)? **m;
                    f(Part::Passive(present));
                    passive(failure, f);
                    out(content, f);
                }
                Output::Unit => {}
            }
        }
    };
}

/// Parts to be read.
pub mod shared {
    use super::*;
    traversal!();
}

/// Parts to be changed.
pub mod mutable {
    use super::*;
    traversal!(mut);
}
