//! The traits that operators see, implemented by the inherent functions of the handle.

use crate::emit::code::writer::is_mut;
use crate::emit::items::frame::{Frame, has_lifetime, walked, with_static};
use crate::frontend::syntax::types::{is_function_parameter, is_passive_name};
use crate::ir::*;
use crate::support::syntax::mentions;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};

impl Frame<'_> {
    /// The kinds of the parameters, as a tuple type.
    pub fn kinds(&self) -> String {
        let kinds: String = self.params().map(|(k, p)| self.kind(k, p) + ", ").collect();
        format!("({kinds})")
    }

    fn kind(&self, k: usize, param: &Param) -> String {
        if self.asked.contains(&k) {
            return format!("__Kind{k}");
        }
        let lifetime = has_lifetime(&param.ty);
        let ty = if lifetime { self.holes.put(with_static(param.ty.clone())) } else { self.holes.ty(&param.ty) };
        let ty = if self.may_borrow(param) { lent(&ty) } else { ty };
        let float = &self.float;
        match (param.active, param.passing, param.cache) {
            (true, _, true) => format!("__d::CacheMut<{ty}>"),
            (true, Passing::Value | Passing::Ref, _) if lifetime => format!("<{ty} as __d::Param>::ParamKind"),
            (true, Passing::Value, _) => format!("__d::Val<{ty}>"),
            (true, Passing::Ref, _) => format!("__d::Ref<{ty}>"),
            (true, Passing::Mut, _) => format!("__d::Mut<{ty}>"),
            (true, Passing::Out, _) => format!("__d::Out<{ty}>"),
            (false, Passing::Value, _) => format!("__d::Passive<{ty}, {float}>"),
            (false, Passing::Ref, _) => format!("__d::PassiveRef<{ty}, {float}>"),
            (false, _, _) => format!("__d::PassiveMut<{ty}, {float}>"),
        }
    }

    /// Whether a constant's type is a user's and may leave out a lifetime: `&Data` of `struct Data<'a>`.
    fn may_borrow(&self, param: &Param) -> bool {
        let Ok(ty) = syn::parse2::<syn::Type>(param.ty.clone()) else { return false };
        let (all, _) = self.own_generics(true);
        let of_caller = all.iter().flat_map(|g| &g.params).any(|p| stands_in(p, &param.ty));
        !param.active && !of_caller && param.function.is_none() && self.plain(param).is_none() && leaves_out(&ty)
    }

    /// What callers pass for the parameters, as the parameters' kinds say it.
    fn at_types(&self) -> String {
        let one = |(k, p): (usize, &Param)| match (self.plain(p), p.passing) {
            (None, _) => format!("<{} as __d::ParamKind>::At<'_>, ", self.kind(k, p)),
            (Some(ty), Passing::Value) => format!("{ty}, "),
            (Some(ty), Passing::Ref) => format!("&{ty}, "),
            (Some(ty), Passing::Mut | Passing::Out) => format!("&mut {ty}, "),
        };
        format!("({})", self.params().map(one).collect::<String>())
    }

    /// The tangents that go with them.
    fn dot_types(&self, space: &str) -> String {
        let one = |(k, p): (usize, &Param)| match (p.active, self.plain(p), p.passing) {
            (false, _, Passing::Value | Passing::Ref) => "&(), ".to_owned(),
            (false, ..) => "&mut (), ".to_owned(),
            (true, None, _) => format!("<{} as __d::ParamKind>::Dot<'_, {space}>, ", self.kind(k, p)),
            (true, Some(ty), Passing::Value | Passing::Ref) => format!("&{}, ", ty.replace(&self.float, space)),
            (true, Some(ty), Passing::Mut | Passing::Out) => format!("&mut {}, ", ty.replace(&self.float, space)),
        };
        format!("({})", self.params().map(one).collect::<String>())
    }

    /// Their cotangents.
    fn bar_types(&self, space: &str) -> String {
        let one = |(k, p): (usize, &Param)| match (p.active, self.plain(p)) {
            (false, _) => "&mut (), ".to_owned(),
            (true, None) => format!("<{} as __d::ParamKind>::Bar<'_, {space}>, ", self.kind(k, p)),
            (true, Some(ty)) => format!("&mut {}, ", ty.replace(&self.float, space)),
        };
        format!("({})", self.params().map(one).collect::<String>())
    }

    /// The type of a parameter, if it is a float or slices, arrays and `Vec`s of floats: rustc need not look up what goes with it.
    fn plain(&self, param: &Param) -> Option<String> {
        let ty = self.holes.plain_ty(&param.ty)?;
        (!ty.contains(['(', '&'])).then_some(ty)
    }

    /// Operators pass closures on, and keep types.
    fn kept(&self) -> Vec<String> {
        let (all, _) = self.own_generics(true);
        let float = |p: &&syn::TypeParam| matches!(&self.function.base, Base::Generic(name) if *name == p.ident);
        let params = all.iter().flat_map(|g| g.type_params().map(move |p| (g, p))).filter(|(_, p)| !float(p));
        let kept =
            params.map(|(generics, syn::TypeParam { ident, .. })| match is_function_parameter(ident, generics) {
                true => format!("{ident}: ::core::clone::Clone + 'static"),
                false => format!("{ident}: 'static"),
            });
        kept.collect()
    }

    pub fn func(&self, handle: &str) -> String {
        let (kinds, ret) = (self.kinds(), &self.ret);
        let (generics, bounds) = self.generics_from(true, &[], &self.kept());
        let args: String = (0..self.function.params.len()).map(|k| format!("x{k}, ")).collect();
        let lent = |(k, p)| format!("{}{}{}, ", if lends(p) { "&" } else { "" }, given(&format!("x{k}"), p), walked(p));
        let call = self.called(&self.params().map(lent).collect::<String>());
        let vars = self.function.params.iter().map(|p| &self.function.vars[p.var.0 as usize]);
        let names: String = vars.map(|v| format!("{:?}, ", v.hint)).collect();
        format!(
            "impl{generics} __d::Function<{kinds}> for {handle} {bounds} {{
                type ReturnValue = {ret};
                const PARAMETERS: &'static [&'static str] = &[{names}];
                #[inline]
                fn call(&self, ({args}): {at}) -> {ret} {{ {call} }}
            }}",
            at = self.at_types(),
        )
    }

    /// The function's own value, as operators take it.
    pub fn called(&self, args: &str) -> String {
        let value = format!("{}({args})", self.path());
        match &self.function.result {
            Output::Beside(y, _) if matches!(**y, Output::Unit) => format!("__d::answered({value})"),
            Output::Beside(..) => format!("__d::with_aux({value})"),
            _ if self.function.listed => format!("{value}.collect()"),
            Output::Unit if self.function.ret.to_string() == "()" => format!("{value};"), // it may return its receiver
            _ => value,
        }
    }

    /// For a function that has a body over any number type, if all have that it calls.
    pub fn overload(&self, handle: &str, callees: &[TokenStream]) -> String {
        let Base::Generic(name) = &self.function.base else {
            return self.overload_at(handle, callees, self.generics(&[], &self.kept()));
        };
        let tokens = self.holes.fill_here(&self.overload_at(handle, callees, self.generics_at(name)));
        let floats = ["f32", "f64"].map(|float| Ident::new(float, name.span()));
        let impls: String = floats.iter().map(|float| self.holes.put(at_float(tokens.clone(), name, float))).collect();
        impls + &self.over_any_number(handle, callees)
    }

    fn overload_at(&self, handle: &str, callees: &[TokenStream], (generics, bounds): (String, String)) -> String {
        let (kinds, ret, float) = (self.kinds(), &self.ret, &self.float);
        let args: String = (0..self.function.params.len()).map(|k| format!("x{k}, ")).collect();
        let (generics, bounds) = (with_any(&generics), self.with_callees(&bounds, callees));
        let marker = match self.function.base {
            Base::Concrete(_) => self.over_any_number(handle, callees),
            Base::Generic(_) => String::new(),
        };
        format!(
            "impl{generics} __d::Overload<{kinds}, __Any> for {handle} {bounds} {{
                #[inline]
                fn over<__Number: __d::Real<Base = {float}>>(
                    &self, ({args}): <{kinds} as __d::OverSignature>::Over<'_, __Number>,
                ) -> __d::Over<{ret}, __Number> {{
                    Self::__primal(::core::marker::PhantomData::<__Number>, {args})
                }}
            }}
            {marker}"
        )
    }

    fn over_any_number(&self, handle: &str, callees: &[TokenStream]) -> String {
        format!("impl<__Any> __d::OverAnyNumber<__Any> for {handle} {} {{}}", self.with_callees("", callees))
    }

    /// Bounds, and that all callees have such bodies: of every type `__Any`, which keeps rustc from asking before someone evaluates.
    fn with_callees(&self, bounds: &str, callees: &[TokenStream]) -> String {
        let bound = |path: &TokenStream| format!("{}: __d::OverAnyNumber<__Any>, ", self.holes.put(path.clone()));
        let callees: String = callees.iter().map(bound).collect();
        match (bounds.is_empty(), callees.is_empty()) {
            (_, true) => bounds.to_owned(),
            (true, false) => format!("where {callees}"),
            (false, false) => format!("{bounds}, {callees}"),
        }
    }

    /// What the body imports: the callees' names.
    pub fn imports(&self) -> String {
        let import = |item: &&TokenStream| matches!(item.to_owned().clone().into_iter().next(), Some(TokenTree::Ident(word)) if word == "use");
        self.function.items.iter().filter(import).map(|item| self.holes.put(item.clone())).collect()
    }

    /// The arguments of the derivative functions, from the tuples that operators pass.
    fn passed(&self) -> Passed {
        let mut all = Passed::default();
        for (k, param) in self.function.params.iter().enumerate() {
            for (list, letter) in [(&mut all.x, 'x'), (&mut all.d, 'd'), (&mut all.b, 'b'), (&mut all.t, 't')] {
                *list += &format!("{letter}{k}, ");
            }
            if param.function.is_some() {
                all.before += &format!("let mut f{k} = ::core::clone::Clone::clone(&x{k});");
            }
            let [push, pull, second] = self.passed_one(k, param);
            all.push += &push;
            all.pull += &pull;
            all.second += &second;
        }
        all
    }

    /// An argument with its shadows: of the pushforward, of the pullback, and of the pullback's pushforward.
    fn passed_one(&self, k: usize, param: &Param) -> [String; 3] {
        let borrow = self.borrow(k);
        if let Some(function) = &param.function {
            let code = |product| format!("{borrow}x{k}, {}", self.constant_code(k, function, product));
            return ["push", "pull", "pull_push"].map(code);
        }
        if !param.active {
            return [1, 1, 3].map(|shadows| format!("{borrow}x{k}, {}", "__d::Off, ".repeat(shadows)));
        }
        let bar = |name: char| match is_mut(param) {
            true => format!("__d::Bar::<Masked::P{k}, __d::Off, _>::new({name}{k})"),
            false => format!("Masked::bar{k}({name}{k})"),
        };
        let (dot, x) = (format!("Masked::dot{k}(d{k})"), given(&format!("x{k}"), param));
        [
            format!("{borrow}{x}, {dot}, "),
            format!("{borrow}{x}, {}, ", bar('b')),
            format!("{borrow}{x}, {dot}, {}, {}, ", bar('b'), bar('t')),
        ]
    }

    /// For a generic float once for `f32` and once for `f64`, as operators know no other: only
    /// then does rustc know what a float's tangent is.
    pub fn source(&self, handle: &str) -> String {
        let Base::Generic(name) = &self.function.base else {
            return self.source_at(handle, self.generics_from(true, &[], &self.kept()));
        };
        let tokens = self.holes.fill_here(&self.source_at(handle, self.generics_at(name)));
        let floats = ["f32", "f64"].map(|float| Ident::new(float, name.span()));
        floats.iter().map(|float| self.holes.put(at_float(tokens.clone(), name, float))).collect()
    }

    fn source_at(&self, handle: &str, (generics, bounds): (String, String)) -> String {
        let kinds = self.kinds();
        let passed = self.passed();
        format!(
            "impl{generics} __d::DerivativeCode<{kinds}> for {handle} {bounds} {{ {} {} {} }}",
            self.push_method(&passed),
            self.pull_method(&passed),
            self.pull_push_method(&passed),
        )
    }

    fn push_method(&self, Passed { x, d, push, before, .. }: &Passed) -> String {
        let (ret, float, tan, ws) = (&self.ret, &self.float, self.tangent("Space"), self.workspace());
        let (at, dots, called) = (self.at_types(), self.dot_types("Space"), self.product("push"));
        format!(
            "#[inline]
             fn push<Space: __d::LinearSpace<{float}>, Masked: __d::ActivityMask>(
                 &self, ({x}): {at}, ({d}): {dots}, {ws},
             ) -> ({ret}, {tan}) {{
                 {before} {called}({push} ws)
             }}"
        )
    }

    fn pull_method(&self, Passed { x, b, pull, before, .. }: &Passed) -> String {
        let (ret, float, tan, ws) = (&self.ret, &self.float, self.tangent("Space"), self.workspace());
        let (at, bars, called) = (self.at_types(), self.bar_types("Space"), self.product("pull"));
        format!(
            "#[inline]
             fn pull<Space: __d::LinearSpace<{float}>, Masked: __d::ActivityMask, Sweep: __d::Sweeps>(
                 &self, ({x}): {at}, ({b}): {bars}, y_bar: &mut {tan}, {ws},
             ) -> ::core::option::Option<{ret}> {{
                 {before} {called}({pull} ::core::option::Option::Some(y_bar), ws, Sweep::default())
             }}"
        )
    }

    fn pull_push_method(&self, Passed { x, d, b, t, second, before, .. }: &Passed) -> String {
        let (ret, float, tan, ws) = (&self.ret, &self.float, self.tangent("Space"), self.workspace());
        let (at, dots, called) = (self.at_types(), self.dot_types("Space"), self.product("pull_push"));
        let (bars, float_bars, base) = (self.bar_types("Space"), self.bar_types(float), self.tangent(float));
        format!(
            "#[inline]
             fn pull_push<Space: __d::LinearSpace<{float}>, Masked: __d::ActivityMask, Sweep: __d::Sweeps>(
                 &self, ({x}): {at}, ({d}): {dots}, ({b}): {float_bars},
                 ({t}): {bars}, y_bar: &mut {base}, y_bar_dot: &mut {tan}, {ws},
             ) -> ::core::option::Option<({ret}, {tan})> {{
                 {before} {called}(
                     {second} ::core::option::Option::Some(y_bar), ::core::option::Option::Some(y_bar_dot), ws, Sweep::default(),
                 )
             }}"
        )
    }
}

/// What a function is given of a parameter's value.
pub fn given(value: &str, param: &Param) -> String {
    match (param.copying, param.passing) {
        (Some(Copying::Lent), Passing::Mut | Passing::Out) => format!("__d::lent_mut({value})"),
        (Some(Copying::Lent), _) => format!("__d::lent(&{value})"),
        _ => value.to_owned(),
    }
}

/// Whether the function takes a reference to what operators pass by value: `&ArrayView1<f64>`.
pub fn lends(param: &Param) -> bool {
    param.active && param.passing == Passing::Ref && has_lifetime(&param.ty)
}

/// Whether a type of the user's, behind slices and arrays, has nothing written after its name.
fn leaves_out(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Slice(s) => leaves_out(&s.elem),
        syn::Type::Array(a) => leaves_out(&a.elem),
        syn::Type::Paren(p) => leaves_out(&p.elem),
        syn::Type::Group(g) => leaves_out(&g.elem),
        syn::Type::Path(p) if p.qself.is_none() && !is_passive_name(&p.path) => {
            let bare = p.path.segments.last().is_some_and(|last| last.arguments.is_none());
            bare && p.path.segments[0].ident != "Self"
        }
        _ => false,
    }
}

/// The type with its lifetimes.
fn lent(ty: &str) -> String {
    format!("<<fn(&()) -> &{ty} as __d::Lent<'static>>::Ty as ::core::ops::Deref>::Target")
}

/// Whether a type mentions a type parameter or the constant of one.
fn stands_in(param: &syn::GenericParam, ty: &TokenStream) -> bool {
    match param {
        syn::GenericParam::Type(t) => mentions(ty, &t.ident),
        syn::GenericParam::Const(c) => mentions(ty, &c.ident),
        syn::GenericParam::Lifetime(_) => false,
    }
}

/// Generics with one more type.
fn with_any(generics: &str) -> String {
    let own = generics.trim_start_matches('<').trim_end_matches('>').trim_end().trim_end_matches(',');
    if own.is_empty() { "<__Any>".to_owned() } else { format!("<{own}, __Any>") }
}

/// The float's name replaced by the float.
fn at_float(tokens: TokenStream, name: &Ident, float: &Ident) -> TokenStream {
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Ident(i) if i == *name => TokenTree::Ident(float.clone()),
            TokenTree::Group(g) => TokenTree::Group(Group::new(g.delimiter(), at_float(g.stream(), name, float))),
            other => other,
        })
        .collect()
}

/// Lists of names and arguments, as text.
#[derive(Default)]
struct Passed {
    x: String,
    d: String,
    b: String,
    t: String,
    push: String,
    pull: String,
    second: String,
    /// What comes before the calls.
    before: String,
}
