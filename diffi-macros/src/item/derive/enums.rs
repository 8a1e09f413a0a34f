//! The tangents of enums, and the accessors by which derivative code looks into a variant.

use super::fields::{Field, Style, Variant, mentions};
use super::impls::Bodies;
use super::{Derived, asked};
use crate::ir::place::accessor;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

impl Derived<'_> {
    /// `enum ShapeTangent<Space> { .. }`.
    pub fn enum_tangent(&self, variants: &[Variant]) -> TokenStream {
        let (vis, name, text, bounds) = (self.vis, &self.tangent, self.documentation(), &self.generics.where_clause);
        let generics = self.declared_generics();
        let all = variants.iter().map(|v| self.declared_variant(v));
        let marker = self.marker().map(|ty| quote!((#ty)));
        quote! {
            #[doc = #text]
            #[allow(dead_code)]
            #vis enum #name #generics #bounds {
                #(#all,)*
                #[doc(hidden)]
                __Empty #marker,
            }
        }
    }

    fn declared_variant(&self, v: &Variant) -> TokenStream {
        let (variant, text) = (&v.name, format!("The tangent of `{}`.", v.name));
        let types: Vec<TokenStream> =
            v.fields.all.iter().map(|f| f.part.shadow(&f.ty, &self.space, self.root)).collect();
        let fields = match v.fields.style {
            Style::Named => {
                let members: Vec<_> = v.fields.all.iter().map(|f| &f.member).collect();
                quote!({ #(#[allow(missing_docs)] #members: #types,)* })
            }
            Style::Unnamed => quote!((#(#types,)*)),
            Style::Unit => quote!(),
        };
        quote!(#[doc = #text] #variant #fields)
    }

    fn empty_variant(&self) -> TokenStream {
        let (name, marker) = (&self.tangent, self.marker().map(|_| quote!((::core::marker::PhantomData))));
        quote!(#name::__Empty #marker)
    }

    /// What is done field by field, in the variant that is there.
    pub fn enum_bodies(&self, variants: &[Variant]) -> Bodies {
        let space = &self.space;
        let own = Arms { variants, of: quote!(Self) };
        let shadow = Arms { variants, of: self.tangent.to_token_stream() };
        Bodies {
            acc: shadow.in_pairs(&|_, a, b| quote!(__d::Tangent::<#space>::acc(&mut #a, &#b);)),
            set: shadow.in_pairs(&|_, a, b| quote!(__d::Tangent::<#space>::set(&mut #a, &#b);)),
            clear: shadow.of_shadow(&|_, a, _| quote!(__d::Tangent::<#space>::clear(&mut #a);)),
            shadow_shape: shadow.shape_of_shadow(&|_, a, _| quote!(__d::Tangent::<#space>::shape(&#a, dim);)),
            shadow_each: shadow.of_shadow(&|_, a, _| quote!(__d::Tangent::<#space>::each(&#a, f);)),
            shadow_each_mut: shadow.of_shadow(&|_, a, _| quote!(__d::Tangent::<#space>::each_mut(&mut #a, f);)),
            clone: self.cloned(&shadow),
            eq: self.same(variants),
            debug: self.debug_enum(variants),
            zeros: self.zeros(variants),
            empty: self.empty_variant(),
            release: released(&shadow, &quote!(t), &|ty, t| quote!(<#ty as __d::Active>::release(#t, pool);)),
            recycle: released(&shadow, &quote!(self), &|_, t| quote!(__d::Tangent::<#space>::recycle(#t, pool);)),
            copied: self.copied_variant(variants),
            same_constants: self.same_constants_of_variants(variants),
            given_back: TokenStream::new(),
            shape: own.shape(&|ty, a, _| {
                let a = asked::seen(ty, a, false);
                quote!(__d::Active::shape(&#a, dim);)
            }),
            each: own.of_value(&|ty, a, _| {
                let a = asked::seen(ty, a, false);
                quote!(__d::Active::each(&#a, f);)
            }),
            each_mut: own.of_value(&|ty, a, _| {
                let a = asked::seen(ty, a, true);
                quote!(__d::Active::each_mut(&mut #a, f);)
            }),
            fixed: quote!(false),
            frame: TokenStream::new(),
            save: self.save_variant(&own),
            give: quote!(__d::Whole::save(&self, parts);),
            restore: self.restore_variant(variants),
            blank: self.blank_variant(variants),
            unread: quote!(::core::option::Option::None),
        }
    }

    /// A shadow of zeros like the value.
    fn zeros(&self, variants: &[Variant]) -> TokenStream {
        let shadow = self.tangent.to_token_stream();
        let arms = variants.iter().map(|v| {
            let fields = v.fields.all.iter().zip(v.fields.names("a"));
            let zero = |a: &TokenStream| quote!(__d::Active::zeros(&#a, pool));
            let values: Vec<TokenStream> = fields.map(|(f, name)| f.part.built(&quote!((*#name)), &zero)).collect();
            arm(&quote!(Self), v, "a", &constructed(&shadow, v, &values))
        });
        quote!(match self { #(#arms)* })
    }

    /// A copy of the value, in the same variant.
    fn copied_variant(&self, variants: &[Variant]) -> TokenStream {
        let arms = variants.iter().map(|v| {
            let (variant, names) = (&v.name, v.fields.names("a"));
            let place = |f: &Field| {
                let k = v.fields.all.iter().position(|other| other.member == f.member);
                let name = &names[k.expect("a field of the variant")];
                quote!((*#name))
            };
            arm(&quote!(Self), v, "a", &self.copied(&v.fields, &quote!(Self::#variant), &place))
        });
        quote!(match self { #(#arms)* })
    }

    fn same_constants_of_variants(&self, variants: &[Variant]) -> TokenStream {
        let arms = variants.iter().map(|v| {
            let (mine, theirs) = (pattern(&quote!(Self), v, "a"), pattern(&quote!(Self), v, "b"));
            let names = v.fields.names("a").into_iter().zip(v.fields.names("b"));
            let same = v
                .fields
                .all
                .iter()
                .zip(names)
                .map(|(f, (a, b))| self.same_constants(f, &quote!((*#a)), &quote!((*#b))));
            quote!((#mine, #theirs) => true #(&& #same)*,)
        });
        quote! {
            #[allow(unreachable_patterns)]
            match (self, other) { #(#arms)* _ => false }
        }
    }

    fn cloned(&self, shadow: &Arms<'_>) -> TokenStream {
        let (of, empty) = (&shadow.of, self.empty_variant());
        let arms = shadow.variants.iter().map(|v| {
            let names = v.fields.names("a");
            let values: Vec<TokenStream> =
                names.iter().map(|name| quote!(::core::clone::Clone::clone(#name))).collect();
            arm(of, v, "a", &constructed(of, v, &values))
        });
        quote!(match self { #(#arms)* #of::__Empty { .. } => #empty })
    }

    /// The fields, and then the number of the variant.
    fn save_variant(&self, own: &Arms<'_>) -> TokenStream {
        let arms = own.variants.iter().enumerate().map(|(k, v)| {
            let fields = v.fields.all.iter().zip(v.fields.names("a"));
            let (saved, k) = (fields.map(|(f, name)| self.saved(f, &quote!(#name))), syn::Index::from(k));
            arm(&own.of, v, "a", &quote!(#(#saved)* __d::Whole::save(&(#k as usize), parts);))
        });
        quote!(match self { #(#arms)* })
    }

    fn restore_variant(&self, variants: &[Variant]) -> TokenStream {
        let arms = variants.iter().enumerate().map(|(k, v)| {
            let (k, name) = (syn::Index::from(k), &v.name);
            let value = self.restored(&v.fields, &quote!(Self::#name));
            quote!(#k => #value,)
        });
        quote! {
            match <usize as __d::Whole<__F>>::restore(parts) {
                #(#arms)*
                _ => ::core::unreachable!("the number of a variant"),
            }
        }
    }

    fn blank_variant(&self, variants: &[Variant]) -> TokenStream {
        let Some(v) = self.first_variant(variants) else {
            return quote!(::core::unreachable!("no value is of this type"));
        };
        let name = &v.name;
        self.blank(&v.fields, &quote!(Self::#name))
    }

    /// The first variant that holds no other value of the type.
    fn first_variant<'v>(&self, variants: &'v [Variant]) -> Option<&'v Variant> {
        let ends = |v: &&Variant| !v.fields.all.iter().any(|f| mentions(&f.ty, self.name));
        variants.iter().find(ends).or(variants.first())
    }

    fn same(&self, variants: &[Variant]) -> TokenStream {
        let shadow = &self.tangent;
        let arms = variants.iter().map(|v| {
            let (mine, theirs) = (pattern(&quote!(#shadow), v, "a"), pattern(&quote!(#shadow), v, "b"));
            let (a, b) = (v.fields.names("a"), v.fields.names("b"));
            quote!((#mine, #theirs) => true #(&& #a == #b)*,)
        });
        quote!(match (self, other) { #(#arms)* (#shadow::__Empty { .. }, #shadow::__Empty { .. }) => true, _ => false })
    }

    fn debug_enum(&self, variants: &[Variant]) -> TokenStream {
        let shadow = &self.tangent;
        let arms = variants.iter().map(|v| {
            let (name, names) = (v.name.to_string(), v.fields.names("a"));
            let body = match v.fields.style {
                Style::Named => {
                    let members = v.fields.all.iter().map(|f| match &f.member {
                        syn::Member::Named(name) => name.to_string(),
                        syn::Member::Unnamed(k) => k.index.to_string(),
                    });
                    quote!(f.debug_struct(#name) #(.field(#members, #names))* .finish())
                }
                Style::Unnamed => quote!(f.debug_tuple(#name) #(.field(#names))* .finish()),
                Style::Unit => quote!(f.write_str(#name)),
            };
            arm(&quote!(#shadow), v, "a", &body)
        });
        quote!(match self { #(#arms)* #shadow::__Empty { .. } => f.write_str("_") })
    }

    /// `fn __Circle_0(&self) -> &f64`: a member of a variant, of the value and of the shadow.
    pub fn accessors(&self, variants: &[Variant]) -> TokenStream {
        let (name, vis, space) = (self.name, self.vis, &self.space);
        let in_space = self.generics_in_space();
        let (all, _, bounds) = in_space.split_for_impl();
        let (generics, own, own_bounds) = self.generics.split_for_impl();
        let (shadow, tangent) = (&self.tangent, self.tangent_in(&quote!(#space)));
        let of_all = |what: TokenStream, ty: &dyn Fn(&Field) -> Option<TokenStream>| -> TokenStream {
            variants.iter().map(|v| each_accessor(vis, &what, v, ty)).collect()
        };
        let mine = of_all(quote!(Self), &|f| Some(f.ty.to_token_stream()));
        let theirs =
            of_all(quote!(#shadow), &|f| (!f.part.is_passive()).then(|| f.part.shadow(&f.ty, space, self.root)));
        quote! {
            impl #generics #name #own #own_bounds { #mine }
            impl #all #tangent #bounds { #theirs }
        }
    }
}

/// The variants of an enum, of the value or of its tangent: what stands in the arms of a `match`.
struct Arms<'v> {
    variants: &'v [Variant],
    of: TokenStream,
}

impl Arms<'_> {
    /// Field by field, in the variant of a value.
    fn of_value(&self, make: &Make<'_>) -> TokenStream {
        self.walk(&quote!(), false, make)
    }

    /// The same of a shadow, which may be empty.
    fn of_shadow(&self, make: &Make<'_>) -> TokenStream {
        let of = &self.of;
        self.walk(&quote!(#of::__Empty { .. } => {}), false, make)
    }

    /// The lengths in a value, its variant before them.
    fn shape(&self, make: &Make<'_>) -> TokenStream {
        self.walk(&quote!(), true, make)
    }

    /// The same of a shadow.
    fn shape_of_shadow(&self, make: &Make<'_>) -> TokenStream {
        let of = &self.of;
        self.walk(&quote!(#of::__Empty { .. } => {}), true, make)
    }

    fn walk(&self, last: &TokenStream, with_number: bool, make: &Make<'_>) -> TokenStream {
        let arms = self.variants.iter().enumerate().map(|(k, v)| {
            let (k, body) = (syn::Index::from(k), each(v, make));
            let note = with_number.then(|| quote!(dim(#k);));
            arm(&self.of, v, "a", &quote!(#note #body))
        });
        quote!(match self { #(#arms)* #last })
    }

    /// Field by field, of two shadows in the same variant.
    fn in_pairs(&self, make: &Make<'_>) -> TokenStream {
        let of = &self.of;
        let arms = self.variants.iter().map(|v| {
            let (mine, theirs, body) = (pattern(of, v, "a"), pattern(of, v, "b"), each(v, make));
            quote!((#mine, #theirs) => { #body })
        });
        quote! {
            match (self, other) {
                #(#arms)*
                (_, #of::__Empty { .. }) => {}
                _ => ::core::panic!("a shadow has the shape of its value"),
            }
        }
    }
}

/// Gives the buffers of a shadow back.
fn released(
    shadow: &Arms<'_>,
    from: &TokenStream,
    part: &dyn Fn(&syn::Type, &TokenStream) -> TokenStream,
) -> TokenStream {
    let of = &shadow.of;
    let arms = shadow.variants.iter().map(|v| {
        let body =
            v.fields.all.iter().zip(v.fields.names("a")).map(|(f, name)| f.part.each(&f.ty, &quote!(#name), part));
        arm(of, v, "a", &quote!(#(#body)*))
    });
    quote!(match #from { #(#arms)* #of::__Empty { .. } => {} })
}

/// What is done with a part of `a` and the same of `b`, of this type.
type Make<'a> = dyn Fn(&syn::Type, &TokenStream, &TokenStream) -> TokenStream + 'a;

/// For each part of a variant's fields, which are bound to `a0`, `a1`, .. and `b0`, `b1`, ..
fn each(variant: &Variant, make: &Make<'_>) -> TokenStream {
    let names = variant.fields.names("a").into_iter().zip(variant.fields.names("b"));
    let one = |(f, (a, b)): (&Field, (Ident, Ident))| {
        f.part.each(&f.ty, &quote!(), &|ty, steps| make(ty, &quote!((*#a)#steps), &quote!((*#b)#steps)))
    };
    variant.fields.all.iter().zip(names).map(one).collect()
}

fn pattern(of: &TokenStream, variant: &Variant, prefix: &str) -> TokenStream {
    let names: Vec<TokenStream> = variant.fields.names(prefix).iter().map(|name| quote!(#name)).collect();
    constructed(of, variant, &names)
}

fn constructed(of: &TokenStream, variant: &Variant, values: &[TokenStream]) -> TokenStream {
    let (name, fields) = (&variant.name, variant.fields.written(values));
    quote!(#of::#name #fields)
}

fn arm(of: &TokenStream, variant: &Variant, prefix: &str, body: &TokenStream) -> TokenStream {
    let pattern = pattern(of, variant, prefix);
    quote!(#pattern => { #body })
}

fn each_accessor(
    vis: &syn::Visibility,
    of: &TokenStream,
    variant: &Variant,
    ty: &dyn Fn(&Field) -> Option<TokenStream>,
) -> TokenStream {
    let missing = format!("the variant `{}`", variant.name);
    let one = |(k, f): (usize, &Field)| {
        let (ty, name, field) = (ty(f)?, accessor(&variant.name, &f.member), format_ident!("a{k}"));
        let (exclusive, pattern) = (format_ident!("{name}_mut"), pattern(of, variant, "a"));
        let found = quote!(match self { #pattern => #field, _ => ::core::unreachable!(#missing) });
        Some(quote! {
            #[doc(hidden)]
            #[inline]
            #vis fn #name(&self) -> &#ty { #found }
            #[doc(hidden)]
            #[inline]
            #vis fn #exclusive(&mut self) -> &mut #ty { #found }
        })
    };
    variant.fields.all.iter().enumerate().filter_map(one).collect()
}
