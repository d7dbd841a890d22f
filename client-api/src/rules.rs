//! The rules of the server, ready-made for a client: a state of Amazons, rebuilt from the setup.

use crate::Declined;
use crate::amazons::{Graph, Setup};
pub use agon_games::amazons::Amazons as Position;
use agon_games::amazons::Prepared;
use std::sync::{Arc, Mutex, PoisonError};

/// The last setting that was built: a client that is kept for many matches mostly meets the same board again.
static LAST: Mutex<Option<Built>> = Mutex::new(None);

/// A setting, and a copy of its original arrays.
struct Built {
    row_start: Vec<u32>,
    targets: Vec<u32>,
    directions: Vec<u8>,
    queens: [Vec<u32>; 2],
    blocked: Vec<u32>,
    side_to_move: usize,
    vacated_is_free: bool,
    setting: Arc<Prepared>,
}

/// The start of the match. The seats of the rules are the sides of the setup.
///
/// # Errors
/// The arrays of the setup do not describe a board.
pub fn position(setup: &Setup) -> Result<Position, Declined> {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let built = match last.take().filter(|built| built.graph() == setup.graph) {
        Some(built) => built,
        None => Built::new(&setup.graph)?,
    };
    let position = Position::at_start(&built.setting);
    *last = Some(built);
    Ok(position)
}

impl Built {
    fn new(graph: &Graph) -> Result<Built, Declined> {
        let setting = Prepared::from_graph(graph).map_err(|bad| Declined::from(bad.why))?;
        Ok(Built {
            row_start: graph.row_start.to_vec(),
            targets: graph.targets.to_vec(),
            directions: graph.directions.to_vec(),
            queens: graph.queens.map(<[u32]>::to_vec),
            blocked: graph.blocked.to_vec(),
            side_to_move: graph.side_to_move,
            vacated_is_free: graph.vacated_is_free,
            setting: Arc::new(setting),
        })
    }

    fn graph(&self) -> Graph<'_> {
        Graph {
            num_vertices: self.row_start.len().saturating_sub(1),
            row_start: &self.row_start,
            targets: &self.targets,
            directions: &self.directions,
            queens: self.queens.each_ref().map(Vec::as_slice),
            blocked: &self.blocked,
            side_to_move: self.side_to_move,
            vacated_is_free: self.vacated_is_free,
        }
    }
}
