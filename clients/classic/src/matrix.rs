//! The two structs that a client of the course reads: its graph, and the sparse matrix of GSL 2.6 and later that holds
//! the edges.
#![expect(unsafe_code)]

use crate::heap;
use agon_client_api::amazons::Setup;
use std::ffi::{c_int, c_uint, c_void};
use std::mem::offset_of;
use std::ptr;

/// Triplets: row, column, value.
pub const COO: c_int = 0;
/// Compressed columns.
pub const CSC: c_int = 1;
/// Compressed rows.
pub const CSR: c_int = 2;

/// `struct graph_t`.
#[repr(C)]
pub struct Graph {
    num_vertices: u32,
    t: *mut Matrix,
}

/// `gsl_spmatrix_uint`, 104 bytes.
#[repr(C)]
pub struct Matrix {
    /// Rows.
    pub size1: usize,
    /// Columns.
    pub size2: usize,
    /// The row of each value in COO and CSC, its column in CSR.
    pub i: *mut c_int,
    /// The values.
    pub data: *mut c_uint,
    /// The column of each value in COO; where each column or row begins in CSC and CSR.
    pub p: *mut c_int,
    /// Room for so many values.
    pub nzmax: usize,
    /// The number of entries.
    pub nz: usize,
    tree: *mut c_void,
    pool: *mut c_void,
    node_size: usize,
    /// `max(size1, size2)` numbers for work in progress.
    pub work: *mut c_int,
    /// COO, CSC or CSR.
    pub sptype: c_int,
    spflags: usize,
}

const _: () = assert!(size_of::<Graph>() == 16 && offset_of!(Graph, t) == 8);
const _: () = assert!(size_of::<Matrix>() == 104 && offset_of!(Matrix, nz) == 48 && offset_of!(Matrix, work) == 80);
const _: () = assert!(offset_of!(Matrix, sptype) == 88 && offset_of!(Matrix, spflags) == 96);

/// A matrix of zeros with room for `nzmax` values, each part a block of its own.
pub fn empty(size1: usize, size2: usize, nzmax: usize, sptype: c_int) -> *mut Matrix {
    let nzmax = nzmax.max(1);
    let starts = match sptype {
        CSC => size2 + 1,
        CSR => size1 + 1,
        _ => nzmax,
    };
    let matrix = Matrix {
        size1,
        size2,
        i: heap::zeros(nzmax),
        data: heap::zeros(nzmax),
        p: heap::zeros(starts),
        nzmax,
        nz: 0,
        tree: ptr::null_mut(),
        pool: ptr::null_mut(),
        node_size: 0,
        work: heap::zeros(size1.max(size2)),
        sptype,
        spflags: 0,
    };
    block(matrix)
}

/// The graph of a setup, for the client to free: vertices as rows and columns, directions as values.
pub fn graph(setup: &Setup) -> *mut Graph {
    let ints = |numbers: &[u32]| -> Vec<c_int> { numbers.iter().map(|&number| number as c_int).collect() };
    let directions: Vec<c_uint> = setup.graph.directions.iter().map(|&direction| direction.into()).collect();
    let matrix = Matrix {
        size1: setup.graph.num_vertices,
        size2: setup.graph.num_vertices,
        i: heap::copy_of(&ints(setup.graph.targets)),
        data: heap::copy_of(&directions),
        p: heap::copy_of(&ints(setup.graph.row_start)),
        nzmax: setup.graph.targets.len(),
        nz: setup.graph.targets.len(),
        tree: ptr::null_mut(),
        pool: ptr::null_mut(),
        node_size: 0,
        work: heap::zeros(setup.graph.num_vertices),
        sptype: CSR,
        spflags: 0,
    };
    block(Graph { num_vertices: setup.graph.num_vertices as u32, t: block(matrix) })
}

fn block<T>(value: T) -> *mut T {
    let place = heap::zeros::<[u8; 8]>(size_of::<T>().div_ceil(8)).cast::<T>();
    // SAFETY: the block is as large as the value, and aligned for every type, as malloc's blocks are.
    unsafe { place.write(value) };
    place
}
