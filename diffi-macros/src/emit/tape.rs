//! Loops with records, and the tape.

use super::Emit;
use crate::ir::*;
use crate::table::{Role, is_mixed};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The values of a record by the stack they lie on.
struct Stacks {
    floats: Vec<Var>,
    words: Vec<Var>,
    tangents: Vec<Var>,
}

impl Emit<'_> {
    fn stacks(&self, record: &Record) -> Stacks {
        let (tangents, floats) = record.floats.iter().partition(|v| self.table.role(**v) == Role::Dot);
        Stacks { floats, words: record.words.clone(), tangents }
    }

    fn all_names(&self, vars: &[Var]) -> Vec<Ident> {
        vars.iter().map(|v| self.name(*v)).collect()
    }

    /// A variable where it is declared.
    fn bound(&self, var: Var) -> TokenStream {
        let (name, mutable) = (self.name(var), self.changed.contains(&var).then(|| quote!(mut)));
        quote!(#mutable #name)
    }

    fn kin(&self, var: Var) -> Ident {
        format_ident!("kin_{}", self.name(self.table.origin(var)))
    }

    /// The tokens that tie the type of a word that is kept to the one that is read back.
    pub fn kins(&self, blocks: &[&Block]) -> TokenStream {
        let mut vars = Vec::new();
        blocks.iter().for_each(|b| words(b, &mut vars));
        vars.iter_mut().for_each(|v| *v = self.table.origin(*v));
        vars.sort();
        vars.dedup();
        let kins = vars.iter().map(|v| self.kin(*v));
        quote!(#(let #kins = __d::Kin::new();)*)
    }

    fn word_values(&self, vars: &[Var]) -> Vec<TokenStream> {
        vars.iter()
            .map(|v| {
                let (kin, name) = (self.kin(*v), self.name(*v));
                quote!(#kin.save(#name))
            })
            .collect()
    }

    fn word_loads(&self, vars: &[Var], words: &[Ident]) -> TokenStream {
        let loads = vars.iter().zip(words).map(|(v, word)| {
            let (kin, name) = (self.kin(*v), self.bound(*v));
            quote!(let #name = #kin.load(#word);)
        });
        quote!(#(#loads)*)
    }

    /// Pushes a record.
    pub fn save(&self, record: &Record) -> TokenStream {
        let Stacks { floats, words, tangents } = self.stacks(record);
        let (floats, tangents) = (self.all_names(&floats), self.all_names(&tangents));
        let wholes = record.wholes.iter().map(|v| {
            let (kin, value) = (self.kin(*v), self.place(&Place::var(*v)));
            quote!(#kin.keep(&#value, &mut __d::Parts::new(&mut ws.floats, &mut ws.words, &mut ws.base));)
        });
        let whole_dots = record.whole_dots.iter().map(|(dot, _)| {
            let dot = self.place(&Place::var(*dot));
            quote!(__d::keep_shadow::<Space, _>(&#dot, &mut ws.tangents);)
        });
        let floats = (!floats.is_empty()).then(|| quote!(ws.floats.push([#(#floats),*]);));
        let tangents = (!tangents.is_empty()).then(|| quote!(ws.tangents.push([#(#tangents),*]);));
        let values = self.word_values(&words);
        let words = (!words.is_empty()).then(|| quote!(ws.words.push([#(#values),*]);));
        quote!(#(#wholes)* #(#whole_dots)* #floats #tangents #words)
    }

    /// Pops a record.
    pub fn restore(&self, record: &Record) -> TokenStream {
        let Stacks { floats, words, tangents } = self.stacks(record);
        let bound = |vars: &[Var]| vars.iter().map(|v| self.bound(*v)).collect::<Vec<_>>();
        let (floats, tangents) = (bound(&floats), bound(&tangents));
        let names = word_names(words.len());
        let loads = self.word_loads(&words, &names);
        let words = (!words.is_empty()).then(|| quote!(let [#(#names),*] = ws.words.pop(); #loads));
        let tangents = (!tangents.is_empty()).then(|| quote!(let [#(#tangents),*] = ws.tangents.pop();));
        let floats = (!floats.is_empty()).then(|| quote!(let [#(#floats),*] = ws.floats.pop();));
        let wholes = record.wholes.iter().rev().map(|v| {
            let (name, kin) = (self.name(*v), self.kin(*v));
            let parts = quote!(&mut __d::Parts::new(&mut ws.floats, &mut ws.words, &mut ws.base));
            match record.into.contains(v) {
                true => quote!(#kin.restore_into(&mut #name, #parts);),
                false => {
                    let mutable = self.changed.contains(v).then(|| quote!(mut));
                    quote!(let #mutable #name = #kin.restore(#parts);)
                }
            }
        });
        let whole_dots = record.whole_dots.iter().rev().map(|(dot, of)| {
            let (name, like) = (self.name(*dot), Like::Value(Place::var(*of)));
            let of = self.name(*of);
            if is_mixed(self.table.ty(*dot)) {
                let zero = self.shadow(*dot, &like);
                return quote!(#zero __d::restore_numbers::<Space, _>(&mut #name, &mut ws.tangents););
            }
            match record.into.contains(dot) {
                true => quote!(__d::restore_shadow_into(&mut #name, #of.len(), &mut ws.tangents);),
                false => {
                    let mutable = self.changed.contains(dot).then(|| quote!(mut));
                    quote!(let #mutable #name = __d::restore_shadow(&#of, &mut ws.tangents, &mut ws.shadows);)
                }
            }
        });
        quote!(#words #tangents #floats #(#wholes)* #(#whole_dots)*)
    }

    /// Writes this trip's record.
    pub fn keep(&self, record: &Record) -> TokenStream {
        let Stacks { floats, words, tangents } = self.stacks(record);
        let (floats, tangents) = (self.all_names(&floats), self.all_names(&tangents));
        let values = self.word_values(&words);
        let floats = (!floats.is_empty()).then(|| quote!(*rec = [#(#floats),*];));
        let tangents = (!tangents.is_empty()).then(|| quote!(*dots = [#(#tangents),*];));
        let words = (!words.is_empty()).then(|| quote!(*words = [#(#values),*];));
        quote!(#floats #tangents #words)
    }

    /// Reads this trip's record.
    pub fn replay(&self, record: &Record) -> TokenStream {
        let Stacks { floats, words, tangents } = self.stacks(record);
        let (floats, tangents) = (self.all_names(&floats), self.all_names(&tangents));
        let names = word_names(words.len());
        let loads = self.word_loads(&words, &names);
        let floats = (!floats.is_empty()).then(|| quote!(let [#(#floats),*] = *rec;));
        let tangents = (!tangents.is_empty()).then(|| quote!(let [#(#tangents),*] = *dots;));
        let words = (!words.is_empty()).then(|| quote!(let [#(#names),*] = *words; #loads));
        quote!(#floats #tangents #words)
    }

    /// A counted loop.
    pub fn counted(&self, on: &For, with: Option<&Loop>) -> TokenStream {
        let trips = with.and_then(|l| l.trips);
        let range = self.range(on, trips);
        let var = self.name(on.var);
        let body = self.block(&on.body);
        let leave = on.until.map(|flag| {
            let flag = self.name(flag);
            quote!(if #flag { break; })
        });
        if let Some(l) = with.filter(|l| !l.lanes.is_empty()) {
            return self.in_lanes(l);
        }
        let Some((l, widths)) = with.and_then(|l| Some((l, l.record?))) else {
            return quote!(for #var in #range { #body #leave });
        };
        let (open, lists) = self.open(on, widths, l.sweep != LoopSweep::Forward);
        let zipped = lists.iter().fold((quote!(#var), range), |(pattern, iter), (name, list)| {
            let records = match l.sweep {
                LoopSweep::Forward => quote!(#list.iter_mut()),
                LoopSweep::Again => quote!(#list.iter()),
                LoopSweep::Back => quote!(#list.iter().rev()),
            };
            (quote!((#pattern, #name)), quote!(#iter.zip(#records)))
        });
        let (pattern, iter) = zipped;
        quote!(#open for #pattern in #iter { #body #leave })
    }

    /// A counted loop that makes sums in several parts at once.
    fn in_lanes(&self, l: &Loop) -> TokenStream {
        let (range, var, lo) = (self.range(&l.on, None), self.name(l.on.var), self.opaque(&l.on.lo));
        let body = self.block(&l.on.body);
        let sums: Vec<Ident> = l.lanes.iter().map(|v| self.name(*v)).collect();
        let parts: Vec<Ident> = sums.iter().map(|name| format_ident!("{name}_part")).collect();
        let (open, lists) = match l.record {
            Some(widths) => self.open(&l.on, widths, l.sweep != LoopSweep::Forward),
            None => Default::default(),
        };
        let names: Vec<&Ident> = lists.iter().map(|(name, _)| name).collect();
        let records: Vec<&Ident> = lists.iter().map(|(_, list)| list).collect();
        let at = if lo.to_string() == "0" { quote!(#var) } else { quote!(#var - (#lo)) };
        quote! {
            {
                #open
                let [#(#parts),*] = __d::in_lanes(#range, |#var, [#(mut #sums),*]| {
                    #(let #names = &#records[#at];)*
                    #body
                    [#(#sums),*]
                });
                #(#sums += #parts;)*
            }
        }
    }

    fn range(&self, on: &For, trips: Option<Var>) -> TokenStream {
        let (lo, hi) = (self.opaque(&on.lo), self.opaque(&on.hi));
        let range = if on.inclusive { quote!((#lo..=#hi)) } else { quote!((#lo..#hi)) };
        let step = on.step.as_ref().map(|s| {
            let s = self.opaque(s);
            quote!(.step_by(#s))
        });
        if let Some(trips) = trips {
            let trips = self.name(trips);
            // the primal's direction first, then back from where it stopped
            let primal = (!on.down).then(|| quote!(.rev()));
            return quote!(#range #step #primal.take(#trips).rev());
        }
        let down = on.down.then(|| quote!(.rev()));
        let bare = step.is_none() && down.is_none() && !on.inclusive;
        if bare { quote!((#lo..#hi)) } else { quote!(#range #step #down) }
    }

    /// The blocks of records of a loop: `let block = ws.floats.block::<3>(trips);`.
    fn open(&self, on: &For, widths: Widths, pop: bool) -> (TokenStream, Vec<(Ident, Ident)>) {
        let up = For { down: false, ..on.clone() };
        let range = self.range(&up, None);
        let method = if pop { format_ident!("unblock") } else { format_ident!("block") };
        let mut open = quote!(let count = #range.size_hint().0;);
        let mut lists = Vec::new();
        let stacks =
            [("rec", "floats", widths.floats), ("dots", "tangents", widths.tangents), ("words", "words", widths.words)];
        for (name, stack, width) in stacks.into_iter().filter(|(_, _, width)| *width > 0) {
            let (list, stack) = (format_ident!("{name}_block"), format_ident!("{stack}"));
            open.extend(quote!(let #list = ws.#stack.#method::<#width>(count);));
            lists.push((format_ident!("{name}"), list));
        }
        (open, lists)
    }
}

fn word_names(count: usize) -> Vec<Ident> {
    (0..count).map(|k| format_ident!("word_{k}")).collect()
}

/// The words (and wholes) that a block keeps.
fn words(block: &Block, found: &mut Vec<Var>) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::Derived(Derived::Save(r) | Derived::Keep(r) | Derived::Restore(r) | Derived::Replay(r)) => {
                found.extend(r.words.iter().chain(&r.wholes));
            }
            Stmt::Derived(Derived::Loop(l)) => words(&l.on.body, found),
            Stmt::Derived(Derived::Guard { body, .. } | Derived::Times { body, .. }) => words(body, found),
            other => crate::walk::blocks(other).into_iter().for_each(|b| words(b, found)),
        }
    }
}
