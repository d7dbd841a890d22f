//! All tests of the host: one program, which is linked once.

mod calls;
mod covert;
mod functions;
mod in_process;
mod rig;
mod sandbox;
mod serve;
