//! What written types say.

use crate::frontend::syntax::{bases, enum_types};
use crate::ir::{Base, FunctionType, Ty};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

const INTEGERS: &[&str] = &["i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];

const PASSIVE: &[&str] = &[
    "bool",
    "char",
    "str",
    "String",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "Range",
    "RangeInclusive",
    "PhantomData",
    "Ordering",
    "HashMap",
    "BTreeMap",
    "HashSet",
    "BTreeSet",
    "Instant",
    "Duration",
];

/// Whether this is the name of an integer type.
pub fn is_integer_type(name: &str) -> bool {
    INTEGERS.contains(&name)
}

/// The names that people give to a float type: `type Real = f64`. rustc confirms them.
const FLOAT_NAMES: &[&str] = &["Real", "Float", "Scalar", "Flt"];

/// Whether a path is a name for a float type, as far as the name tells.
pub fn is_float_name(name: &Ident) -> bool {
    FLOAT_NAMES.iter().any(|float| name == float)
}

/// The same for a path.
pub fn is_float_path(path: &syn::Path) -> bool {
    path.get_ident().is_some_and(is_float_name)
}

/// What a signature says of the result.
pub fn result(signature: &syn::Signature, base: &Base) -> Ty {
    match &signature.output {
        syn::ReturnType::Default => Ty::Tuple(Vec::new()),
        syn::ReturnType::Type(_, ty) => describe(ty, base),
    }
}

/// The structure of a written type. A container of passive elements keeps its structure here;
/// [`is_passive`] tells.
pub fn describe(ty: &syn::Type, base: &Base) -> Ty {
    match ty {
        syn::Type::Reference(r) => describe(&r.elem, base),
        syn::Type::Paren(p) => describe(&p.elem, base),
        syn::Type::Group(g) => describe(&g.elem, base),
        syn::Type::Array(a) => Ty::Array(Box::new(describe(&a.elem, base))),
        syn::Type::Slice(s) => Ty::Slice(Box::new(describe(&s.elem, base))),
        syn::Type::Tuple(t) => Ty::Tuple(t.elems.iter().map(|e| describe(e, base)).collect()),
        syn::Type::Path(p) => describe_path(&p.path, base),
        syn::Type::BareFn(_) | syn::Type::Never(_) => Ty::Passive,
        _ if is_function(ty, &syn::Generics::default()) => Ty::Passive,
        _ => Ty::Unknown,
    }
}

fn describe_path(path: &syn::Path, base: &Base) -> Ty {
    let Some(last) = path.segments.last() else { return Ty::Unknown };
    let (Base::Concrete(float) | Base::Generic(float)) = base;
    let of_a_type = bases::is_of_a_type(base) && (path.is_ident("f64") || path.is_ident("f32"));
    if last.ident == *float || of_a_type || is_float_path(path) && matches!(base, Base::Concrete(_)) {
        return Ty::Float;
    }
    if is_passive_name(path) || bases::is_fixed(path, base) {
        return Ty::Passive;
    }
    match (last.ident.to_string().as_str(), first_argument(last)) {
        ("Vec", Some(inner)) => match describe(inner, base) {
            Ty::Unknown if matches!(inner, syn::Type::Infer(_)) => Ty::Vec(Box::new(Ty::Unknown)),
            inner => Ty::Vec(Box::new(inner)),
        },
        (name, Some(inner)) if is_library(name) && describe(inner, base) == Ty::Float => Ty::Library,
        ("Option" | "Box" | "Rc" | "Arc", Some(inner)) if is_passive(&describe(inner, base)) => Ty::Passive,
        _ => Ty::Unknown,
    }
}

/// The same of a variable's type: derivatives may flow into a table of numbers, or a span of time, that an active value makes. As a
/// parameter's type these are constant.
pub fn describe_variable(ty: &syn::Type, base: &Base) -> Ty {
    if hides_numbers(ty, base) { Ty::Unknown } else { describe(ty, base) }
}

/// Whether a type that counts as constant holds numbers, or something in it does.
fn hides_numbers(ty: &syn::Type, base: &Base) -> bool {
    const CONTAINERS: &[&str] = &["HashMap", "BTreeMap", "HashSet", "BTreeSet", "Range", "RangeInclusive"];
    const TIMES: &[&str] = &["Duration", "Instant"];
    any_path(ty, &|path| {
        path.segments.last().is_some_and(|last| {
            let container = CONTAINERS.iter().any(|name| last.ident == name);
            let hides = |ty: &syn::Type| hides_numbers(ty, base) || container && !is_passive(&describe(ty, base));
            TIMES.iter().any(|name| last.ident == name) || arguments(last).any(hides)
        })
    })
}

/// Whether any of the named types that a type is written with is one of these: behind references, as elements, as members.
fn any_path(ty: &syn::Type, is_one: &impl Fn(&syn::Path) -> bool) -> bool {
    match ty {
        syn::Type::Reference(r) => any_path(&r.elem, is_one),
        syn::Type::Paren(p) => any_path(&p.elem, is_one),
        syn::Type::Group(g) => any_path(&g.elem, is_one),
        syn::Type::Array(a) => any_path(&a.elem, is_one),
        syn::Type::Slice(s) => any_path(&s.elem, is_one),
        syn::Type::Tuple(t) => t.elems.iter().any(|ty| any_path(ty, is_one)),
        syn::Type::Path(p) => is_one(&p.path),
        _ => false,
    }
}

/// Whether a path ends in the name of a type of std that carries no derivative.
pub fn is_passive_name(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|last| PASSIVE.iter().any(|p| last.ident == p)) || is_enum_without_floats(path)
}

/// Whether a type is an enum whose variants hold no floats.
pub fn is_enum_without_floats(path: &syn::Path) -> bool {
    path.get_ident().is_some_and(|name| enum_types::has_no_floats(&name.to_string()))
}

/// Whether a type is an integer, a `bool` or a `char`.
pub fn is_passive_scalar(ty: &syn::Type) -> bool {
    let syn::Type::Path(p) = ty else { return false };
    let name = p.path.get_ident().map(Ident::to_string).unwrap_or_default();
    let is_integer = name.strip_prefix(['i', 'u']).is_some_and(|width| width == "size" || width.parse::<u8>().is_ok());
    is_integer && is_passive_name(&p.path) || name == "bool" || name == "char"
}

/// Whether a type is a list of these: `Vec<usize>`, `[bool; 3]`.
pub fn is_list_of_scalars(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Array(a) => is_passive_scalar(&a.elem),
        syn::Type::Path(p) => match p.path.segments.last().filter(|last| last.ident == "Vec") {
            Some(last) => first_argument(last).is_some_and(is_passive_scalar),
            None => false,
        },
        _ => false,
    }
}

/// Whether a type of this name is an array of a library: of `ndarray`, or of `nalgebra` where that is asked for.
pub fn is_library(name: &str) -> bool {
    let of_nalgebra = || {
        ["DMatrix", "DVector", "RowDVector", "SMatrix", "SVector", "OMatrix", "OVector"].contains(&name)
            || ["Matrix", "Vector", "RowVector"].iter().any(|plain| is_sized(name, plain, 1))
    };
    is_of_ndarray(name) || cfg!(feature = "nalgebra") && of_nalgebra()
}

/// Whether a type of this name is an array or a view of `ndarray`.
pub fn is_of_ndarray(name: &str) -> bool {
    ["ArrayD", "ArrayViewD", "ArrayViewMutD"].contains(&name)
        || ["Array", "ArrayView", "ArrayViewMut"].iter().any(|plain| is_sized(name, plain, 0))
}

/// Whether a name is another one with a size of some letters behind it.
fn is_sized(name: &str, plain: &str, least: usize) -> bool {
    let size = name.strip_prefix(plain);
    size.is_some_and(|size| size.len() >= least && size.bytes().all(|b| b.is_ascii_digit() || b == b'x'))
}

/// `ArrayView1<f64>` as `ArrayView1<'_, f64>`, `Box<dyn Fn(f64)>` as `Box<dyn Fn(f64) + '_>`: generated code has types in places where lifetimes cannot be left out.
pub fn with_lifetime(ty: &syn::Type) -> syn::Type {
    let mut ty = ty.clone();
    if let syn::Type::Path(p) = &mut ty
        && let Some(last) = p.path.segments.last_mut()
        && last.ident.to_string().starts_with("ArrayView")
        && let syn::PathArguments::AngleBracketed(args) = &mut last.arguments
        && !args.args.iter().any(|a| matches!(a, syn::GenericArgument::Lifetime(_)))
    {
        args.args.insert(0, syn::parse_quote!('_));
    }
    if let syn::Type::Path(p) = &mut ty
        && let Some(syn::Type::TraitObject(object)) = boxed_mut(p)
        && !object.bounds.iter().any(|b| matches!(b, syn::TypeParamBound::Lifetime(_)))
    {
        object.bounds.push(syn::parse_quote!('_));
    }
    ty
}

/// Whether a function mentions arrays of a library: by their types, the library's name, or what makes them.
pub fn mentions_library(tokens: TokenStream) -> bool {
    const NAMES: &[&str] = &["ndarray", "arr1", "arr2", "Axis"];
    const METHODS: &[&str] = &[
        "mapv",
        "mapv_into",
        "mapv_inplace",
        "map_axis",
        "sum_axis",
        "mean_axis",
        "var_axis",
        "std_axis",
        "index_axis",
        "outer_iter",
        "outer_iter_mut",
        "axis_iter",
        "axis_iter_mut",
        "into_shape_with_order",
    ];
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_dot = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == '.');
    let is_macro = |at: usize| {
        let bang = matches!(trees.get(at + 1), Some(TokenTree::Punct(p)) if p.as_char() == '!');
        bang && matches!(trees.get(at + 2), Some(TokenTree::Group(_)))
    };
    trees.iter().enumerate().any(|(at, tree)| match tree {
        TokenTree::Ident(name) => {
            let text = name.to_string();
            is_library(&text)
                || NAMES.contains(&text.as_str())
                || METHODS.contains(&text.as_str()) && at > 0 && is_dot(&trees[at - 1])
                || ["array", "s", "azip"].contains(&text.as_str()) && is_macro(at)
        }
        TokenTree::Group(group) => mentions_library(group.stream()),
        _ => false,
    })
}

/// Whether a type of numbers has a part whose name says nothing: an alias, or a type of the user's.
pub fn has_alias(ty: &syn::Type, base: &Base) -> bool {
    any_path(ty, &|path| match path.segments.last() {
        Some(last) if last.ident == "Vec" => first_argument(last).is_some_and(|ty| has_alias(ty, base)),
        _ => describe_path(path, base) == Ty::Unknown,
    })
}

/// The type of the elements of a slice, an array or a `Vec`.
pub fn described_element(ty: &syn::Type) -> Option<&syn::Type> {
    match ty {
        syn::Type::Slice(s) => Some(&s.elem),
        syn::Type::Array(a) => Some(&a.elem),
        syn::Type::Path(p) if p.qself.is_none() && p.path.segments.len() == 1 => {
            p.path.segments.first().filter(|only| only.ident == "Vec").and_then(first_argument)
        }
        _ => None,
    }
}

/// `T` of `Name<T>`.
pub fn first_argument(segment: &syn::PathSegment) -> Option<&syn::Type> {
    arguments(segment).next()
}

/// A type that carries no derivative whatever it holds: a `Cow`, or what changes though it is shared. Behind references and owners, too.
pub fn holder(ty: &syn::Type) -> Option<&Ident> {
    const HOLDERS: &[&str] = &["Cow", "RefCell", "Cell", "OnceCell", "Mutex", "RwLock", "OnceLock"];
    match ty {
        syn::Type::Reference(r) => holder(&r.elem),
        syn::Type::Path(p) => {
            let last = p.path.segments.last()?;
            let is_owner = ["Rc", "Arc", "Box"].iter().any(|owner| last.ident == owner);
            match first_argument(last)? {
                _ if HOLDERS.iter().any(|name| last.ident == name) => Some(&last.ident),
                inner if is_owner => holder(inner),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `T` and `U` of `Name<T, U>`.
pub fn arguments(segment: &syn::PathSegment) -> impl Iterator<Item = &syn::Type> {
    let args = match &segment.arguments {
        syn::PathArguments::AngleBracketed(args) => Some(&args.args),
        _ => None,
    };
    args.into_iter().flatten().filter_map(|a| match a {
        syn::GenericArgument::Type(t) => Some(t),
        _ => None,
    })
}

/// `T` of `Option<T>`.
pub fn option_of(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(p) = ty else { return None };
    let last = p.path.segments.last()?;
    (last.ident == "Option").then(|| first_argument(last)).flatten()
}

/// `T` of `Option<T>` and of `Result<T, E>`.
pub fn carried(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(p) = ty else { return None };
    let last = p.path.segments.last()?;
    (last.ident == "Option" || last.ident == "Result").then(|| first_argument(last)).flatten()
}

/// `E` of `Result<T, E>`.
pub fn error_of(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(p) = ty else { return None };
    (p.path.segments.last()?.ident == "Result").then(|| error_of_path(&p.path)).flatten()
}

/// `E` of `Ok::<T, E>` and of `Result::<T, E>::Ok`.
pub fn error_of_path(path: &syn::Path) -> Option<&syn::Type> {
    let args = path.segments.iter().rev().take(2).find_map(|s| match &s.arguments {
        syn::PathArguments::AngleBracketed(args) => Some(args),
        _ => None,
    })?;
    let mut types =
        args.args.iter().filter_map(|arg| if let syn::GenericArgument::Type(t) = arg { Some(t) } else { None });
    types.nth(1)
}

/// Whether a result is no number, and is none where it is there: `bool`, `Result<(), E>`, `Option<usize>`; nothing at all is none.
pub fn is_answer(ty: &syn::Type, base: &Base) -> bool {
    let shape = describe(ty, base);
    let unit = matches!(&shape, Ty::Tuple(all) if all.is_empty());
    !unit && is_passive(&shape) || is_unit_carried(ty) || carried(ty).is_some_and(|ty| is_passive(&describe(ty, base)))
}

/// `Option<()>`, `Result<(), E>`.
pub fn is_unit_carried(ty: &syn::Type) -> bool {
    matches!(carried(ty), Some(syn::Type::Tuple(t)) if t.elems.is_empty())
}

/// Whether a type has a name: a struct, an enum, an array of a library.
pub fn is_named(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(_))
}

/// The named type that a shared reference leads to.
pub fn reference_to_named(ty: &syn::Type) -> Option<&syn::Type> {
    match ty {
        syn::Type::Reference(r) if r.mutability.is_none() && is_named(&r.elem) => Some(&r.elem),
        _ => None,
    }
}

/// The type of a tuple's member, as it is written.
pub fn written_member(ty: &syn::Type, at: usize) -> Option<&syn::Type> {
    match ty {
        syn::Type::Tuple(t) => t.elems.get(at),
        syn::Type::Paren(p) => written_member(&p.elem, at),
        _ => None,
    }
}

/// Whether a value of this type can carry no derivative.
pub fn is_passive(ty: &Ty) -> bool {
    match ty {
        Ty::Passive => true,
        Ty::Float | Ty::Struct(_) | Ty::Unknown | Ty::Library => false,
        Ty::Vec(t) | Ty::Array(t) | Ty::Slice(t) => is_passive(t),
        Ty::Tuple(all) => all.iter().all(is_passive),
    }
}

/// `impl Fn`, `dyn Fn`, `fn`, and a type parameter with such a bound.
pub fn is_function(ty: &syn::Type, generics: &syn::Generics) -> bool {
    match ty {
        syn::Type::ImplTrait(t) => t.bounds.iter().any(is_function_trait),
        syn::Type::TraitObject(t) => t.bounds.iter().any(is_function_trait),
        syn::Type::Reference(r) => is_function(&r.elem, generics),
        syn::Type::Paren(p) => is_function(&p.elem, generics),
        syn::Type::BareFn(_) => true,
        syn::Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Box") => {
            boxed(p).is_some_and(|inner| is_function(inner, generics))
        }
        syn::Type::Path(p) => p.path.get_ident().is_some_and(|name| is_function_parameter(name, generics)),
        _ => false,
    }
}

/// What is written of a parameter that is a function: of its arguments, and of what it gives.
pub fn function_type(ty: &syn::Type, generics: &syn::Generics, base: &Base) -> Option<FunctionType> {
    let written = match ty {
        syn::Type::Reference(r) => return function_type(&r.elem, generics, base),
        syn::Type::Paren(p) => return function_type(&p.elem, generics, base),
        syn::Type::ImplTrait(t) => t.bounds.iter().find_map(signature_of),
        syn::Type::TraitObject(t) => t.bounds.iter().find_map(signature_of),
        syn::Type::BareFn(f) => Some((f.inputs.iter().map(|i| i.ty.clone()).collect(), given(&f.output))),
        syn::Type::Path(p) => match boxed(p) {
            Some(inner) => return function_type(inner, generics, base),
            None => bounds_of(p.path.get_ident()?, generics).find_map(signature_of),
        },
        _ => None,
    };
    let (inputs, output) = written?;
    let carries = |ty: &syn::Type| !is_passive(&describe(ty, base));
    let fills = |ty: &syn::Type| matches!(ty, syn::Type::Reference(r) if r.mutability.is_some() && carries(ty));
    let followed = carries(&output) || inputs.iter().any(fills);
    Some(FunctionType { inputs, output, followed, asked: false })
}

/// Whether a type is a `Box`.
pub fn is_boxed(ty: &TokenStream) -> bool {
    matches!(syn::parse2(ty.clone()), Ok(syn::Type::Path(p)) if boxed(&p).is_some())
}

/// Whether a type is `Box<[T]>`, which is a `Vec` here.
pub fn is_boxed_slice(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(p) if matches!(boxed(p), Some(syn::Type::Slice(_))))
}

/// `T` of `Box<T>`.
fn boxed(p: &syn::TypePath) -> Option<&syn::Type> {
    let last = p.path.segments.last().filter(|s| s.ident == "Box")?;
    let syn::PathArguments::AngleBracketed(list) = &last.arguments else { return None };
    match list.args.first()? {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

fn boxed_mut(p: &mut syn::TypePath) -> Option<&mut syn::Type> {
    let last = p.path.segments.last_mut().filter(|s| s.ident == "Box")?;
    let syn::PathArguments::AngleBracketed(list) = &mut last.arguments else { return None };
    match list.args.first_mut()? {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

fn signature_of(bound: &syn::TypeParamBound) -> Option<(Vec<syn::Type>, syn::Type)> {
    let syn::TypeParamBound::Trait(bound) = bound else { return None };
    match &bound.path.segments.last()?.arguments {
        syn::PathArguments::Parenthesized(p) => Some((p.inputs.iter().cloned().collect(), given(&p.output))),
        _ => None,
    }
}

fn given(output: &syn::ReturnType) -> syn::Type {
    match output {
        syn::ReturnType::Default => syn::parse_quote!(()),
        syn::ReturnType::Type(_, ty) => (**ty).clone(),
    }
}

fn is_function_trait(bound: &syn::TypeParamBound) -> bool {
    let syn::TypeParamBound::Trait(bound) = bound else { return false };
    bound.path.segments.last().is_some_and(|s| ["Fn", "FnMut", "FnOnce"].iter().any(|f| s.ident == f))
}

/// Whether a type parameter is bounded by `Fn` or its kin.
pub fn is_function_parameter(name: &Ident, generics: &syn::Generics) -> bool {
    bounds_of(name, generics).any(is_function_trait)
}

/// The bounds of a type parameter, wherever they are written.
pub fn bounds_of<'a>(name: &'a Ident, generics: &'a syn::Generics) -> impl Iterator<Item = &'a syn::TypeParamBound> {
    let inline = generics.type_params().filter(move |p| p.ident == *name).flat_map(|p| &p.bounds);
    let clauses = generics.where_clause.iter().flat_map(|w| &w.predicates).filter_map(|p| match p {
        syn::WherePredicate::Type(p) => Some(p),
        _ => None,
    });
    let own = move |p: &&syn::PredicateType| matches!(&p.bounded_ty, syn::Type::Path(t) if t.path.is_ident(name));
    inline.chain(clauses.filter(own).flat_map(|p| &p.bounds))
}

/// The element of a sequence.
pub fn element(ty: &Ty) -> Ty {
    match ty {
        Ty::Vec(t) | Ty::Array(t) | Ty::Slice(t) => (**t).clone(),
        Ty::Passive => Ty::Passive,
        Ty::Library => Ty::Float,
        _ => Ty::Unknown,
    }
}

/// Whether `value[k]` is known to be an element.
pub fn is_sequence(ty: &Ty) -> bool {
    matches!(ty, Ty::Vec(_) | Ty::Array(_) | Ty::Slice(_))
}

/// A type as it may stand in generated code, where references in arrays are copies of what they refer to.
pub fn written(ty: Option<&syn::Type>) -> Option<TokenStream> {
    ty.filter(|ty| !holds_references(ty)).map(|ty| quote!(#ty))
}

fn holds_references(ty: &syn::Type) -> bool {
    let element = |ty: &syn::Type| matches!(ty, syn::Type::Reference(_)) || holds_references(ty);
    match ty {
        syn::Type::Array(a) => element(&a.elem),
        syn::Type::Slice(s) => element(&s.elem),
        syn::Type::Tuple(t) => t.elems.iter().any(element),
        syn::Type::Path(p) => match p.path.segments.last().map(|last| &last.arguments) {
            Some(syn::PathArguments::AngleBracketed(args)) => {
                args.args.iter().any(|a| matches!(a, syn::GenericArgument::Type(ty) if element(ty)))
            }
            _ => false,
        },
        _ => false,
    }
}

/// What is known if either is known.
pub fn join(a: Ty, b: Ty) -> Ty {
    match (a, b) {
        (Ty::Unknown, t) | (t, Ty::Unknown) => t,
        (Ty::Passive, t) | (t, Ty::Passive) => t,
        (Ty::Vec(a), Ty::Vec(b)) => Ty::Vec(Box::new(join(*a, *b))),
        (Ty::Array(a), Ty::Array(b)) => Ty::Array(Box::new(join(*a, *b))),
        (Ty::Slice(a), Ty::Slice(b)) => Ty::Slice(Box::new(join(*a, *b))),
        (Ty::Struct(mut a), Ty::Struct(b)) => {
            for (name, ty) in b {
                let known = a.remove(&name).unwrap_or(Ty::Unknown);
                a.insert(name, join(known, ty));
            }
            Ty::Struct(a)
        }
        (Ty::Tuple(a), Ty::Tuple(b)) if a.len() == b.len() => {
            Ty::Tuple(a.into_iter().zip(b).map(|(a, b)| join(a, b)).collect())
        }
        (a, _) => a,
    }
}

/// The type behind a reference.
pub fn without_reference(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Reference(r) => &r.elem,
        ty => ty,
    }
}
