//! The kernel against plain references: distances by a queue, moves by the rules, filling by brute force.

mod evaluation;
mod filling;
mod moves;
mod openings;
mod reference;
