//! The tangents of operations: sums of the operands' tangents, each times a factor.

use super::*;

impl Forward<'_> {
    /// `y_dot = Σ ∂y/∂a · a_dot`.
    pub(super) fn operation(&mut self, var: Var, op: &Op, args: &[Operand], span: Span) {
        if self.quotient(var, op, args, span) {
            return;
        }
        let dots: Vec<Option<Place>> = args.iter().map(|a| self.place_dot(a)).collect();
        let wanted: Vec<bool> = dots.iter().map(Option::is_some).collect();
        let factors = self.factors(var, (op, args), &wanted, span);
        let (whole, dot) = (self.varied(var), self.dot(var));
        let terms = dots.into_iter().zip(factors).filter_map(|(d, f)| d.zip(f)).collect();
        self.sum(dot, terms, whole, span);
    }

    /// The factor of each tangent; one for all parts of a power.
    fn factors(&mut self, var: Var, (op, args): (&Op, &[Operand]), wanted: &[bool], span: Span) -> Vec<Option<Factor>> {
        let whole = self.power(var, op, args);
        let mut partials = self.partials();
        let mut factors = partials.factors(op, args, var, wanted, span);
        if let Some(Power { v, other, times }) = whole {
            let times = times.of(&args[other], &mut partials, span);
            (factors[v], factors[other]) = (Some(Factor::plus(times)), None);
        }
        let made = partials.out;
        self.out.extend(made);
        let primal = self.table.role(var) == Role::Primal;
        for (arg, factor) in args.iter().zip(&mut factors) {
            let Some(factor) = factor else { continue };
            factor.strong = factor.strong.or(self.strong(op, args, arg, primal));
        }
        factors
    }

    /// Whose zero counts where the tangent of an argument meets its factor: what does not change has no part in an infinite slope.
    fn strong(&self, op: &Op, args: &[Operand], arg: &Operand, primal: bool) -> Option<StrongZero> {
        let steep = if primal { self.unbounded.tangent(arg) } else { self.unbounded.is_followed(arg) };
        match primal && self.unbounded.is_vertical(op, args) {
            true => Some(StrongZero::Vector),
            false => steep.then_some(StrongZero::Factor),
        }
    }

    /// The power that a product is. All parts of the tangent of `v * v`, `c * v * v`, `v * v * v` or `v * sqrt(v)` are made at once: a
    /// tangent may be many numbers, its factor is one.
    fn power(&self, var: Var, op: &Op, args: &[Operand]) -> Option<Power> {
        let primal = self.table.role(var) == Role::Primal;
        let of_root = self.roots.get(&var).filter(|_| primal).and_then(|root| power_of_root(args, *root));
        of_root.or_else(|| power(op, args, |a| self.scales.get(&a).filter(|_| primal)))
    }

    /// The maker of factors.
    pub(super) fn partials(&mut self) -> Partials<'_> {
        Partials {
            table: &mut self.table,
            activity: &mut self.activity,
            base: self.base,
            signs: self.unbounded.signs(),
            there: &[],
            out: Vec::new(),
        }
    }

    /// `dot = Σ factor · place`, which changes where `whole` does.
    pub(super) fn sum(&mut self, dot: Var, mut terms: Vec<(Place, Factor)>, whole: ParamSet, span: Span) {
        let first = terms.iter().position(|(place, _)| self.varied_dot(place) == whole);
        match first {
            Some(at) => {
                let (place, factor) = terms.remove(at);
                self.start(dot, place, factor, span);
            }
            None => self.out.push(Stmt::Let { var: dot, expr: Expr::Zero }),
        }
        for (place, factor) in terms {
            let on = self.varied_dot(&place);
            let outer = std::mem::take(&mut self.out);
            self.add(dot, place, factor, span);
            let stmts = std::mem::replace(&mut self.out, outer);
            match on == whole {
                true => self.out.extend(stmts),
                false => self.out.push(Stmt::Derived(Derived::Guard { on, body: Block { stmts } })),
            }
        }
    }

    pub(super) fn varied_dot(&self, place: &Place) -> ParamSet {
        self.activity.varied(place.root)
    }

    fn start(&mut self, dot: Var, place: Place, factor: Factor, span: Span) {
        let (from, op) = (Operand::Place(place), factor.mul());
        let expr = match (factor.minus, factor.by) {
            (false, None) => Expr::Operand(from),
            (true, None) => Expr::Op { op: Op::Neg, args: vec![from], span },
            (false, Some(by)) => Expr::Op { op, args: vec![from, by], span },
            (true, Some(by)) => {
                let scaled = self.scaled(op, from, by, span);
                Expr::Op { op: Op::Neg, args: vec![scaled], span }
            }
        };
        self.out.push(Stmt::Let { var: dot, expr });
    }

    fn add(&mut self, dot: Var, place: Place, factor: Factor, span: Span) {
        let op = if factor.minus { Assign::Sub } else { Assign::Add };
        let mul = factor.mul();
        let value = match factor.by {
            Some(by) => self.scaled(mul, Operand::Place(place), by, span),
            None => Operand::Place(place),
        };
        self.out.push(Stmt::Assign { place: Place::var(dot), op, value, span });
    }

    pub(super) fn scaled(&mut self, op: Op, from: Operand, by: Operand, span: Span) -> Operand {
        let var = self.table.fresh("flow", Ty::Float, Role::Dot, span);
        self.out.push(Stmt::Let { var, expr: Expr::Op { op, args: vec![from, by], span } });
        Operand::var(var)
    }
}

/// A product that is a square, perhaps times a constant, a cube, or a number times its root.
struct Power {
    /// Which factor's tangent is that of the product, times a multiple of the other factor.
    v: usize,
    /// The other factor.
    other: usize,
    /// The multiple.
    times: Times,
}

/// The exponent of a power.
enum Times {
    Two,
    Three,
    ThreeHalves,
}

/// The power 3/2, as `v * root` with `root = sqrt(v)`.
fn power_of_root(args: &[Operand], root: Var) -> Option<Power> {
    let other = args.iter().position(|o| o.as_var() == Some(root))?;
    Some(Power { v: 1 - other, other, times: Times::ThreeHalves })
}

/// What `scales` has is of the function's own products: in its adjoint, the same numbers are factors of cotangents.
fn power<'s>(op: &Op, args: &[Operand], scales: impl Fn(Var) -> Option<&'s Scale>) -> Option<Power> {
    let (Op::Mul, [Operand::Place(a), Operand::Place(b)]) = (op, args) else { return None };
    let scale = |k: usize| args[k].as_var().and_then(&scales);
    let times = |scale: &Scale| if matches!(scale, Scale::Square) { Times::Three } else { Times::Two };
    match (scale(0), scale(1)) {
        _ if key(a) == key(b) => Some(Power { v: 0, other: 1, times: Times::Two }),
        (Some(scale), _) => Some(Power { v: 1, other: 0, times: times(scale) }),
        (_, Some(scale)) => Some(Power { v: 0, other: 1, times: times(scale) }),
        _ => None,
    }
}

impl Times {
    /// The multiple of a factor.
    fn of(self, factor: &Operand, partials: &mut Partials<'_>, span: Span) -> Operand {
        let number = |n| Operand::Passive(PassiveCode::literal(literal(partials.base, &n)));
        let (first, op, hint) = match self {
            Times::Two => (factor.clone(), Op::Add, "twice"),
            Times::Three => (number(quote!(3.0)), Op::Mul, "thrice"),
            Times::ThreeHalves => (number(quote!(1.5)), Op::Mul, "scaled_root"),
        };
        partials.op(op, vec![first, factor.clone()], hint, span)
    }
}
