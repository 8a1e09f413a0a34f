//! Memory that begins on a cache line, and on a page if it is as long as one.
//!
//! A vector register holds up to a whole cache line. Where a buffer does not begin on a line, every load and store of it
//! touches two, and a loop that does little else takes up to twice as long; where two buffers lie alike in their pages, loads
//! wait for stores that they have nothing to do with. The system's allocator decides by chance which of two equal buffers
//! is hit, so buffers for what is compared get their place from here.

use std::alloc::{GlobalAlloc, Layout, System};

const LINE: usize = 64;
const PAGE: usize = 4096;

/// The system's allocator with larger alignments.
pub struct Aligned;

fn aligned(layout: Layout) -> Layout {
    let align = match layout.size() {
        PAGE.. => PAGE,
        LINE.. => LINE,
        _ => return layout,
    };
    layout.align_to(align).expect("no allocation is nearly as large as the address space")
}

// SAFETY: a larger alignment fits, and memory is given back with the one that it was taken with.
unsafe impl GlobalAlloc for Aligned {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe { System.alloc(aligned(layout)) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        unsafe { System.alloc_zeroed(aligned(layout)) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, aligned(layout)) }
    }
}
