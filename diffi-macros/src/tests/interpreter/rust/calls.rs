//! Calls: of the program's functions, of closures, and of std's functions by their paths.

use crate::tests::interpreter::bodies::frame::Frame;
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Iter, Value};
use quote::ToTokens;
use syn::Expr;

impl Machine<'_> {
    /// `f(a, b)`.
    pub fn call(&mut self, call: &syn::ExprCall) -> Run<Value> {
        let function = self.eval(&call.func)?;
        let args = self.list(&call.args)?;
        self.apply(&function, args)
    }

    /// Applies a function value.
    pub fn apply(&mut self, function: &Value, args: Vec<Value>) -> Run<Value> {
        match function {
            Value::Ref(place) => {
                let function = self.memory.read(place)?;
                self.apply(&function, args)
            }
            Value::Closure(closure) => {
                let closure = closure.clone();
                self.apply_closure(&closure, args)
            }
            Value::Function(path) => {
                let path = path.clone();
                self.apply_path(&path, args)
            }
            Value::Data(name, ..) => {
                let name = name.clone();
                self.apply_path(&name, args)
            }
            _ => Err(Stop::unknown("a call of no function")),
        }
    }

    fn apply_closure(&mut self, closure: &crate::tests::interpreter::value::Closure, args: Vec<Value>) -> Run<Value> {
        let (base, frame) = (self.base, self.frame);
        let names = self.scope.len();
        (self.base, self.frame) = (names, closure.frame);
        self.scope.extend(closure.around.iter().cloned());
        let result = closure.text.inputs.iter().zip(args).try_for_each(|(pat, arg)| {
            let place = self.memory.alloc(arg);
            match self.matched(pat, &place, false)? {
                true => Ok(()),
                false => Err(Stop::unknown("the pattern of a parameter")),
            }
        });
        let result = result.and_then(|()| self.eval(&closure.text.body));
        self.scope.truncate(names);
        (self.base, self.frame) = (base, frame);
        match result {
            Err(Stop::Return(value)) => Ok(value),
            other => other,
        }
    }

    fn apply_path(&mut self, path: &str, mut args: Vec<Value>) -> Run<Value> {
        let segments: Vec<&str> = path.split("::").filter(|s| !s.is_empty() && !s.starts_with('<')).collect();
        let (name, owner) = (segments.last().copied().unwrap_or_default(), segments.iter().rev().nth(1).copied());
        if let Some(function) = owner.and_then(|owner| self.program.method(owner, name)) {
            return self.run_source(function, args);
        }
        if let Some(function) = self.program.function(name).filter(|_| owner.is_none()) {
            return self.run_source(function, args);
        }
        if let Some((name, names)) = self.program.variant(name) {
            return Ok(Value::Data(name, names, args));
        }
        match (owner, name) {
            (None | Some("Option" | "Result"), "Some" | "Ok" | "Err") => Ok(Value::tagged(name, args)),
            (Some("Vec"), "new" | "with_capacity") => Ok(Value::Seq(Vec::new())),
            (Some("VecDeque"), "new" | "with_capacity") => Ok(Value::Deque(Vec::new())),
            (Some("VecDeque"), "from") => Ok(self.read_value(args.remove(0))?.queued()),
            // but for a condition, it is assigned before it is read
            (Some("Default"), "default") => Ok(Value::tagged("Default", Vec::new())),
            (Some("ItemsOf"), "new") => Ok(Value::Unit),
            (Some("Box" | "Vec"), "new" | "from") if args.len() == 1 => Ok(args.remove(0)),
            (Some(handle @ ("One" | "Two" | "Change")), "call") => self.rule_value(handle, &args),
            (Some("op"), _) => self.read_all(args).map(|held| Value::tagged(name, held)),
            (Some("library"), "dims") => self.read_value(args.remove(0)),
            (Some("library"), "shape" | "shape_by_elements") => self.shape_value(&args[0]),
            (Some("library"), "length") => self.length_along(&args[0], &args[1]),
            (_, "Axis") => Ok(Value::tagged(name, args)),
            (Some("Array1" | "Array2" | "Array"), _) => self.new_array(name, &args),
            (Some("Failure"), "none" | "of") => Ok(Value::tagged("Failure", args)),
            (Some("__d" | "Carrier" | "Given"), _) => match self.of_runtime(name, &args)? {
                Some(value) => Ok(value),
                None => Err(Stop::unknown(format!("the function `{path}`"))),
            },
            (Some("f64"), "from") => match self.read_value(args.remove(0))? {
                Value::Int(n) => Ok(Value::float(n as f64)),
                Value::Bool(b) => Ok(Value::float(f64::from(b))),
                other => Ok(other),
            },
            (Some("usize" | "i32" | "i64" | "u32"), "from") => self.read_value(args.remove(0)),
            (Some("mem"), _) => self.of_mem(name, args),
            (Some("iter"), _) => self.of_iter(name, args),
            _ if !args.is_empty() && owner.is_some() => self.method(name, args),
            _ => Err(Stop::unknown(format!("the function `{path}`"))),
        }
    }

    /// A function of `std::mem`.
    pub fn of_mem(&mut self, name: &str, args: Vec<Value>) -> Run<Value> {
        let place = |arg: &Value| match arg {
            Value::Ref(place) => Ok(place.clone()),
            _ => Err(Stop::unknown("no place")),
        };
        let old = self.memory.read(&place(&args[0])?)?;
        match (name, &args[1..]) {
            ("swap", [other]) => {
                let other = place(other)?;
                let value = self.memory.read(&other)?;
                self.memory.write(&other, old)?;
                self.memory.write(&place(&args[0])?, value)?;
                Ok(Value::Unit)
            }
            ("replace", [value]) => self.memory.write(&place(&args[0])?, value.clone()).map(|()| old),
            ("take", []) => {
                let empty = match &old {
                    Value::Seq(_) => Value::Seq(Vec::new()),
                    Value::Deque(_) => Value::Deque(Vec::new()),
                    Value::Float(_) => Value::float(0.0),
                    Value::Int(_) => Value::Int(0),
                    Value::Data(name, ..) if matches!(&**name, "Some" | "None") => Value::option(None),
                    _ => return Err(Stop::unknown("`take`")),
                };
                self.memory.write(&place(&args[0])?, empty).map(|()| old)
            }
            _ => Err(Stop::unknown(format!("`mem::{name}`"))),
        }
    }

    fn of_iter(&mut self, name: &str, mut args: Vec<Value>) -> Run<Value> {
        let iter = match (name, args.len()) {
            ("empty", 0) => Iter::List(Default::default()),
            ("once", 1) => Iter::List(args.into()),
            ("repeat", 1) => Iter::Repeat(args.remove(0)),
            ("repeat_n", 2) => match args[1] {
                Value::Int(n) => Iter::List(vec![args[0].clone(); n as usize].into()),
                _ => return Err(Stop::unknown("`repeat_n`")),
            },
            ("successors", 2) => {
                let (first, next) = (args[0].content().cloned(), args[1].clone());
                Iter::Successors(first, next)
            }
            ("from_fn", 1) => Iter::FromFn(args.remove(0)),
            ("zip", 2) => {
                let second = args.pop().expect("two");
                let (a, b) = (self.walked_over(args.remove(0))?, self.walked_over(second)?);
                Iter::Zip(Box::new(a), Box::new(b))
            }
            _ => return Err(Stop::unknown(format!("`iter::{name}`"))),
        };
        Ok(Value::Iter(Box::new(iter)))
    }

    /// Runs a function of the program as it is written.
    pub fn run_source(&mut self, function: &syn::ItemFn, args: Vec<Value>) -> Run<Value> {
        self.step()?;
        let result = self.apart(Frame::default(), |m| {
            for (input, arg) in function.sig.inputs.iter().zip(args) {
                match input {
                    syn::FnArg::Receiver(_) => drop(m.bind("self", arg)),
                    syn::FnArg::Typed(param) => {
                        let place = m.memory.alloc(arg);
                        m.matched(&param.pat, &place, false)?;
                    }
                }
            }
            m.stmts(&function.block.stmts)
        });
        match result {
            Err(Stop::Return(value)) => Ok(value),
            other => other,
        }
    }

    /// `x.method(a, b)`.
    pub fn method_call(&mut self, call: &syn::ExprMethodCall) -> Run<Value> {
        let name = call.method.to_string();
        let turbofish = call.turbofish.as_ref().map(|t| t.args.to_token_stream().to_string()).unwrap_or_default();
        let mut args = vec![self.receiver(&call.receiver, &name)?];
        for arg in &call.args {
            args.push(self.eval(arg)?);
        }
        self.method_of(&name, args, &turbofish)
    }

    /// The receiver of a method: a place, unless the method takes what is there now by value.
    fn receiver(&mut self, e: &Expr, method: &str) -> Run<Value> {
        let (Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::Unary(_) | Expr::Paren(_)) = e else {
            return self.eval(e);
        };
        let place = self.place(e)?;
        if method == "into_iter" && !self.is_lent(e) {
            let value = self.memory.shallow(&place)?;
            return Ok(if let Value::Seq(_) | Value::Deque(_) = value { value } else { Value::Ref(place) });
        }
        match self.memory.get(&place) {
            Ok(value @ (Value::Float(_) | Value::Int(_) | Value::Bool(_))) if !method.ends_with("_assign") => {
                Ok(value.clone())
            }
            Ok(Value::Data(tag, ..)) => {
                let function = self.program.method_of_variant(tag, method);
                let by_value = function.and_then(|f| f.sig.receiver()).is_some_and(|this| this.reference.is_none());
                if by_value { self.memory.read(&place) } else { Ok(Value::Ref(place)) }
            }
            _ => Ok(Value::Ref(place)),
        }
    }

    /// Whether a body of derivative code has a reference where the machine has the value.
    fn is_lent(&self, e: &Expr) -> bool {
        let (Expr::Path(path), Some(table)) = (e, self.frames[self.frame].table) else { return false };
        let var = path.path.get_ident().and_then(|name| self.frames[self.frame].names.get(&name.to_string()));
        var.is_some_and(|var| table.is_ref(*var))
    }

    /// Calls a method whose receiver is the first argument.
    pub fn method(&mut self, name: &str, args: Vec<Value>) -> Run<Value> {
        self.method_of(name, args, "")
    }

    fn method_of(&mut self, name: &str, args: Vec<Value>, turbofish: &str) -> Run<Value> {
        let place = match &args[0] {
            Value::Ref(place) => self.memory.deref(place)?,
            value => self.memory.alloc(value.clone()),
        };
        if let Some(value) = self.generated_method(name, &place, args.get(1))? {
            return Ok(value);
        }
        let owned = !matches!(args[0], Value::Ref(_));
        let is_part = matches!(place.path.last(), Some(crate::tests::interpreter::value::Step::Part(..)));
        let args = &args[1..];
        let kind = if is_part { None } else { Some(self.memory.get(&place)?) };
        match kind {
            None | Some(Value::Seq(_) | Value::Deque(_)) => self.sequence_method(name, &place, args, owned),
            Some(Value::Nd(..)) => self.array_method(name, &place, args),
            Some(Value::Float(v)) => {
                let v = *v;
                self.float_method(name, v, args)
            }
            Some(Value::Int(n)) => {
                let n = *n;
                self.integer_method(name, n, args)
            }
            Some(Value::Data(tag, ..)) => {
                let tag = tag.clone();
                match self.program.method_of_variant(&tag, name) {
                    Some(function) => {
                        let by_value = function.sig.receiver().is_some_and(|r| r.reference.is_none());
                        let this = if by_value { self.memory.read(&place)? } else { Value::Ref(place) };
                        self.run_source(function, [&[this], args].concat())
                    }
                    None => self.option_method(name, &place, args),
                }
            }
            Some(Value::Iter(_) | Value::Range(..)) => self.iterator_method(name, &place, args, turbofish),
            Some(Value::Bool(b)) => match (name, *b) {
                ("then", true) => Ok(Value::option(Some(self.apply(&args[0], Vec::new())?))),
                ("then_some", true) => Ok(Value::option(Some(args[0].clone()))),
                ("then" | "then_some", false) => Ok(Value::option(None)),
                ("clone", b) => Ok(Value::Bool(b)),
                _ => Err(Stop::unknown(format!("the method `{name}` of a bool"))),
            },
            Some(other) if name == "clone" => Ok(other.clone()),
            Some(_) => Err(Stop::unknown(format!("the method `{name}`"))),
        }
    }
}
