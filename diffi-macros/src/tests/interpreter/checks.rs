//! What is compared: the text of a program over numbers with derivatives, against every body of its derivative code.

use crate::ir::Passing;
use crate::opt::dump::Dump;
use crate::tests::interpreter::bodies::sweeps::Shadows;
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::program::{Code, Part, Program, Source};
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Pointer, Value};
use diffi_random::number::S;
use std::cell::OnceCell;

/// What became of a program.
#[derive(Debug)]
pub enum Verdict {
    /// Everything that was compared agrees.
    Right(Right),
    /// diffi does not accept it.
    Refused(String),
    /// The interpreter does not know something in it.
    Unknown(String),
    /// Its values are too large, or not finite.
    Wild,
    /// Its text does not run: the generator's mistake.
    Invalid(String),
    /// Something does not agree.
    Wrong(String),
}

/// What agrees.
#[derive(Clone, Debug)]
pub struct Right {
    /// How many bodies do.
    pub bodies: usize,
    /// How many arguments are outputs, whose values at entry have no derivatives.
    outputs: usize,
    /// The results of the text.
    results: Vec<S>,
}

/// Values beyond this say more about rounding than about the compiler.
const WILD: f64 = 1e5;
/// The deviation beyond which a derivative is wrong, in proportion to what it is made of.
const TOLERANCE: f64 = 1e-9;

/// A program at one point.
pub struct Case {
    /// The program.
    pub text: String,
    /// The function that is differentiated.
    pub name: String,
    /// Its arguments.
    pub args: Vec<Value>,
}

/// What the text of the program gives: all results, arguments that it changed among them.
struct Expected {
    results: Vec<S>,
    /// The size of what the results are made of.
    scale: f64,
}

impl Right {
    /// Whether the results of two texts are the same, derivatives among them; one text may have outputs where the other cannot.
    pub fn is_same(&self, other: &Right) -> bool {
        let near = |x: f64, y: f64| (x - y).abs() <= TOLERANCE * (1.0 + x.abs());
        let derivatives = |x: &S, y: &S| near(x.a, y.a) && near(x.b, y.b) && near(x.ab, y.ab);
        let same = |(x, y): (&S, &S)| near(x.v, y.v) && (self.outputs != other.outputs || derivatives(x, y));
        self.results.len() == other.results.len() && self.results.iter().zip(&other.results).all(same)
    }
}

/// Compares all bodies of a program's derivative code with its text.
pub fn verdict(case: &Case) -> Verdict {
    let source = match Source::of(&case.text) {
        Ok(source) => source,
        Err(error) => return Verdict::Invalid(error.to_string()),
    };
    let functions = match source.functions(&Dump::default()) {
        Ok(functions) => functions,
        Err(error) => return Verdict::Refused(error.to_string()),
    };
    let program = Program::new(&source, &functions);
    let Some(code) = program.code(None, &case.name) else { return Verdict::Unknown("no derivative".to_owned()) };
    let comparison = Comparison { program: &program, code, case, preview: OnceCell::new() };
    let expected = match comparison.expected() {
        Ok(expected) => expected,
        Err(Stop::Panic(message)) => return Verdict::Invalid(message),
        Err(Stop::Unknown(what)) => return Verdict::Unknown(format!("text: {what}")),
        Err(other) => return Verdict::Invalid(format!("{other:?}")),
    };
    if expected.scale > WILD || expected.scale.is_nan() {
        return Verdict::Wild;
    }
    let verdict = comparison.all(&expected);
    if let (Verdict::Wrong(_) | Verdict::Unknown(_), true) = (&verdict, std::env::var("DIFFI_SHOW").is_ok()) {
        functions.iter().for_each(|(_, f)| println!("{}", Code::of(f, &Dump::default()).text()));
    }
    verdict
}

struct Comparison<'p> {
    program: &'p Program<'p>,
    code: &'p Code<'p>,
    case: &'p Case,
    preview: OnceCell<Preview>,
}

/// The function's value, and its arguments afterwards.
struct Preview {
    value: Value,
    args: Vec<Value>,
}

/// A cotangent, and whether the body initialises it.
type Bar = Option<(Pointer, bool)>;
type Bars = Vec<Bar>;

/// What is wrong with a body, if anything.
type Check<'p> = fn(&Comparison<'p>, &Expected) -> Run<Option<String>>;

/// The directions in which arguments move, and the weights of results.
fn direction(k: usize) -> [f64; 3] {
    let k = k as f64;
    [(3.0 * k + 1.0).sin(), (1.7 * k + 0.3).cos(), (2.5 * k + 0.7).cos()]
}

impl<'p> Comparison<'p> {
    /// The arguments, with or without the two directions.
    fn args(&self, machine: &mut Machine<'p>, seeded: bool) -> Vec<Pointer> {
        let mut k = 0;
        let params = self.code.function.params.iter();
        let args = params.zip(&self.case.args).map(|(param, arg)| {
            let mut arg = arg.clone();
            arg.each_mut(&mut |v| {
                let [a, b, _] = direction(k);
                k += 1;
                if seeded && param.active && param.passing != Passing::Out {
                    (v.a, v.b) = (a, b);
                }
            });
            machine.memory.alloc(arg)
        });
        args.collect()
    }

    /// The results of a run: the value, and what is left of arguments that may be changed.
    fn results(&self, machine: &Machine<'p>, value: &Value, args: &[Pointer]) -> Run<Vec<S>> {
        let mut all = value.floats();
        for (param, arg) in self.code.function.params.iter().zip(args) {
            if let Passing::Mut | Passing::Out = param.passing {
                all.extend(machine.memory.read(arg)?.floats());
            }
        }
        Ok(all)
    }

    fn expected(&self) -> Run<Expected> {
        let mut machine = Machine::new(self.program);
        let args = self.args(&mut machine, true);
        let function = self.program.function(&self.case.name).ok_or_else(|| Stop::unknown("no function"))?;
        let values: Vec<Value> = function
            .sig
            .inputs
            .iter()
            .zip(&args)
            .map(|(input, arg)| {
                let lent = matches!(input, syn::FnArg::Typed(p) if matches!(*p.ty, syn::Type::Reference(_)));
                if lent { Ok(Value::Ref(arg.clone())) } else { machine.memory.read(arg) }
            })
            .collect::<Run<_>>()?;
        let mut value = machine.run_source(function, values)?;
        if let Value::Iter(iter) = &mut value {
            // derivative code gives a list of the elements
            let mut elements = Vec::new();
            while let Some(element) = machine.next(iter, false)? {
                elements.push(element);
            }
            value = Value::Seq(elements);
        }
        let results = self.results(&machine, &value, &args)?;
        let scale = results
            .iter()
            .flat_map(|s| [s.v, s.a, s.b, s.ab])
            .fold(1.0, |m: f64, v| if v.is_nan() { f64::INFINITY } else { m.max(v.abs()) });
        Ok(Expected { results, scale })
    }

    /// Every body, one after the other.
    fn all(&self, expected: &Expected) -> Verdict {
        for (name, check) in Self::CHECKS {
            match check(self, expected) {
                Ok(None) => {}
                Ok(Some(message)) => return Verdict::Wrong(format!("{name}: {message}")),
                Err(Stop::Unknown(what)) => return Verdict::Unknown(format!("{name}: {what}")),
                Err(Stop::Panic(message)) => return Verdict::Wrong(format!("{name} panics: {message}")),
                Err(other) => return Verdict::Unknown(format!("{name}: {other:?}")),
            }
        }
        // the sweeps of a split adjoint are two bodies, and so are their tangents
        let bodies = if self.code.is_split() { 7 } else { 3 };
        let outputs = self.code.function.params.iter().filter(|param| param.passing == Passing::Out).count();
        Verdict::Right(Right { bodies, outputs, results: expected.results.clone() })
    }

    const CHECKS: [(&'static str, Check<'p>); 5] = [
        ("push", Self::push),
        ("pull", |c, e| c.reverse(e, &[Part::Pull])),
        ("forward and reverse", |c, e| {
            if c.code.is_split() { c.reverse(e, &[Part::Forward, Part::Reverse]) } else { Ok(None) }
        }),
        ("pull·push", |c, e| c.second(e, &[Part::PullPush])),
        ("forward·push and reverse·push", |c, e| {
            if c.code.is_split() { c.second(e, &[Part::ForwardPush, Part::ReversePush]) } else { Ok(None) }
        }),
    ];

    /// Tangents of the arguments: the first direction.
    fn dots(&self, machine: &mut Machine<'p>) -> Vec<Option<Pointer>> {
        let mut k = 0;
        let params = self.code.function.params.iter().zip(&self.case.args);
        let dots = params.map(|(param, arg)| {
            let mut dot = arg.shadow(0.0);
            dot.each_mut(&mut |v| {
                if param.passing != Passing::Out {
                    v.v = direction(k)[0];
                }
                k += 1;
            });
            param.active.then(|| machine.memory.alloc(dot))
        });
        dots.collect()
    }

    fn push(&self, expected: &Expected) -> Run<Option<String>> {
        let mut machine = Machine::new(self.program);
        let args = self.args(&mut machine, false);
        let dots = self.dots(&mut machine);
        let shadows = Shadows { dots: dots.clone(), ..Shadows::default() };
        let (value, dot) = machine.part(self.code, Part::Push, &args, &shadows)?;
        let results = self.results(&machine, &value, &args)?;
        if let Some(message) = same(&results, expected) {
            return Ok(Some(message));
        }
        let changed: Vec<Pointer> =
            dots.iter().zip(&args).map(|(dot, arg)| dot.clone().unwrap_or_else(|| arg.clone())).collect();
        let tangents = self.results(&machine, &dot, &changed)?;
        if tangents.len() != results.len() {
            return Ok(Some(format!("{} tangents of {} results", tangents.len(), results.len())));
        }
        let pairs = tangents.iter().zip(&expected.results);
        Ok(pairs
            .enumerate()
            .find_map(|(k, (got, want))| differ(&format!("tangent {k}"), got.v, want.a, expected.scale)))
    }

    /// Cotangents: of arguments that may be changed those of what is left, of others what the caller has so far.
    fn bars(&self, machine: &mut Machine<'p>, after: &[Value], fresh: bool, seeds: &mut Vec<f64>) -> Bars {
        let mut bars = Vec::new();
        for ((param, arg), after) in self.code.function.params.iter().zip(&self.case.args).zip(after) {
            let changes = matches!(param.passing, Passing::Mut | Passing::Out);
            // what is left of an argument may have another length
            let shape = if changes { after } else { arg };
            let mut bar = shape.shadow(if fresh { 1e30 } else { 0.0 });
            if changes {
                bar.each_mut(&mut |v| {
                    v.v = direction(seeds.len())[2];
                    seeds.push(v.v);
                });
            }
            let by_value = param.passing == Passing::Value && matches!(arg, Value::Float(_));
            if by_value {
                bar = Value::float(0.0);
            }
            bars.push(param.active.then(|| (machine.memory.alloc(bar), fresh && !changes && !by_value)));
        }
        bars
    }

    /// The cotangent of the value; the weights of all results, in the order of [`results`](Self::results).
    fn seed(&self, value: &Value, weights: &mut Vec<f64>) -> Value {
        let mut seed = value.shadow(0.0);
        seed.each_mut(&mut |v| {
            v.v = direction(weights.len())[2];
            weights.push(v.v);
        });
        seed
    }

    fn reverse(&self, expected: &Expected, parts: &[Part]) -> Run<Option<String>> {
        for fresh in [false, true] {
            let mut machine = Machine::new(self.program);
            let (_, bars, message) = self.swept(&mut machine, expected, (parts, fresh), Vec::new(), &mut Vec::new())?;
            if message.is_some() {
                return Ok(message);
            }
            let weights = self.weights(&expected.results);
            let want = weights.iter().zip(&expected.results).map(|(w, s)| w * s.a).sum();
            let got = self.along(&machine, &bars, 0)?;
            if let Some(message) = differ(
                if fresh { "initialised gradient" } else { "gradient" },
                got,
                want,
                expected.scale * weights.len() as f64,
            ) {
                return Ok(Some(message));
            }
            let want = weights.iter().zip(&expected.results).map(|(w, s)| w * s.b).sum();
            let got = self.along(&machine, &bars, 1)?;
            if let Some(message) =
                differ("gradient in another direction", got, want, expected.scale * weights.len() as f64)
            {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }

    /// The weights of results.
    fn weights(&self, results: &[S]) -> Vec<f64> {
        (0..results.len()).map(|k| direction(k)[2]).collect()
    }

    /// The value and what is left of the arguments, whose shapes seeds and cotangents have.
    fn preview(&self) -> Run<&Preview> {
        if let Some(known) = self.preview.get() {
            return Ok(known);
        }
        let mut machine = Machine::new(self.program);
        let (args, dots) = (self.args(&mut machine, false), self.dots(&mut machine));
        let shadows = Shadows { dots, ..Shadows::default() };
        let (value, _) = machine.part(self.code, Part::Push, &args, &shadows)?;
        let args = args.iter().map(|arg| machine.memory.read(arg)).collect::<Run<Vec<Value>>>()?;
        Ok(self.preview.get_or_init(|| Preview { value, args }))
    }

    /// Runs both sweeps: all cotangents afterwards, and what is wrong with the values.
    fn swept(
        &self,
        machine: &mut Machine<'p>,
        expected: &Expected,
        (parts, fresh): (&[Part], bool),
        dots: Vec<Option<Pointer>>,
        bar_dots: &mut Vec<Option<Pointer>>,
    ) -> Run<(Value, Bars, Option<String>)> {
        let args = self.args(machine, false);
        let before = Shadows { dots: dots.clone(), ..Shadows::default() };
        let Preview { value, args: after } = self.preview()?;
        let mut weights = Vec::new();
        let seed = self.seed(value, &mut weights);
        let y_bar_dot = machine.memory.alloc(seed.shadow(0.0));
        let y_bar = machine.memory.alloc(seed);
        let bars = self.bars(machine, after, fresh, &mut weights);
        *bar_dots = bars
            .iter()
            .map(|bar| {
                let (place, fresh) = bar.as_ref()?;
                let zero = machine.memory.read(place).ok()?.shadow(if *fresh { 1e30 } else { 0.0 });
                Some(machine.memory.alloc(zero))
            })
            .collect();
        let shadows = Shadows {
            bars: bars.clone(),
            bar_dots: bar_dots.clone(),
            y_bar: Some(y_bar),
            y_bar_dot: Some(y_bar_dot),
            ..before
        };
        let mut value = Value::Unit;
        for part in parts {
            let (given, _) = machine.part(self.code, *part, &args, &shadows)?;
            if part.has_value() {
                value = given;
                let results = self.results(machine, &value, &args)?;
                if let (Some(message), false) =
                    (same(&results, expected), *part == Part::Pull || *part == Part::PullPush)
                {
                    return Ok((value, bars, Some(message)));
                }
                let own = value.floats();
                if own.iter().zip(&expected.results).any(|(a, b)| a.v.to_bits() != b.v.to_bits()) {
                    return Ok((value, bars, Some("another value".to_owned())));
                }
            }
        }
        let message = {
            let left = machine.tape.iter().map(Vec::len).sum::<usize>();
            (left > 0).then(|| format!("{left} frames are left on the tape"))
        };
        Ok((value, bars, message))
    }

    /// The sum of all cotangents, each times its argument's direction.
    fn along(&self, machine: &Machine<'p>, bars: &[Bar], which: usize) -> Run<f64> {
        let places: Vec<Option<Pointer>> =
            bars.iter().map(|bar| bar.as_ref().map(|(place, _)| place.clone())).collect();
        self.dotted(machine, &places, which)
    }

    fn dotted(&self, machine: &Machine<'p>, places: &[Option<Pointer>], which: usize) -> Run<f64> {
        let (mut k, mut sum) = (0, 0.0);
        for ((param, arg), place) in self.code.function.params.iter().zip(&self.case.args).zip(places) {
            let count = arg.floats().len();
            if let Some(place) = place.as_ref().filter(|_| param.passing != Passing::Out) {
                let floats = machine.memory.read(place)?.floats();
                if floats.len() != count {
                    return Err(Stop::panic(format!("{} cotangents of {count} numbers", floats.len())));
                }
                sum += floats.iter().enumerate().map(|(j, v)| v.v * direction(k + j)[which]).sum::<f64>();
            }
            k += count;
        }
        Ok(sum)
    }

    fn second(&self, expected: &Expected, parts: &[Part]) -> Run<Option<String>> {
        for fresh in [false, true] {
            let mut machine = Machine::new(self.program);
            let dots = self.dots(&mut machine);
            let mut bar_dots = Vec::new();
            let (_, bars, message) = self.swept(&mut machine, expected, (parts, fresh), dots, &mut bar_dots)?;
            if message.is_some() {
                return Ok(message);
            }
            let weights = self.weights(&expected.results);
            let scale = expected.scale * weights.len() as f64;
            let want = weights.iter().zip(&expected.results).map(|(w, s)| w * s.b).sum();
            let got = self.along(&machine, &bars, 1)?;
            if let Some(message) = differ("gradient", got, want, scale) {
                return Ok(Some(message));
            }
            let want = weights.iter().zip(&expected.results).map(|(w, s)| w * s.ab).sum();
            let got = self.dotted(&machine, &bar_dots, 1)?;
            if let Some(message) = differ("second derivative", got, want, scale) {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }
}

/// Whether results have other bits than the text's.
fn same(results: &[S], expected: &Expected) -> Option<String> {
    if results.len() != expected.results.len() {
        return Some(format!("{} results for {}", results.len(), expected.results.len()));
    }
    let mut pairs = results.iter().zip(&expected.results).enumerate();
    pairs.find_map(|(k, (got, want))| {
        (got.v.to_bits() != want.v.to_bits()).then(|| format!("result {k} is {:?} for {:?}", got.v, want.v))
    })
}

/// Whether two numbers differ by more than rounding.
fn differ(what: &str, got: f64, want: f64, scale: f64) -> Option<String> {
    let right = (got - want).abs() <= TOLERANCE * scale.max(want.abs());
    (!right).then(|| format!("{what} is {got:?} for {want:?}"))
}
