//! The methods of iterators, one a row: how far each of them runs a chain, and what its value carries.

use crate::frontend::iterators::exhausted::is_exhausted;

/// A method of an iterator, or one that makes an iterator of a sequence.
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// How many arguments it takes.
    pub args: usize,
    /// Where it stands in a chain.
    pub stage: Stage,
    /// What its value carries.
    pub carries: Carries,
}

/// Where a method stands in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It starts a chain at a sequence.
    Source,
    /// It starts a chain at a slice, which a function cuts.
    Cut,
    /// It makes a chain of a chain.
    Adaptor,
    /// It runs a chain to its end.
    Consumer,
    /// It runs a chain as far as it has to; what is left over may be run through later.
    Search,
    /// The same, from the end.
    SearchBack,
}

/// What the value of a method carries, by what its receiver and its arguments carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carries {
    /// What the receiver carries; any derivative of an argument makes all of it active.
    Either,
    /// What the receiver carries.
    Items,
    /// An index, and what the receiver carries.
    Counted,
    /// What the receiver carries, and what the argument carries.
    Zipped,
    /// What the function of these arguments gives.
    Applied,
    /// An accumulator.
    Folded,
    /// What the function of a state and an element gives.
    Scanned,
    /// Nothing but what closures change.
    Effects,
    /// A derivative, if the receiver carries any.
    Total,
}

const fn row(name: &'static str, args: usize, stage: Stage, carries: Carries) -> Method {
    Method { name, args, stage, carries }
}

use Carries::{Applied, Counted, Effects, Either, Folded, Items, Scanned, Total, Zipped};
use Stage::{Adaptor, Consumer, Cut, Search, SearchBack, Source};

/// All methods that the front end knows.
pub const METHODS: &[Method] = &[
    row("iter", 0, Source, Either),
    row("iter_mut", 0, Source, Either),
    row("into_iter", 0, Source, Either),
    row("windows", 1, Source, Either),
    row("chunks", 1, Source, Either),
    row("chunks_mut", 1, Source, Either),
    row("chunks_exact", 1, Source, Either),
    row("chunks_exact_mut", 1, Source, Either),
    row("rchunks", 1, Source, Either),
    row("rchunks_mut", 1, Source, Either),
    row("rchunks_exact", 1, Source, Either),
    row("rchunks_exact_mut", 1, Source, Either),
    row("drain", 1, Source, Either),
    row("splice", 2, Source, Either),
    row("extract_if", 2, Source, Items),
    row("chars", 0, Source, Either),
    row("bytes", 0, Source, Either),
    row("split_whitespace", 0, Source, Either),
    row("lines", 0, Source, Either),
    row("keys", 0, Source, Either),
    row("values", 0, Source, Either),
    row("chunk_by", 1, Cut, Items),
    row("chunk_by_mut", 1, Cut, Items),
    row("split", 1, Cut, Items),
    row("split_mut", 1, Cut, Items),
    row("split_inclusive", 1, Cut, Items),
    row("split_inclusive_mut", 1, Cut, Items),
    row("rsplit", 1, Cut, Items),
    row("rsplit_mut", 1, Cut, Items),
    row("splitn", 2, Cut, Items),
    row("splitn_mut", 2, Cut, Items),
    row("rsplitn", 2, Cut, Items),
    row("rsplitn_mut", 2, Cut, Items),
    row("map", 1, Adaptor, Applied),
    row("filter", 1, Adaptor, Items),
    row("filter_map", 1, Adaptor, Applied),
    row("flat_map", 1, Adaptor, Applied),
    row("flatten", 0, Adaptor, Either),
    row("enumerate", 0, Adaptor, Counted),
    row("zip", 1, Adaptor, Zipped),
    row("rev", 0, Adaptor, Either),
    row("skip", 1, Adaptor, Items),
    row("take", 1, Adaptor, Items),
    row("step_by", 1, Adaptor, Items),
    row("chain", 1, Adaptor, Either),
    row("copied", 0, Adaptor, Either),
    row("cloned", 0, Adaptor, Either),
    row("inspect", 1, Adaptor, Items),
    row("take_while", 1, Adaptor, Items),
    row("skip_while", 1, Adaptor, Items),
    row("cycle", 0, Adaptor, Either),
    row("by_ref", 0, Adaptor, Either),
    row("fuse", 0, Adaptor, Either),
    row("peekable", 0, Adaptor, Either),
    row("scan", 2, Adaptor, Scanned),
    row("map_while", 1, Adaptor, Applied),
    row("clone", 0, Adaptor, Either),
    row("tuple_windows", 0, Adaptor, Either),
    row("circular_tuple_windows", 0, Adaptor, Either),
    row("tuples", 0, Adaptor, Either),
    row("tuple_combinations", 0, Adaptor, Either),
    row("zip_eq", 1, Adaptor, Zipped),
    row("sorted_by", 1, Adaptor, Items),
    row("sorted_unstable_by", 1, Adaptor, Items),
    row("sorted_by_key", 1, Adaptor, Items),
    row("sorted_unstable_by_key", 1, Adaptor, Items),
    row("sorted_by_cached_key", 1, Adaptor, Items),
    row("sum", 0, Consumer, Total),
    row("product", 0, Consumer, Total),
    row("fold", 2, Consumer, Folded),
    row("rfold", 2, Consumer, Folded),
    row("reduce", 1, Consumer, Total),
    row("for_each", 1, Consumer, Effects),
    row("collect", 0, Consumer, Either),
    row("unzip", 0, Consumer, Either),
    row("partition", 1, Consumer, Either),
    row("max_by", 1, Consumer, Items),
    row("min_by", 1, Consumer, Items),
    row("max_by_key", 1, Consumer, Items),
    row("min_by_key", 1, Consumer, Items),
    row("last", 0, Consumer, Either),
    row("count", 0, Consumer, Either),
    row("next", 0, Search, Either),
    row("nth", 1, Search, Items),
    row("peek", 0, Search, Either),
    row("next_if", 1, Search, Items),
    row("next_if_eq", 1, Search, Items),
    row("find", 1, Search, Items),
    row("find_map", 1, Search, Applied),
    row("position", 1, Search, Either),
    row("any", 1, Search, Either),
    row("all", 1, Search, Either),
    row("try_fold", 2, Search, Folded),
    row("try_for_each", 1, Search, Effects),
    row("next_back", 0, SearchBack, Either),
    row("nth_back", 1, SearchBack, Items),
    row("rfind", 1, SearchBack, Items),
    row("rposition", 1, SearchBack, Either),
    row("try_rfold", 2, SearchBack, Folded),
];

/// The row of a method.
pub fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|row| row.name == name)
}

/// Whether a method makes a chain of a chain.
pub fn is_adaptor(name: &str) -> bool {
    method(name).is_some_and(|row| row.stage == Adaptor)
}

/// Whether a call starts a chain: a slice is cut by a closure, so that methods of text are told apart.
pub fn is_source(m: &syn::ExprMethodCall) -> bool {
    let Some(row) = method(&m.method.to_string()).filter(|row| row.args == m.args.len()) else { return false };
    match row.stage {
        Source => m.method != "extract_if" || is_exhausted(m),
        Cut => matches!(m.args.last(), Some(syn::Expr::Closure(_))),
        _ => false,
    }
}

/// Whether a method may leave a part of an iterator to be run through later.
pub fn is_search(name: &str) -> bool {
    method(name).is_some_and(|row| matches!(row.stage, Search | SearchBack))
}

/// The names of the methods of a stage.
pub fn names_of(stage: Stage) -> Vec<&'static str> {
    METHODS.iter().filter(|row| row.stage == stage).map(|row| row.name).collect()
}
