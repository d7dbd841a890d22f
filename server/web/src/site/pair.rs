//! The page of two clients: all matches in which both sat, those of a block together.

use super::crosstable::written;
use super::home::{name, seats_link};
use super::model::Listed;
use super::settings::setting_name;
use super::view::View;
use crate::text::clean;
use agon_playback::kind_text;
use maud::html;

/// The most matches on a page that a server sends.
const SHOWN: usize = 400;

/// The whole page.
pub(super) fn page(model: &View<'_>, pair: (usize, usize)) -> String {
    let [one, other] = [pair.0, pair.1].map(|number| model.clients[number].as_str());
    let has_other = |found: &&Listed| found.seats.iter().any(|seat| seat.label == other);
    let found: Vec<&Listed> = model.own_matches(pair.0).filter(has_other).collect();
    let score = model.scores.get(&pair).copied().unwrap_or_default();
    let shown = &found[if model.published.is_served { found.len().saturating_sub(SHOWN) } else { 0 }..];
    let body = html! {
        p { (name(model, one, "../")) (model.t(" against ")) (name(model, other, "../")) (model.t(": wins-draws-losses ")) (written(&score))
            (model.t(" in ")) (score.iter().sum::<u64>()) (model.t(" matches. Matches of one block, from each seat, stand together.")) }
        (super::newest(model))
        @if shown.len() < found.len() { p { (model.t("The newest ")) (shown.len()) (model.t(" are listed; matches.csv has all.")) } }
        div.many tabindex="0" role="region" aria-label=(model.t("matches")) { table.cards.c1 {
            thead { tr { th { (model.t("Match")) } th { (model.t("Setting")) } th.r { (model.t("Ranks")) } th.r { (model.t("Scores")) } th.r { (model.t("Turns")) } th { (model.t("Faults")) } th { (model.t("Id")) } } }
            tbody { @for block in shown.chunk_by(|a, b| block(a) == block(b)) { @for (index, found) in block.iter().enumerate() {
                tr class=[(index == 0).then_some("first")] {
                    td.seats { (seats_link(model, found, "../", |_| false)) }
                    td { (setting_name(&found.setting)) }
                    td.r { (list(found.seats.iter().map(|seat| seat.rank.to_string()))) }
                    td.r { (list(found.seats.iter().map(|seat| seat.score.to_string()))) }
                    td.r { (found.plies) }
                    td.seats { (list(found.seats.iter().filter_map(|seat| Some(format!("{} {}", clean(&seat.label), clean(&kind_text(seat.fault.as_ref()?, model.language))))))) }
                    td { code { (clean(&found.id)) } }
                }
            } } }
        } }
    };
    super::frame(model, &format!("{one} {} {other}", model.t("against")), Some("../"), body)
}

/// The block of a match: its id without the letter.
fn block(found: &Listed) -> &str {
    found.id.split('-').next().unwrap_or(&found.id)
}

fn list(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(", ")
}
