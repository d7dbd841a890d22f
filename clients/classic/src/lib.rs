//! Amazons: plays for a library of the original course, which has four functions, no descriptor, and the graph as a GSL
//! matrix. The option `file` names it. What such libraries rely on: docs/guides/classic.md.
//!
//! Unsafe code is in `course.rs` (its functions), `heap.rs` and `matrix.rs` (blocks that it frees), `gsl.rs` (what it
//! calls) and `scope.rs` (how it finds that).

mod course;
mod gsl;
mod heap;
mod matrix;
mod scope;

use agon_client_api::amazons::{Amazons, AmazonsMove, Graph, Setup, Turn};
use agon_client_api::{Client, Declined, export_client};
use course::Course;
use std::cell::OnceCell;

struct Classic {
    course: Course,
    name: OnceCell<String>,
}

impl Client for Classic {
    type Game = Amazons;
    const NAME: &'static str = "classic";

    /// Asked for after `initialize` and never after `finalize`, since some look into the graph for it.
    fn name(&self) -> &str {
        self.name.get_or_init(|| self.course.name())
    }

    fn new(setup: &Setup) -> Result<Self, Declined> {
        let file = setup.options.get("file").ok_or("there is no option file that names a library of the course")?;
        check(setup)?;
        let course = Course::open(file, setup.head.seed)?;
        course.initialize(setup);
        Ok(Classic { course, name: OnceCell::new() })
    }

    fn play(&mut self, turn: &Turn) -> AmazonsMove {
        self.course.play(turn.previous)
    }

    fn finish(self) {
        self.course.finalize();
    }
}

/// The course knew boards of m x m cells, as many queens for both sides, and no arrow before the first move.
fn check(setup: &Setup) -> Result<(), Declined> {
    let Setup { columns, rows, graph: Graph { num_vertices, queens, blocked, .. }, .. } = *setup;
    if columns == 0 || columns != rows || num_vertices != columns * rows {
        let board = match columns {
            0 => "not a grid".to_owned(),
            _ => format!("{columns} x {rows} squares"),
        };
        return Err(
            format!("a client of the original course plays square grids only, and this board is {board}").into()
        );
    }
    let [first, second] = queens.map(<[u32]>::len);
    if first != second {
        let why =
            format!("a client of the original course knows one number of queens, and here are {first} and {second}");
        return Err(why.into());
    }
    match blocked.len() {
        0 => Ok(()),
        count => {
            Err(format!("a client of the original course knows no arrows at the start, and here are {count}").into())
        }
    }
}

export_client!(Classic);
