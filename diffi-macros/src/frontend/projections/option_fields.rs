//! Fields that are options: the files around tell.

use super::defined::beside;
use crate::support::tokens::position;
use proc_macro2::Ident;

/// Whether all fields of a name are `Option<T>`.
pub fn is_option(name: &Ident) -> bool {
    let Some(at) = position() else { return false };
    let files = beside(&at.file);
    let mut fields = files.iter().filter_map(|file| file.fields.get(&name.to_string())).flatten().peekable();
    fields.peek().is_some() && fields.all(|field| field.option)
}
