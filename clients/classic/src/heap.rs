//! Arrays from the C library's own heap: the other side frees and resizes them with `free` and `realloc`.
#![expect(unsafe_code)]

use std::ptr;

/// An array of `len` zeros, never NULL.
pub fn zeros<T: Copy>(len: usize) -> *mut T {
    // SAFETY: calloc takes any sizes; an array that cannot be had is told by NULL.
    let array = unsafe { libc::calloc(len.max(1), size_of::<T>()) };
    present(array).cast()
}

/// A copy of these values.
pub fn copy_of<T: Copy>(values: &[T]) -> *mut T {
    let array = zeros::<T>(values.len());
    // SAFETY: the new array has room for all of them.
    unsafe { ptr::copy_nonoverlapping(values.as_ptr(), array, values.len()) };
    array
}

/// The array with room for `len` values.
///
/// # Safety
/// It is NULL or comes from this heap, and is not used afterwards.
pub unsafe fn resized<T: Copy>(array: *mut T, len: usize) -> *mut T {
    // SAFETY: the caller's promise.
    present(unsafe { libc::realloc(array.cast(), len.max(1) * size_of::<T>()) }).cast()
}

/// Without memory there is nothing left to do that a client of the course would understand.
fn present(array: *mut libc::c_void) -> *mut libc::c_void {
    if array.is_null() {
        std::process::abort();
    }
    array
}
