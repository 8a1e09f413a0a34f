//! The system's allocator, which counts what a thread requests.
#![allow(dead_code, reason = "not everyone asks for both")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct Counting;

thread_local! {
    static REQUESTED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
    static HELD: Cell<isize> = const { Cell::new(0) };
}

/// How many requests this thread has made.
pub fn requests() -> usize {
    REQUESTED.get().0
}

/// How many bytes this thread has requested.
pub fn bytes() -> usize {
    REQUESTED.get().1
}

/// How many bytes this thread has requested and not given back.
pub fn held() -> isize {
    HELD.get()
}

fn give_back(size: usize) {
    let _ = HELD.try_with(|held| held.set(held.get() - size as isize));
}

fn count(size: usize) {
    let _ = HELD.try_with(|held| held.set(held.get() + size as isize));
    // A thread that is ending has no counter any more.
    let _ = REQUESTED.try_with(|requested| {
        let (requests, bytes) = requested.get();
        requested.set((requests + 1, bytes + size));
    });
}

// SAFETY: every call is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        give_back(layout.size());
        unsafe { System.realloc(old, layout, size) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        give_back(layout.size());
        unsafe { System.dealloc(old, layout) }
    }
}
