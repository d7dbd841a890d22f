//! The table of the course: the mean rank and the mean number of heads of each strategy, in the format of its program.

use crate::{Recorded, ResultTable};

/// The tables that a record of this game can be shown as.
pub(super) const TABLES: &[ResultTable] = &[ResultTable {
    name: "course",
    about: "mean rank and mean heads of each strategy, as the program of the course prints them",
    run: write,
}];

/// A strategy, summed over its seats.
struct Strategy {
    name: String,
    seats: u64,
    ranks: u64,
    heads: i64,
}

/// Heads are divided without a remainder, as in the course. Ranks are those of the record: `rules = "course-exact"` has
/// no ties.
fn write(matches: &mut dyn Iterator<Item = Recorded>) -> Result<String, String> {
    let mut strategies: Vec<Strategy> = Vec::new();
    let mut simulations = 0u64;
    for played in matches {
        simulations += 1;
        for ((name, rank), heads) in played.clients.iter().zip(&played.ranks).zip(&played.scores) {
            let known = strategies.iter().position(|strategy| strategy.name == *name);
            let index = known.unwrap_or_else(|| {
                strategies.push(Strategy { name: name.clone(), seats: 0, ranks: 0, heads: 0 });
                strategies.len() - 1
            });
            let strategy = &mut strategies[index];
            strategy.seats += 1;
            strategy.ranks += u64::from(*rank);
            strategy.heads += heads;
        }
    }
    if simulations == 0 {
        return Err("no match has been played yet; help: run the ladder first".to_owned());
    }
    strategies.sort_by(|a, b| a.name.cmp(&b.name));
    let mut out = format!("---- Statistiques (sur {simulations} simulations) ----\n");
    out += &format!("{:30} | {:13} | {:25}\n", "Nom strategie", "Moyenne rangs", "Moyenne vaches encaissees");
    for Strategy { name, seats, ranks, heads } in strategies {
        let mean_rank = ranks as f64 / seats as f64;
        out += &format!("{name:30} | {mean_rank:13.5} | {:25}\n", heads / seats as i64);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Opening, Options};

    #[test]
    fn the_table_of_the_course() {
        let options = Options::default();
        let played = |ranks: [u32; 3], scores: [i64; 3]| Recorded {
            options: &options,
            opening: Opening::ANY,
            clients: ["six_middle", "six_largest", "six_middle"].map(str::to_owned).to_vec(),
            moves: Vec::new(),
            ranks: ranks.to_vec(),
            scores: scores.to_vec(),
            by_fault: false,
        };
        let matches = [played([1, 3, 2], [3, 20, 10]), played([2, 1, 3], [8, 1, 9])];
        let expected = "\
---- Statistiques (sur 2 simulations) ----
Nom strategie                  | Moyenne rangs | Moyenne vaches encaissees
six_largest                    |       2.00000 |                        10
six_middle                     |       2.00000 |                         7
";
        assert_eq!(write(&mut matches.into_iter()).unwrap(), expected);
        assert!(write(&mut std::iter::empty()).is_err());
    }
}
