//! The traits that operators see, implemented by the inherent functions of the handle.

use super::is_mut;
use super::item::{Frame, at_float, has_lifetime, text, with_static};
use crate::ir::*;
use crate::parse::types::is_function_parameter;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Frame<'_> {
    /// The kinds of the parameters, as a tuple type.
    fn kinds(&self) -> TokenStream {
        let kinds = self.params().map(|(_, p)| self.kind(p));
        quote!((#(#kinds,)*))
    }

    fn kind(&self, param: &Param) -> TokenStream {
        let (ty, float) = (with_static(param.ty.clone()), self.float());
        match (param.active, param.passing, param.cache) {
            (true, _, true) => quote!(__d::CacheMut<#ty>),
            (true, Passing::Value, _) if has_lifetime(&param.ty) => quote!(<#ty as __d::Param>::Kind),
            (true, Passing::Value, _) => quote!(__d::Val<#ty>),
            (true, Passing::Ref, _) => quote!(__d::Ref<#ty>),
            (true, Passing::Mut, _) => quote!(__d::Mut<#ty>),
            (true, Passing::Out, _) => quote!(__d::Out<#ty>),
            (false, Passing::Value, _) => quote!(__d::Pass<#ty, #float>),
            (false, Passing::Ref, _) => quote!(__d::PassRef<#ty, #float>),
            (false, _, _) => quote!(__d::PassMut<#ty, #float>),
        }
    }

    /// Operators pass closures on and keep their types.
    fn kept(&self) -> Vec<TokenStream> {
        let generics = &self.function.generics;
        let functions = generics.type_params().map(|p| &p.ident).filter(|name| is_function_parameter(name, generics));
        functions.map(|name| quote!(#name: ::core::clone::Clone + 'static)).collect()
    }

    pub(super) fn func(&self, handle: &Ident) -> TokenStream {
        let (kinds, ret, name) = (self.kinds(), &self.function.ret, &self.function.name);
        let (generics, bounds) = self.generics(&[], &self.kept());
        let args: String = (0..self.function.params.len()).map(|k| format!("x{k}, ")).collect();
        text(format!(
            "impl {generics} __d::Func<{kinds}> for {handle} {bounds} {{
                type Ret = {ret};
                #[inline]
                fn call(&self, ({args}): <{kinds} as __d::Sig>::At<'_>) -> {ret} {{ {name}({args}) }}
            }}"
        ))
    }

    /// The arguments of the derivative functions, from the tuples that operators pass.
    fn passed(&self) -> Passed {
        let mut all = Passed::default();
        for (k, param) in self.params() {
            all.x += &format!("x{k}, ");
            all.d += &format!("d{k}, ");
            all.b += &format!("b{k}, ");
            all.t += &format!("t{k}, ");
            if !param.active {
                all.push += &format!("x{k}, __d::Off, ");
                all.pull += &format!("x{k}, __d::Off, ");
                all.forward += &format!("x{k}, __d::Off, ");
                all.second += &format!("x{k}, __d::Off, __d::Off, __d::Off, ");
                continue;
            }
            let fresh = if is_mut(param) { "__d::Off" } else { "Masked::Fresh" };
            let bar = |name: char| format!("__d::Bar::<Masked::P{k}, {fresh}, _>::new({name}{k})");
            let dot = format!("__d::Dot::<Masked::P{k}, _>::new(d{k})");
            all.push += &format!("x{k}, {dot}, ");
            all.pull += &format!("x{k}, {}, ", bar('b'));
            all.forward += &format!("x{k}, __d::Off, ");
            all.second += &format!("x{k}, {dot}, {}, {}, ", bar('b'), bar('t'));
        }
        all
    }

    /// For a generic float once for `f32` and once for `f64`, as operators know no other: only
    /// then does rustc know what a float's tangent is.
    pub(super) fn source(&self, handle: &Ident) -> TokenStream {
        let Base::Generic(name) = &self.function.base else {
            return self.source_at(handle, self.generics(&[], &self.kept()));
        };
        let floats = ["f32", "f64"].map(|float| Ident::new(float, name.span()));
        floats
            .iter()
            .map(|float| at_float(self.source_at(handle, self.generics_at(name, float)), name, float))
            .collect()
    }

    fn source_at(&self, handle: &Ident, (generics, bounds): (TokenStream, TokenStream)) -> TokenStream {
        let (kinds, ret, float) = (self.kinds(), &self.function.ret, self.float());
        let Passed { x, d, b, t, push, pull, forward, second } = self.passed();
        let at = format!("({x}): <{kinds} as __d::Sig>::At<'_>");
        let ws = format!("ws: &mut __d::Workspace<{float}, Space>");
        let tan = |space: &str| format!("__d::Tan<{ret}, {space}, {float}>");
        let (tan, base) = (tan("Space"), tan(&float.to_string()));
        text(format!(
            "impl {generics} __d::Source<{kinds}> for {handle} {bounds} {{
                #[inline]
                fn push<Space: __d::Lin<{float}>, Masked: __d::Mask>(
                    &self, {at}, ({d}): <{kinds} as __d::Sig>::Dots<'_, Space>, {ws},
                ) -> ({ret}, {tan}) {{
                    Self::__push({push} ws)
                }}
                #[inline]
                fn pull<Space: __d::Lin<{float}>, Masked: __d::Mask, Valued: __d::Flag>(
                    &self, {at}, ({b}): <{kinds} as __d::Sig>::Bars<'_, Space>, y_bar: &mut {tan}, {ws},
                ) -> ::core::option::Option<{ret}> {{
                    Self::__pull(Valued::default(), {pull} y_bar, ws)
                }}
                #[inline]
                fn forward<Space: __d::Lin<{float}>, Masked: __d::Mask>(&self, {at}, {ws}) -> {ret} {{
                    Self::__split(__d::Off, {forward} ::core::option::Option::None, ws).expect(\"the forward sweep has a value\")
                }}
                #[inline]
                fn reverse<Space: __d::Lin<{float}>, Masked: __d::Mask>(
                    &self, {at}, ({b}): <{kinds} as __d::Sig>::Bars<'_, Space>, y_bar: &mut {tan}, {ws},
                ) {{
                    let _ = Self::__split(__d::On, {pull} ::core::option::Option::Some(y_bar), ws);
                }}
                #[inline]
                fn pull_push<Space: __d::Lin<{float}>, Masked: __d::Mask, Valued: __d::Flag>(
                    &self, {at}, ({d}): <{kinds} as __d::Sig>::Dots<'_, Space>, ({b}): <{kinds} as __d::Sig>::Bars<'_, {float}>,
                    ({t}): <{kinds} as __d::Sig>::Bars<'_, Space>, y_bar: &mut {base}, y_bar_dot: &mut {tan}, {ws},
                ) -> ::core::option::Option<({ret}, {tan})> {{
                    Self::__pull_push(Valued::default(), {second} y_bar, y_bar_dot, ws)
                }}
            }}"
        ))
    }
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
    forward: String,
    second: String,
}
