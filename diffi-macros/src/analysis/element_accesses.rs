//! Element accesses (LLVM's LoopAccessAnalysis): the elements of an array that statements read and write.

use crate::ir::visit::places::each_place;
use crate::ir::visit::{Access, Visit, blocks};
use crate::ir::*;

/// An access of an element.
pub struct ElementAccess {
    /// Which element.
    pub place: Place,
    /// Whether it is written.
    pub written: bool,
}

/// All accesses of an array in a block; none if the array is used in another way than by its elements. A read of its length is no access.
pub fn element_accesses(block: &Block, array: Var) -> Option<Vec<ElementAccess>> {
    let (mut found, mut uses) = (Vec::new(), 0);
    collect(block, array, &mut found);
    Visit(&mut |v, touch| uses += usize::from(v == array && touch != Access::Shape)).block(block);
    (found.len() == uses).then_some(found)
}

fn collect(block: &Block, array: Var, found: &mut Vec<ElementAccess>) {
    for stmt in &block.stmts {
        each_place(stmt, &mut |place, written| {
            if place.root == array {
                found.push(ElementAccess { place: place.clone(), written });
            }
        });
        blocks(stmt).into_iter().for_each(|inner| collect(inner, array, found));
    }
}
