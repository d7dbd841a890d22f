//! All tests of this client: one program, which is linked once.

mod belief;
mod client;
mod matches;
mod playouts;
