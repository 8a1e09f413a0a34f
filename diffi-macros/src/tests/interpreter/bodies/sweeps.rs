//! Sweeps of called functions, and how a body of derivative code begins and ends.

use crate::ir::{CallArg, Operand, Output, ParamSet, Passing, Place, Sweep, SweepKind, Var};
use crate::tests::interpreter::bodies::frame::Frame;
use crate::tests::interpreter::bodies::rules::handle_of;
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::program::{Code, Part};
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Pointer, Value};

/// What a body takes beside its arguments.
#[derive(Clone, Default)]
pub struct Shadows {
    /// Tangents of the arguments.
    pub dots: Vec<Option<Pointer>>,
    /// Cotangents, and whether the body initialises them.
    pub bars: Vec<Option<(Pointer, bool)>>,
    /// Tangents of the cotangents.
    pub bar_dots: Vec<Option<Pointer>>,
    /// The cotangent of the result.
    pub y_bar: Option<Pointer>,
    /// Its tangent.
    pub y_bar_dot: Option<Pointer>,
}

impl<'p> Machine<'p> {
    /// Runs one body of a function's derivative code: the value, and its tangent where there is one.
    pub fn part(&mut self, code: &'p Code<'p>, part: Part, args: &[Pointer], shadows: &Shadows) -> Run<(Value, Value)> {
        let body = code.body(part);
        let params = &code.function.params;
        let mut frame = Frame::over(body.table);
        let is_on = |k: usize| match body.dots {
            Some(_) => shadows.dots.get(k).is_some_and(Option::is_some),
            None => shadows.bars.get(k).is_some_and(Option::is_some),
        };
        frame.active = (0..params.len()).map(is_on).collect();
        self.apart(frame, |m| {
            for (param, arg) in params.iter().zip(args) {
                m.here().put(param.var, Some(arg.clone()));
            }
            for item in &code.items {
                m.stmts(std::slice::from_ref(item))?;
            }
            m.opened(code, part, args, shadows)?;
            body.block.stmts.iter().try_for_each(|stmt| m.stmt(stmt))?;
            let value = if part.has_value() { m.output(&code.function.result)? } else { Value::Unit };
            let dot = body.dot.filter(|_| part.has_value()).map_or(Ok(Value::Unit), |dot| m.output(dot))?;
            Ok((value, dot))
        })
    }

    /// The shadows of parameters and result, under the names that the body has for them.
    fn opened(&mut self, code: &'p Code<'p>, part: Part, args: &[Pointer], shadows: &Shadows) -> Run<()> {
        let body = code.body(part);
        for (k, param) in code.function.params.iter().enumerate().filter(|(_, p)| p.active) {
            let by_value = param.passing == Passing::Value;
            if let Some(dot) = body.dots.and_then(|dots| dots.get(&param.var)) {
                self.open(*dot, shadows.dots.get(k).cloned().flatten(), (&args[k], by_value))?;
            }
            let Some(bar) = body.bars.and_then(|bars| bars.get(&param.var)).filter(|_| part.is_reverse()) else {
                continue;
            };
            let slot = shadows.bars.get(k).cloned().flatten();
            let fresh = slot.as_ref().is_some_and(|(_, fresh)| *fresh);
            self.open(*bar, slot.map(|(place, _)| place), (&args[k], false))?;
            let dot = body.dots.and_then(|dots| dots.get(bar)).copied();
            if let Some(dot) = dot {
                self.open(dot, shadows.bar_dots.get(k).cloned().flatten(), (&args[k], false))?;
            }
            for var in [Some(*bar), dot].into_iter().flatten().filter(|_| fresh) {
                self.here().fresh.insert(var);
                if !body.initialises(var) {
                    let at = self.slot(var)?;
                    let zero = self.memory.read(&at)?.shadow(0.0);
                    self.memory.write(&at, zero)?;
                }
            }
        }
        let Some(y_bar) = body.y_bar.filter(|_| part.is_reverse()) else { return Ok(()) };
        self.open_seed(code, y_bar, shadows.y_bar.clone())?;
        match body.dots.and_then(|dots| dots.get(&y_bar)) {
            Some(dot) => self.open_seed(code, *dot, shadows.y_bar_dot.clone()),
            None => Ok(()),
        }
    }

    /// A shadow under its name; zeros in place of one that is switched off.
    fn open(&mut self, var: Var, given: Option<Pointer>, (arg, copied): (&Pointer, bool)) -> Run<()> {
        let place = match given {
            Some(place) if copied => {
                let value = self.memory.read(&place)?;
                self.memory.alloc(value)
            }
            Some(place) => place,
            None => {
                let zero = self.memory.read(arg)?.shadow(0.0);
                self.memory.alloc(zero)
            }
        };
        self.here().put(var, Some(place));
        Ok(())
    }

    fn open_seed(&mut self, code: &'p Code<'p>, var: Var, given: Option<Pointer>) -> Run<()> {
        let place = match (given, &code.function.result) {
            (Some(place), Output::Maybe(_)) => match self.memory.read(&place)?.content() {
                Some(content) => self.memory.alloc(content.clone()),
                None if matches!(code.function.result.content(), Output::Float(_)) => {
                    self.memory.alloc(Value::float(0.0))
                }
                None => return Err(Stop::unknown("the cotangent of nothing")),
            },
            (Some(place), Output::Float(_)) => {
                let value = self.memory.read(&place)?;
                self.memory.alloc(if let Value::Unit = value { Value::float(0.0) } else { value })
            }
            (Some(place), _) => place,
            (None, _) => self.memory.alloc(Value::float(0.0)),
        };
        self.here().put(var, Some(place));
        Ok(())
    }

    /// Runs a sweep of a called function.
    pub fn sweep(&mut self, sweep: &'p Sweep) -> Run<()> {
        if !sweep.call.handed.is_empty() {
            return Err(Stop::unknown("a function as an argument"));
        }
        let args = self.arguments(sweep)?;
        let second = sweep.kind != SweepKind::Push && sweep.tangents.is_some();
        if handle_of(&sweep.call).is_some() {
            let shadows = self.shadows(sweep, &args)?;
            let (value, dot) = self.rule_sweep(sweep, &args, &shadows, second)?;
            if sweep.kind != SweepKind::Reverse {
                self.resulting(sweep, value, dot);
            }
            return Ok(());
        }
        let Some(code) = self.called(sweep, &args)? else {
            return Err(Stop::unknown(format!("derivatives of `{}`", sweep.call.written)));
        };
        // rustc refuses this, in generated code
        let only_reads = |k: &usize| code.function.params.get(*k).is_some_and(|p| p.passing == Passing::Ref);
        if sweep.call.changing.iter().any(only_reads) {
            return Err(Stop::unknown("data that changes, lent as exclusive to a function that only reads"));
        }
        let shadows = self.shadows(sweep, &args)?;
        let part = match (sweep.kind, code.is_split(), second) {
            (SweepKind::Push, ..) | (SweepKind::Forward, false, true) => Part::Push,
            (SweepKind::Forward, false, false) => {
                let value = self.primal_call(&sweep.call)?;
                self.resulting(sweep, value, Value::Unit);
                return Ok(());
            }
            (SweepKind::Both | SweepKind::Reverse, false, false) | (SweepKind::Both, _, false) => Part::Pull,
            (SweepKind::Both | SweepKind::Reverse, false, true) | (SweepKind::Both, _, true) => Part::PullPush,
            (SweepKind::Forward, true, false) => Part::Forward,
            (SweepKind::Forward, true, true) => Part::ForwardPush,
            (SweepKind::Reverse, true, false) => Part::Reverse,
            (SweepKind::Reverse, true, true) => Part::ReversePush,
        };
        let (value, dot) = self.part(code, part, &args, &shadows)?;
        if sweep.kind != SweepKind::Reverse {
            self.resulting(sweep, value, dot);
        }
        Ok(())
    }

    fn resulting(&mut self, sweep: &Sweep, value: Value, dot: Value) {
        if let Some(result) = sweep.result {
            self.define(result, value);
        }
        if let Some(result) = sweep.tangents.as_ref().and_then(|t| t.result) {
            self.define(result, dot);
        }
    }

    fn arguments(&mut self, sweep: &'p Sweep) -> Run<Vec<Pointer>> {
        let mut args = Vec::new();
        for arg in &sweep.call.args {
            args.push(match arg {
                CallArg::Ref(place) | CallArg::Mut(place) => self.at(place)?,
                CallArg::Value(o) => {
                    let value = self.operand(o)?;
                    self.memory.alloc(value)
                }
                CallArg::Passive(code) | CallArg::Lent(code) => {
                    let value = self.passive(code)?;
                    self.memory.alloc(value)
                }
            });
        }
        Ok(args)
    }

    fn called(&mut self, sweep: &'p Sweep, args: &[Pointer]) -> Run<Option<&'p Code<'p>>> {
        use crate::ir::Callee;
        let text = |tokens: &dyn quote::ToTokens| tokens.to_token_stream().to_string().replace(' ', "");
        Ok(match &sweep.call.callee {
            Callee::Function(_) => {
                let written = text(&sweep.call.written);
                let name = written.split("::<").next().unwrap_or_default();
                self.program.code(None, name.rsplit("::").next().unwrap_or_default())
            }
            Callee::Associated(path) => match text(path).rsplit_once("::") {
                Some((owner, name)) => self.program.code(Some(owner), name),
                None => None,
            },
            Callee::Method(name) => match self.memory.get(&args[0])? {
                Value::Data(tag, ..) => self.program.code_of_variant(tag, &name.to_string()),
                _ => None,
            },
            Callee::Parameter(_) | Callee::With(_) => None,
        })
    }

    fn shadows(&mut self, sweep: &'p Sweep, args: &[Pointer]) -> Run<Shadows> {
        let mut shadows = Shadows::default();
        let t = sweep.tangents.as_ref();
        if sweep.kind != SweepKind::Forward || t.is_some() {
            for (k, arg) in args.iter().enumerate() {
                let dot = t.and_then(|t| t.args.get(k)).and_then(Option::as_ref);
                let dot = dot.map(|(place, on)| self.shadow_of(sweep, k, (place, *on), arg)).transpose()?;
                shadows.dots.push(dot);
            }
        }
        if sweep.kind == SweepKind::Push {
            return Ok(shadows);
        }
        for (k, arg) in args.iter().enumerate() {
            let bar = sweep.bars.get(k).and_then(Option::as_ref);
            let fresh = bar.is_some_and(|(place, _)| self.is_fresh(sweep, place));
            let at = bar.map(|(place, on)| self.shadow_of(sweep, k, (place, *on), arg)).transpose()?;
            shadows.bars.push(at.map(|at| (at, fresh)));
            let dot = t.and_then(|t| t.bars.get(k)).and_then(Option::as_ref).zip(bar);
            let dot = dot.map(|(place, (_, on))| self.shadow_of(sweep, k, (place, *on), arg)).transpose()?;
            shadows.bar_dots.push(dot);
        }
        shadows.y_bar = sweep.result_bar.map(|bar| self.slot(bar)).transpose()?;
        shadows.y_bar_dot = t.and_then(|t| t.result_bar).map(|bar| self.slot(bar)).transpose()?;
        Ok(shadows)
    }

    /// Whether the callee initialises a cotangent: one of the caller's own only if it was asked to.
    fn is_fresh(&mut self, sweep: &Sweep, place: &Place) -> bool {
        let root = place.root;
        sweep.fresh.contains(&root) && (!self.table().is_ref(root) || self.here().fresh.contains(&root))
    }

    /// The shadow of an argument; zeros that nobody reads, if the caller's own is switched off.
    fn shadow_of(
        &mut self,
        sweep: &'p Sweep,
        k: usize,
        (place, on): (&'p Place, ParamSet),
        arg: &Pointer,
    ) -> Run<Pointer> {
        let replaceable = matches!(sweep.call.args[k], CallArg::Ref(_) | CallArg::Value(Operand::Place(_)));
        if replaceable && self.table().is_ref(place.root) && !self.here().is_on(on) {
            let zero = self.memory.read(arg)?.shadow(0.0);
            return Ok(self.memory.alloc(zero));
        }
        self.at(place)
    }
}
