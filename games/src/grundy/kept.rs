//! The table `kept`: how often each client kept a won position. The result alone shows only the last error.

use super::{Grundy, Prepared};
use crate::any::accept;
use crate::{Options, Recorded, Rules};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The counts of one client.
#[derive(Clone, Copy, Default)]
struct Row {
    matches: u64,
    wins: u64,
    /// Moves made in a won position.
    won: u64,
    /// Moves after which the position was lost for the other side.
    kept: u64,
}

/// Writes a row for each client: matches, wins, moves in a won position, and the share of them that kept it won.
pub(super) fn table(matches: &mut dyn Iterator<Item = Recorded>) -> Result<String, String> {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let (mut misere, mut known) = (0, Vec::new());
    for played in matches {
        let setting = setting(played.options, &mut known)?;
        if setting.misere { misere += 1 } else { count(&played, &setting, &mut rows) }
    }
    let left_out = format!("matches with misere = \"yes\" left out, where nimbers do not tell who wins: {misere}");
    match (rows.is_empty(), misere) {
        (true, 0) => Err("there are no matches yet".to_owned()),
        (true, _) => Err(left_out),
        (false, 0) => Ok(write(rows)),
        (false, _) => Ok(write(rows) + &left_out + "\n"),
    }
}

/// The setting of these options; `known` are the settings made so far.
fn setting(options: &Options, known: &mut Vec<(Options, Arc<Prepared>)>) -> Result<Arc<Prepared>, String> {
    if let Some((_, setting)) = known.iter().find(|(of, _)| of == options) {
        return Ok(Arc::clone(setting));
    }
    let setting = Arc::new(Prepared::from_options(options).map_err(|bad| bad.to_string())?);
    known.push((options.clone(), Arc::clone(&setting)));
    Ok(setting)
}

fn count(played: &Recorded, setting: &Arc<Prepared>, rows: &mut BTreeMap<String, Row>) {
    for (client, rank) in played.clients.iter().zip(&played.ranks) {
        let row = rows.entry(client.clone()).or_default();
        row.matches += 1;
        row.wins += u64::from(*rank == 1);
    }
    let mut game = Grundy::start(setting, played.clients.len(), &played.opening);
    for (seat, mv) in &played.moves {
        let Some(row) = played.clients.get(*seat).and_then(|client| rows.get_mut(client)) else { return };
        // Records come from a file that anybody may have written.
        let Ok(mv) = accept(&game, *seat, mv) else { return };
        // Heaps with nimbers unknown to the rules do not count.
        let was_won = game.is_won() == Some(true);
        game.play(&[(*seat, mv)]);
        row.won += u64::from(was_won);
        row.kept += u64::from(was_won && game.is_won() == Some(false));
    }
}

/// The best share comes first; equal ones are sorted by name.
fn write(rows: BTreeMap<String, Row>) -> String {
    let mut rows: Vec<(String, Row)> = rows.into_iter().collect();
    // Without moves in a won position there is no share: such a row stands last.
    let permille = |row: &Row| (row.kept * 1000).checked_div(row.won);
    rows.sort_by_key(|(_, row)| std::cmp::Reverse(permille(row)));
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max("client".len());
    let mut text = format!("{:<width$}  matches     wins  won positions     kept\n", "client");
    for (name, row) in &rows {
        let share = permille(row).map_or("-".to_owned(), |share| format!("{}.{} %", share / 10, share % 10));
        text += &format!("{name:<width$}  {:>7}  {:>7}  {:>13}  {share:>7}\n", row.matches, row.wins, row.won);
    }
    text
}
