//! The types of expressions, as far as the text of a function and the definitions around it tell.

use super::of_std;
use super::scope::Scope;
use super::table::OwnFunction;
use super::types::TypeName;
use crate::frontend::syntax::writes::arguments;
use crate::frontend::unannotated::operator_trait;
use crate::support::syntax::strip_parens;
use syn::ext::IdentExt;

use TypeName::{Maybe, Named, Sequence, Tuple, Unknown, With};

impl Scope {
    /// The type of an expression.
    pub fn type_of(&self, e: &syn::Expr) -> TypeName {
        match strip_parens(e) {
            syn::Expr::Path(p) => self.path(&p.path),
            syn::Expr::Reference(r) => self.type_of(&r.expr),
            syn::Expr::Unary(u) => self.unary(u),
            syn::Expr::Field(f) => self.field(f),
            syn::Expr::Index(i) => self.index(i),
            syn::Expr::Call(c) => self.call(c),
            syn::Expr::MethodCall(m) => self.method(m),
            syn::Expr::Struct(s) => self.made_with(&s.path, s.fields.iter().map(|f| (&f.member, &f.expr))),
            syn::Expr::Array(a) => self.sequence(a.elems.first()),
            syn::Expr::Repeat(r) => self.sequence(Some(&r.expr)),
            syn::Expr::Tuple(t) => Tuple(t.elems.iter().map(|e| self.type_of(e)).collect()),
            syn::Expr::Binary(b) => self.binary(b),
            syn::Expr::Try(t) => self.type_of(&t.expr).item(),
            syn::Expr::Cast(c) => self.written(&c.ty),
            syn::Expr::Block(b) => self.block(&b.block),
            syn::Expr::If(i) => self.branches(i),
            syn::Expr::Match(m) => self.arms(m),
            syn::Expr::Lit(l) if matches!(l.lit, syn::Lit::Float(_)) => Named("f64".to_owned(), Vec::new()),
            syn::Expr::Macro(m) if m.mac.path.is_ident("vec") => {
                self.sequence(arguments(&m.mac).unwrap_or_default().first())
            }
            _ => Unknown,
        }
    }

    /// The function of a type, and the name of the type or trait that it is found at.
    pub fn function(&self, of: &TypeName, name: &str) -> Option<(String, &OwnFunction)> {
        let owners = match of {
            Named(owner, _) => self.around.bounds.get(owner).cloned().unwrap_or_else(|| vec![owner.clone()]),
            With(traits) => traits.clone(),
            _ => return None,
        };
        owners.into_iter().find_map(|owner| Some((owner.clone(), self.around.function(&owner, name)?)))
    }

    /// What a function of a type gives.
    fn given(&self, of: &TypeName, name: &str) -> Option<TypeName> {
        let (_, function) = self.function(of, name)?;
        let parts = |ty: &TypeName| match ty {
            Named(_, parts) => parts.clone(),
            _ => Vec::new(),
        };
        let (params, arguments) = (parts(&function.this), parts(of));
        let stands_for = |name: &str| match name {
            "Self" => Some(of.clone()),
            name if name.starts_with("Self::") => Some(Unknown),
            name if function.generics.iter().any(|g| g == name) => {
                let at = params.iter().position(|param| *param == Named(name.to_owned(), Vec::new()));
                Some(at.and_then(|at| arguments.get(at).cloned()).unwrap_or_default())
            }
            _ => None,
        };
        Some(function.gives.replaced(&stands_for))
    }

    fn path(&self, path: &syn::Path) -> TypeName {
        match path.get_ident() {
            Some(name) => self.get(&name.to_string()).cloned().unwrap_or_default(),
            None => self.variant(path).unwrap_or_default(),
        }
    }

    /// The type of `Type::Variant`.
    fn variant(&self, path: &syn::Path) -> Option<TypeName> {
        let of = self.owner(path)?;
        let Named(owner, _) = &of else { return None };
        let last = path.segments.last()?.ident.to_string();
        self.around.has_variant(owner, &last).then(|| of.clone())
    }

    /// The type whose function, or variant, a path names.
    fn owner(&self, path: &syn::Path) -> Option<TypeName> {
        let mut of = path.clone();
        of.segments.pop();
        of.segments.pop_punct();
        let ty = syn::TypePath { qself: None, path: of };
        (path.segments.len() > 1).then(|| self.written(&syn::Type::Path(ty)))
    }

    /// The type that `Type { .. }` or `Type(..)` makes.
    fn made(&self, path: &syn::Path) -> TypeName {
        let ty = syn::TypePath { qself: None, path: path.clone() };
        self.variant(path).unwrap_or_else(|| self.written(&syn::Type::Path(ty)))
    }

    /// The same, of these fields: they say what a generic type is of.
    fn made_with<'e>(
        &self,
        path: &syn::Path,
        fields: impl Iterator<Item = (&'e syn::Member, &'e syn::Expr)>,
    ) -> TypeName {
        match self.made(path) {
            Named(name, of) if of.is_empty() && self.around.is_generic(&name) => {
                let value = |(member, e): (&syn::Member, &syn::Expr)| {
                    let member = match member {
                        syn::Member::Named(name) => name.unraw().to_string(),
                        syn::Member::Unnamed(k) => k.index.to_string(),
                    };
                    (member, self.type_of(e))
                };
                let of = self.around.arguments(&name, &fields.map(value).collect::<Vec<_>>());
                Named(name, of)
            }
            ty => ty,
        }
    }

    fn unary(&self, u: &syn::ExprUnary) -> TypeName {
        let ty = self.type_of(&u.expr);
        match u.op {
            syn::UnOp::Neg(_) if !is_number(&ty) => self.given(&ty, "neg").unwrap_or_default(),
            _ => ty,
        }
    }

    fn binary(&self, b: &syn::ExprBinary) -> TypeName {
        let Some((_, name)) = operator_trait(&b.op) else { return Unknown };
        let left = self.type_of(&b.left);
        if !is_number(&left) {
            return self.given(&left, name).unwrap_or_default();
        }
        let right = self.type_of(&b.right);
        match is_number(&right) {
            true => left,
            false => self.given(&left, name).filter(|ty| *ty == right).unwrap_or_default(),
        }
    }

    fn field(&self, f: &syn::ExprField) -> TypeName {
        let of = self.type_of(&f.base);
        match (&of, &f.member) {
            (Tuple(all), syn::Member::Unnamed(k)) => all.get(k.index as usize).cloned().unwrap_or_default(),
            (_, syn::Member::Unnamed(k)) => self.around.field(&of, &k.index.to_string()).unwrap_or_default(),
            (_, syn::Member::Named(name)) => self.around.field(&of, &name.unraw().to_string()).unwrap_or_default(),
        }
    }

    fn index(&self, i: &syn::ExprIndex) -> TypeName {
        let of = self.type_of(&i.expr);
        match (of, strip_parens(&i.index)) {
            (of @ Sequence(_), syn::Expr::Range(_)) => of,
            (Sequence(element), _) => *element,
            _ => Unknown,
        }
    }

    fn sequence(&self, first: Option<&syn::Expr>) -> TypeName {
        Sequence(Box::new(first.map(|e| self.type_of(e)).unwrap_or_default()))
    }

    fn call(&self, c: &syn::ExprCall) -> TypeName {
        let syn::Expr::Path(p) = strip_parens(&c.func) else { return Unknown };
        let Some(last) = p.path.segments.last().filter(|_| p.qself.is_none()) else { return Unknown };
        let (name, first) =
            (last.ident.unraw().to_string(), || c.args.first().map(|e| self.type_of(e)).unwrap_or_default());
        if let Some(of) = self.owner(&p.path) {
            return match (&of, name.as_str()) {
                (_, "new" | "clone") if wraps(&p.path) => first(),
                (Sequence(_), _) => of,
                _ => self
                    .given(&of, &name)
                    .or_else(|| self.variant(&p.path))
                    .or_else(|| (name == "default" && c.args.is_empty()).then(|| of.clone()))
                    .unwrap_or_else(|| self.free(&p.path, &name)),
            };
        }
        match name.as_str() {
            _ if self.get(&name).is_some() => Unknown,
            "Some" | "Ok" => Maybe(Box::new(first())),
            name if name.starts_with(char::is_uppercase) => self.made(&p.path),
            name => self.free(&p.path, name),
        }
    }

    /// What a free function gives; one of a module, by its name alone.
    fn free(&self, path: &syn::Path, name: &str) -> TypeName {
        let of_type =
            path.segments.iter().nth_back(1).is_some_and(|of| of.ident.to_string().starts_with(char::is_uppercase));
        if of_type { Unknown } else { self.around.given(name).cloned().unwrap_or_default() }
    }

    fn method(&self, m: &syn::ExprMethodCall) -> TypeName {
        let (of, name) = (self.type_of(&m.receiver), m.method.unraw().to_string());
        self.given(&of, &name).unwrap_or_else(|| of_std::given(self, of, m))
    }

    fn block(&self, block: &syn::Block) -> TypeName {
        let mut inner = self.clone();
        for statement in &block.stmts {
            match statement {
                syn::Stmt::Local(local) => inner.local(local),
                syn::Stmt::Expr(e, None) => return inner.type_of(e),
                _ => {}
            }
        }
        Tuple(Vec::new())
    }

    /// The variables of a `let`.
    pub fn local(&mut self, local: &syn::Local) {
        let ty = local.init.as_ref().map(|init| self.type_of(&init.expr));
        self.bind(&local.pat, ty.unwrap_or_default());
    }

    fn branches(&self, i: &syn::ExprIf) -> TypeName {
        let mut inner = self.clone();
        inner.condition(&i.cond);
        match (inner.block(&i.then_branch), &i.else_branch) {
            (Unknown, Some((_, other))) => self.type_of(other),
            (ty, _) => ty,
        }
    }

    /// The variables of `if let` and `while let`.
    pub fn condition(&mut self, e: &syn::Expr) {
        match strip_parens(e) {
            syn::Expr::Let(l) => {
                let ty = self.type_of(&l.expr);
                self.bind(&l.pat, ty);
            }
            syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => {
                self.condition(&b.left);
                self.condition(&b.right);
            }
            _ => {}
        }
    }

    fn arms(&self, m: &syn::ExprMatch) -> TypeName {
        let ty = self.type_of(&m.expr);
        let arm = |arm: &syn::Arm| {
            let mut inner = self.clone();
            inner.bind(&arm.pat, ty.clone());
            inner.type_of(&arm.body)
        };
        m.arms.iter().map(arm).find(|ty| *ty != Unknown).unwrap_or_default()
    }

    /// What a closure gives, or a function that has a name.
    pub fn applied(&self, function: &syn::Expr, params: &[TypeName]) -> TypeName {
        match strip_parens(function) {
            syn::Expr::Closure(c) => {
                let mut inner = self.clone();
                inner.params(c, params);
                inner.type_of(&c.body)
            }
            syn::Expr::Path(p) => match (self.owner(&p.path), p.path.segments.last()) {
                (Some(of), Some(last)) => self.given(&of, &last.ident.to_string()).unwrap_or_default(),
                (None, Some(last)) if last.ident == "Some" => {
                    Maybe(Box::new(params.first().cloned().unwrap_or_default()))
                }
                (None, Some(last)) if last.ident.to_string().starts_with(char::is_uppercase) => self.made(&p.path),
                (None, Some(last)) => self.free(&p.path, &last.ident.to_string()),
                _ => Unknown,
            },
            _ => Unknown,
        }
    }

    /// The parameters of a closure.
    pub fn params(&mut self, closure: &syn::ExprClosure, params: &[TypeName]) {
        for (k, pattern) in closure.inputs.iter().enumerate() {
            self.bind(pattern, params.get(k).cloned().unwrap_or_default());
        }
    }
}

/// Whether a path is one of `Box::new` and its kind.
fn wraps(path: &syn::Path) -> bool {
    path.segments.iter().nth_back(1).is_some_and(|of| ["Box", "Rc", "Arc"].iter().any(|name| of.ident == name))
}

fn is_number(ty: &TypeName) -> bool {
    matches!(ty, Named(name, _) if name == "f64" || name == "f32")
}
