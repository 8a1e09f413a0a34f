//! What a rule gives, with its fragments in place.

use super::matching::{Binding, Bindings};
use super::pieces::Piece;
use super::rules::Part;
use super::variables::Marker;
use proc_macro2::{Group, TokenStream, TokenTree};

/// The tokens of a rule's body. Its own words are marked, and stand where the macro is called.
pub fn transcribed(body: &[Part], bindings: &Bindings, mut marker: Marker<'_>) -> Option<TokenStream> {
    let mut out = Vec::new();
    add(body, bindings, &mut marker, &mut out)?;
    Some(out.into_iter().collect())
}

fn add(body: &[Part], bindings: &Bindings, marker: &mut Marker<'_>, out: &mut Vec<TokenTree>) -> Option<()> {
    for part in body {
        match part {
            Part::Piece(piece) => own(piece, marker, out),
            Part::Group(delimiter, inner) => {
                let mut within = Vec::new();
                add(inner, bindings, marker, &mut within)?;
                let mut group = Group::new(*delimiter, within.into_iter().collect());
                group.set_span(marker.span);
                out.push(group.into());
            }
            Part::Fragment(name) => match find(bindings, name)? {
                Binding::One(trees) => out.extend(trees.iter().cloned()),
                Binding::Many(_) => return None,
            },
            Part::Repeat { inner, separator } => {
                for (at, turn) in turns(inner, bindings)?.iter().enumerate() {
                    separator.iter().filter(|_| at > 0).for_each(|separator| own(separator, marker, out));
                    add(inner, turn, marker, out)?;
                }
            }
        }
    }
    Some(())
}

fn own(piece: &Piece, marker: &mut Marker<'_>, out: &mut Vec<TokenTree>) {
    out.extend(piece.trees.iter().map(|tree| marker.own(tree.clone())));
}

fn find<'b>(bindings: &'b Bindings, name: &str) -> Option<&'b Binding> {
    bindings.iter().rev().find(|(known, _)| known == name).map(|(_, binding)| binding)
}

/// What is bound in each turn of a repetition: as many as each repeated fragment in it has.
fn turns(inner: &[Part], bindings: &Bindings) -> Option<Vec<Bindings>> {
    let mut all: Option<Vec<Bindings>> = None;
    for name in names(inner) {
        let Binding::Many(turns) = find(bindings, &name)? else { continue };
        let known = all.get_or_insert_with(|| vec![bindings.clone(); turns.len()]);
        if known.len() != turns.len() {
            return None;
        }
        known.iter_mut().zip(turns).for_each(|(known, turn)| known.extend(turn.clone()));
    }
    all
}

fn names(parts: &[Part]) -> Vec<String> {
    let of = |part: &Part| match part {
        Part::Fragment(name) => vec![name.clone()],
        Part::Group(_, inner) | Part::Repeat { inner, .. } => names(inner),
        Part::Piece(_) => Vec::new(),
    };
    parts.iter().flat_map(of).collect()
}
