//! The eleven functions of GSL that clients of the course use, for computers without GSL: what they do there, from its
//! manual, for the one layout in `matrix.rs`. Where GSL stops the program with a message, so do these.
#![allow(clippy::print_stderr)]
#![expect(unsafe_code)]

use crate::heap;
use crate::matrix::{COO, CSC, CSR, Matrix, empty};
use libc::FILE;
use std::ffi::{c_char, c_int, c_uint};
use std::{ptr, slice};

/// Ends the program as GSL does after an error.
fn fail(what: &str) -> ! {
    eprintln!("gsl: ERROR: {what}");
    std::process::abort()
}

/// A matrix of triplets with room for a tenth of its elements.
#[unsafe(no_mangle)]
pub extern "C" fn gsl_spmatrix_uint_alloc(n1: usize, n2: usize) -> *mut Matrix {
    match n1.saturating_mul(n2) / 10 {
        0 => gsl_spmatrix_uint_alloc_nzmax(n1, n2, 10, COO),
        tenth => gsl_spmatrix_uint_alloc_nzmax(n1, n2, tenth, COO),
    }
}

/// A matrix with room for `nzmax` values.
#[unsafe(no_mangle)]
pub extern "C" fn gsl_spmatrix_uint_alloc_nzmax(n1: usize, n2: usize, nzmax: usize, sptype: c_int) -> *mut Matrix {
    match (n1, n2) {
        (0, _) => fail("matrix dimension n1 must be positive integer"),
        (_, 0) => fail("matrix dimension n2 must be positive integer"),
        _ => empty(n1, n2, nzmax, sptype),
    }
}

/// Frees a matrix with its parts.
///
/// # Safety
/// A matrix of these functions that is not used afterwards, or NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gsl_spmatrix_uint_free(matrix: *mut Matrix) {
    // SAFETY: the caller's promise; each part is a block of its own.
    unsafe {
        if let Some(parts) = matrix.as_ref() {
            for part in [parts.i.cast(), parts.data.cast(), parts.p.cast(), parts.work.cast(), matrix.cast()] {
                libc::free(part);
            }
        }
    }
}

/// A compressed copy of a matrix of triplets.
///
/// # Safety
/// `src` is a matrix.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gsl_spmatrix_uint_compress(src: *const Matrix, sptype: c_int) -> *mut Matrix {
    // SAFETY: the caller's promise.
    let Matrix { size1, size2, nz, .. } = *unsafe { &*src };
    if sptype != CSC && sptype != CSR {
        fail("unknown sparse matrix format");
    }
    let dest = empty(size1, size2, nz, sptype);
    // SAFETY: both are matrices of one size, the new one with room for all values.
    unsafe { compress(dest, src) };
    dest
}

/// Compresses a matrix of triplets into an existing one of compressed rows.
///
/// # Safety
/// Both are matrices, and not the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gsl_spmatrix_uint_csr(dest: *mut Matrix, src: *const Matrix) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        if (*src).sptype != COO {
            fail("input matrix must be in COO format");
        }
        if (*dest).sptype != CSR {
            fail("output matrix must be in CSR format");
        }
        check_sizes(dest, src);
        make_room(&mut *dest, (*src).nz);
        compress(dest, src);
    }
    0
}

/// Copies a matrix into one of the same size and format.
///
/// # Safety
/// Both are matrices, and not the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gsl_spmatrix_uint_memcpy(dest: *mut Matrix, src: *const Matrix) -> c_int {
    // SAFETY: the caller's promise, and the lengths that the format gives.
    unsafe {
        check_sizes(dest, src);
        if (*dest).sptype != (*src).sptype {
            fail("cannot copy matrices of different storage formats");
        }
        let (dest, src) = (&mut *dest, &*src);
        make_room(dest, src.nz);
        ptr::copy_nonoverlapping(src.i, dest.i, src.nz);
        ptr::copy_nonoverlapping(src.data, dest.data, src.nz);
        ptr::copy_nonoverlapping(src.p, dest.p, starts(src));
        dest.nz = src.nz;
    }
    0
}

/// The element in row i and column j.
///
/// # Safety
/// A matrix.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gsl_spmatrix_uint_get(matrix: *const Matrix, i: usize, j: usize) -> c_uint {
    // SAFETY: the caller's promise; an address that is found is that of a value.
    unsafe { find(&*matrix, i, j).as_ref().copied().unwrap_or(0) }
}

/// Where the element in row i and column j is kept; NULL if it is not.
///
/// # Safety
/// A matrix.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gsl_spmatrix_uint_ptr(matrix: *const Matrix, i: usize, j: usize) -> *mut c_uint {
    // SAFETY: the caller's promise.
    unsafe { find(&*matrix, i, j) }
}

/// Sets an element of a matrix of triplets.
///
/// # Safety
/// A matrix.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gsl_spmatrix_uint_set(matrix: *mut Matrix, i: usize, j: usize, x: c_uint) -> c_int {
    // SAFETY: the caller's promise; a new value is written where there is room for it.
    unsafe {
        let matrix = &mut *matrix;
        if matrix.sptype != COO {
            fail("matrix not in COO representation");
        }
        match find(matrix, i, j).as_mut() {
            Some(value) => *value = x,
            None => {
                let at = matrix.nz;
                if at == matrix.nzmax {
                    make_room(matrix, 2 * at);
                }
                (*matrix.i.add(at), *matrix.p.add(at), *matrix.data.add(at)) = (i as c_int, j as c_int, x);
                matrix.nz = at + 1;
            }
        }
    }
    0
}

/// The name of the format.
///
/// # Safety
/// A matrix.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gsl_spmatrix_uint_type(matrix: *const Matrix) -> *const c_char {
    // SAFETY: the caller's promise.
    match unsafe { (*matrix).sptype } {
        COO => c"COO".as_ptr(),
        CSC => c"CSC".as_ptr(),
        CSR => c"CSR".as_ptr(),
        _ => c"unknown".as_ptr(),
    }
}

/// Writes the elements in the format of Matrix Market, numbered from 1, each value by `format`.
///
/// # Safety
/// An open stream, a matrix, and a format of `fprintf` for one unsigned number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gsl_spmatrix_uint_fprintf(
    stream: *mut FILE,
    matrix: *const Matrix,
    format: *const c_char,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        let matrix = &*matrix;
        libc::fprintf(stream, c"%%%%MatrixMarket matrix coordinate real general\n".as_ptr());
        libc::fprintf(stream, c"%zu\t%zu\t%zu\n".as_ptr(), matrix.size1, matrix.size2, matrix.nz);
        for (row, column, value) in elements(matrix) {
            libc::fprintf(stream, c"%zu\t%zu\t".as_ptr(), row + 1, column + 1);
            libc::fprintf(stream, format, value);
            libc::fputc(c_int::from(b'\n'), stream);
        }
    }
    0
}

/// # Safety
/// Both are matrices.
unsafe fn check_sizes(dest: *const Matrix, src: *const Matrix) {
    // SAFETY: the caller's promise.
    if unsafe { (*dest).size1 != (*src).size1 || (*dest).size2 != (*src).size2 } {
        fail("matrix sizes are different");
    }
}

/// How long `p` is.
fn starts(matrix: &Matrix) -> usize {
    match matrix.sptype {
        CSC => matrix.size2 + 1,
        CSR => matrix.size1 + 1,
        _ => matrix.nz,
    }
}

/// # Safety
/// The parts of the matrix are its own.
unsafe fn make_room(matrix: &mut Matrix, nzmax: usize) {
    if matrix.nzmax >= nzmax {
        return;
    }
    matrix.nzmax = nzmax;
    // SAFETY: the caller's promise, and each old address is replaced.
    unsafe {
        matrix.i = heap::resized(matrix.i, nzmax);
        matrix.data = heap::resized(matrix.data, nzmax);
        if matrix.sptype == COO {
            matrix.p = heap::resized(matrix.p, nzmax);
        }
    }
}

/// Where the element in row i and column j is kept; the first if it is there twice, as only other hands than these make
/// it.
///
/// # Safety
/// The parts of the matrix are as its format says.
unsafe fn find(matrix: &Matrix, i: usize, j: usize) -> *mut c_uint {
    if i >= matrix.size1 {
        fail("first index out of range");
    }
    if j >= matrix.size2 {
        fail("second index out of range");
    }
    // SAFETY: the caller's promise.
    let found = unsafe {
        let line = |line: usize| *matrix.p.add(line) as usize..*matrix.p.add(line + 1) as usize;
        let is_at = |at: usize, index: usize| *matrix.i.add(at) as usize == index;
        match matrix.sptype {
            COO => (0..matrix.nz).find(|&at| is_at(at, i) && *matrix.p.add(at) as usize == j),
            CSC => line(j).find(|&at| is_at(at, i)),
            CSR => line(i).find(|&at| is_at(at, j)),
            _ => fail("unknown sparse matrix format"),
        }
    };
    // SAFETY: an index that was found is one of a value.
    found.map_or(ptr::null_mut(), |at| unsafe { matrix.data.add(at) })
}

/// Rows, columns and values in the order in which they are kept.
///
/// # Safety
/// The parts of the matrix are as its format says.
unsafe fn elements(matrix: &Matrix) -> Vec<(usize, usize, c_uint)> {
    // SAFETY: the caller's promise.
    let (indices, values, p) = unsafe {
        let part = |start: *mut c_int, len| slice::from_raw_parts(start, len);
        (part(matrix.i, matrix.nz), slice::from_raw_parts(matrix.data, matrix.nz), part(matrix.p, starts(matrix)))
    };
    // The line of a value is the last that begins at it or before it.
    let line = |at: usize| p.partition_point(|&start| start as usize <= at) - 1;
    let element = |at: usize| {
        let index = indices[at] as usize;
        match matrix.sptype {
            COO => (index, p[at] as usize, values[at]),
            CSC => (index, line(at), values[at]),
            _ => (line(at), index, values[at]),
        }
    };
    (0..matrix.nz).map(element).collect()
}

/// A counting sort by row or column, in which the values of a line keep their order.
///
/// # Safety
/// `src` has triplets, `dest` is of the same size, compressed, and has room for them.
unsafe fn compress(dest: *mut Matrix, src: *const Matrix) {
    // SAFETY: the caller's promise; a place is counted before it is filled.
    unsafe {
        let (dest, src) = (&mut *dest, &*src);
        if src.sptype != COO {
            fail("input matrix must be in COO format");
        }
        let elements = elements(src);
        let p = slice::from_raw_parts_mut(dest.p, starts(dest));
        let by_row = dest.sptype == CSR;
        p.fill(0);
        for (row, column, _) in &elements {
            p[1 + if by_row { *row } else { *column }] += 1;
        }
        for line in 1..p.len() {
            p[line] += p[line - 1];
        }
        let mut next = p.to_vec();
        for (row, column, value) in elements {
            let (line, index) = if by_row { (row, column) } else { (column, row) };
            let at = next[line] as usize;
            (*dest.i.add(at), *dest.data.add(at)) = (index as c_int, value);
            next[line] += 1;
        }
        dest.nz = src.nz;
    }
}
