//! A board as the text of a map file, which reads back as the same board, and as a graph for Graphviz.

use crate::{Board, Diagonals, Direction, Draft};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The edges of each vertex by target.
type Edges = Vec<BTreeMap<usize, Direction>>;

impl Board {
    /// The text of a map file: a picture with the differences from all king steps, or a graph in the Matrix Market
    /// format.
    pub fn to_map(&self) -> String {
        let mut out = format!("title = {}\n", toml::Value::from(self.title()));
        if self.to_move() == 1 {
            out += "to_move = 2\n";
        }
        if self.is_grid() {
            self.write_grid(&mut out);
        } else {
            self.write_graph(&mut out);
        }
        out
    }

    fn write_grid(&self, out: &mut String) {
        let own = edges_of(self);
        let exists: Vec<_> = (0..self.num_vertices()).map(|vertex| !self.is_hole(vertex)).collect();
        let differences = |diagonals| {
            let steps = Draft::grid(self.columns(), exists.clone(), diagonals);
            steps.map_or((Vec::new(), Vec::new()), |draft| compare(draft.edges(), &own))
        };
        let (natural, cut) = (differences(Diagonals::Natural), differences(Diagonals::Cut));
        let size = |(cuts, edges): &(Vec<Change>, Vec<Change>)| cuts.len() + edges.len();
        let (cuts, edges) = if size(&cut) < size(&natural) {
            out.push_str("diagonals = \"cut\"\n");
            cut
        } else {
            natural
        };
        self.write_coordinates(out);
        let _ = writeln!(out, "picture = \"\"\"\n{}\"\"\"", self.picture());
        for (table, changes) in [("cut", cuts), ("edge", edges)] {
            for change in changes {
                let (from, to) = (self.name(change.from), self.name(change.to));
                let _ = writeln!(out, "\n[[{table}]]\nfrom = \"{from}\"\nto = \"{to}\"");
                if table == "edge" {
                    let _ = writeln!(out, "direction = \"{:?}\"", change.direction);
                }
                if !change.and_back {
                    out.push_str("one_way = true\n");
                }
            }
        }
    }

    fn picture(&self) -> String {
        let cell = |vertex: usize| {
            let is_in = |list: &[u32]| list.binary_search(&(vertex as u32)).is_ok();
            match vertex {
                _ if self.is_hole(vertex) => '#',
                _ if is_in(self.queens(0)) => '1',
                _ if is_in(self.queens(1)) => '2',
                _ if is_in(self.blocked()) => 'x',
                _ => '.',
            }
        };
        let row = |row: usize| (row * self.columns()..(row + 1) * self.columns()).map(cell).chain(['\n']);
        (0..self.rows()).flat_map(row).collect()
    }

    fn write_graph(&self, out: &mut String) {
        let _ = writeln!(out, "queens = [{:?}, {:?}]", self.queens(0), self.queens(1));
        if !self.blocked().is_empty() {
            let _ = writeln!(out, "blocked = {:?}", self.blocked());
        }
        self.write_coordinates(out);
        let _ = writeln!(out, "graph = \"\"\"\n{}\"\"\"", self.to_matrix_market());
    }

    fn write_coordinates(&self, out: &mut String) {
        if let Some(coordinates) = self.coordinates() {
            let _ = writeln!(out, "coordinates = {coordinates:?}");
        }
    }

    /// A directed graph in the language of Graphviz.
    pub fn to_dot(&self) -> String {
        let mut out = format!("digraph {} {{\n", toml::Value::from(self.title().replace(['"', '\\'], "'")));
        for vertex in (0..self.num_vertices()).filter(|&vertex| !self.is_hole(vertex)) {
            let is_in = |list: &[u32]| list.binary_search(&(vertex as u32)).is_ok();
            let looks = [
                (self.queens(0), " style=filled fillcolor=white penwidth=3"),
                (self.queens(1), " style=filled fillcolor=black fontcolor=white"),
                (self.blocked(), " style=filled fillcolor=grey"),
            ];
            let look = looks.iter().find(|(list, _)| is_in(list)).map_or("", |(_, look)| look);
            let [x, y] =
                self.coordinates().map_or_else(|| self.grid_place(vertex), |places| places[vertex].map(i64::from));
            let at = if self.is_grid() || self.coordinates().is_some() {
                format!(" pos=\"{},{}!\"", thousandths(x), thousandths(-y))
            } else {
                String::new()
            };
            let _ = writeln!(out, "  {vertex} [label=\"{}\"{at}{look}];", self.name(vertex));
            for (to, direction) in self.neighbours(vertex) {
                let _ = writeln!(out, "  {vertex} -> {to} [label={direction:?}];");
            }
        }
        out + "}\n"
    }

    fn grid_place(&self, vertex: usize) -> [i64; 2] {
        let columns = self.columns().max(1);
        [vertex % columns, vertex / columns].map(|steps| 1000 * steps as i64)
    }
}

fn thousandths(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{}.{:03}", number.abs() / 1000, number.abs() % 1000)
}

/// An edge to cut or to add.
struct Change {
    from: usize,
    to: usize,
    direction: Direction,
    /// Whether the edge back in the opposite direction changes too.
    and_back: bool,
}

fn edges_of(board: &Board) -> Edges {
    (0..board.num_vertices()).map(|vertex| board.neighbours(vertex).collect()).collect()
}

/// The edges to remove from `base`, and then to add, for `wanted`.
fn compare(base: &Edges, wanted: &Edges) -> (Vec<Change>, Vec<Change>) {
    (missing_in(wanted, base), missing_in(base, wanted))
}

/// The edges of `other` that `edges` does not have.
fn missing_in(edges: &Edges, other: &Edges) -> Vec<Change> {
    let is_missing = |from: usize, to: usize, direction| {
        other[from].get(&to) == Some(&direction) && edges[from].get(&to) != Some(&direction)
    };
    let mut changes = Vec::new();
    for (from, row) in other.iter().enumerate() {
        for (&to, &direction) in row.iter().filter(|&(&to, &direction)| is_missing(from, to, direction)) {
            let and_back = is_missing(to, from, direction.opposite());
            if !and_back || from < to {
                changes.push(Change { from, to, direction, and_back });
            }
        }
    }
    changes
}
