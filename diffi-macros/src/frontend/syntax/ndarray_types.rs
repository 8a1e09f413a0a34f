//! Names that stand for types of ndarray.

use crate::frontend::syntax::file_names::FileNames;
use crate::frontend::syntax::types::is_of_ndarray;
use crate::support::source_files;
use crate::support::tokens::position;

/// Whether a name stands for one in the file that is compiled: the file names the crate, and has no such type of its own.
pub fn stands_for_ndarray(name: &str) -> bool {
    let text = position().and_then(|at| source_files::text(&at.file));
    let names_the_crate = text.is_some_and(|text| text.contains("ndarray"));
    names_the_crate && is_of_ndarray(name) && FileNames::here().is_some_and(|names| names.imports(name))
}
