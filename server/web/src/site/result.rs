//! The result of the tournament's own system, which a page of a ladder states first: who is first, and by what.

use super::home::name;
use super::model::pair_path;
use super::now::Now;
use super::sequential;
use super::view::View;
use crate::named::shortened;
use crate::text::clean;
use agon_model::documents::{Mean, PairedStage, PairedStages, StandingsRow};
use maud::{Markup, html};

/// The sentence names at most this many leaders, and counts more.
const MOST_NAMED: usize = 4;
/// This many deviations either way hold with 95 %.
const INTERVAL: f64 = 1.96;

/// One sentence: who is first; `up` leads to the pages of the ladder. Before a result counts, it tells that matches are
/// played.
pub(super) fn headline(model: &View<'_>, now: Option<&Now>, up: &str) -> Markup {
    let is_first =
        model.published.standings.matches == 0 && now.is_some_and(|now| !now.is_over && !now.boards.is_empty());
    let is_plain = model.published.test.is_none() && model.published.standings.pairing.is_none();
    html! { p.headline { @if is_first && is_plain { (model.t("The first matches are under way.", "Les premières parties sont en cours.")) } @else { (sentence(model, up)) } } }
}

/// The leader in few words, where several ladders are listed.
pub(super) fn leader(model: &View<'_>, up: &str) -> Markup {
    match (&model.published.test, &model.published.standings.pairing) {
        (None, None) => first_of_table(model, up),
        _ => sentence(model, up),
    }
}

/// The same as a part of another sentence's page.
fn sentence(model: &View<'_>, up: &str) -> Markup {
    match (&model.published.test, &model.published.standings.pairing) {
        (Some(test), _) => sequential::headline(model, test, up),
        (None, Some(paired)) => of_system(model, paired, up),
        (None, None) => of_table(model, up),
    }
}

fn of_system(model: &View<'_>, paired: &PairedStages, up: &str) -> Markup {
    let Some(first) = paired.order.first() else {
        return html! { (model.t("No winner yet: ", "Pas encore de vainqueur\u{a0}: ")) (open_stage(model, paired)) "." };
    };
    let first = html! { strong { (name(model, first, up)) } };
    let closed = paired.stages.iter().filter(|stage| stage.points.is_some()).count();
    match paired.system.as_str() {
        "knockout" => html! { (first) (model.t(" wins the knockout.", " gagne l’élimination directe.")) },
        _ if closed == 0 => {
            html! { (model.t("No result yet: ", "Pas encore de résultat\u{a0}: ")) (open_stage(model, paired)) "." }
        }
        "swiss" => html! {
            (first) (model.t(" leads the Swiss after ", " mène le système suisse après ")) (model.counted(closed as u64, ["round", "rounds"], ["ronde", "rondes"])) (model.t(", with ", ", avec "))
            (in_points(model, paired.table.first().map_or(0.0, |place| place.points))) "."
        },
        _ => html! { (first) (model.t(" is at the top of the ranking after ", " est en tête du classement après "))
        (model.counted(closed as u64, ["stage", "stages"], ["étape", "étapes"])) "." },
    }
}

/// `1 point`, `1.5 points`; in French `1,5 point`.
fn in_points(model: &View<'_>, points: f64) -> String {
    let is_one = model.language.pick(points == 1.0, points < 2.0);
    format!("{} {}", model.n(points), if is_one { model.t("point", "point") } else { model.t("points", "points") })
}

/// The stage under way, if nobody has won.
fn open_stage(model: &View<'_>, paired: &PairedStages) -> String {
    match paired.stages.last() {
        Some(stage) => {
            format!("{} {} {}", model.kind(&stage.kind), stage.round, model.t("is being played", "en cours"))
        }
        None => model.t("nothing is paired", "rien n’est tiré au sort").to_owned(),
    }
}

/// Where no pairing follows from results, who is first in the table of all matches, and whether that may be chance.
fn of_table(model: &View<'_>, up: &str) -> Markup {
    html! {
        (first_of_table(model, up))
        @if let Some(next) = next_of_one(model, &leaders(model)) { (model.t(" The results do not tell it from ", " Les résultats ne le distinguent pas de ")) (name(model, &next.client, up)) (model.t(" at 95\u{a0}%.", " à 95\u{a0}%.")) }
    }
}

fn leaders<'a>(model: &'a View<'_>) -> Vec<&'a StandingsRow> {
    model.published.standings.clients.iter().filter(|line| line.place == Some(1) && line.matches > 0).collect()
}

fn first_of_table(model: &View<'_>, up: &str) -> Markup {
    let (standings, leaders) = (&model.published.standings, leaders(model));
    let Some(best) = leaders.first() else {
        return html! { (model.t("No match is played yet.", "Aucune partie n’a encore été jouée.")) };
    };
    let with = match standings.ranked_by.as_deref() {
        Some(by) => format!(
            "{} {}, {}",
            model.t("with a mean score of", "avec un score moyen de"),
            model.n(format!("{:.3}", best.score.mean)),
            better(model, by)
        ),
        None => {
            format!(
                "{} {} {}",
                model.t("with", "avec"),
                model.n(format!("{:.3}", best.points.mean)),
                model.t("points a match", "points par partie")
            )
        }
    };
    html! {
        @if leaders.len() > MOST_NAMED { strong { (model.counted(leaders.len() as u64, ["client", "clients"], ["client", "clients"])) } }
        @else { @for (index, line) in leaders.iter().enumerate() {
            @if index > 0 { @if index + 1 == leaders.len() { (model.t(" and ", " et ")) } @else { ", " } }
            strong { (name(model, &line.client, up)) }
        } }
        @if leaders.len() > 1 { (model.t(" share the first place ", " partagent la première place ")) (with) "." } @else { (model.t(" is first ", " est premier ")) (with) "." }
    }
}

/// Which score is the better one, where places follow from scores.
pub(super) fn better(model: &View<'_>, ranked_by: &str) -> &'static str {
    if ranked_by == "low score" {
        model.t("the lower the better", "le plus bas est le meilleur")
    } else {
        model.t("the higher the better", "le plus haut est le meilleur")
    }
}

/// The one behind a single leader, where chance alone could have put them in this order.
fn next_of_one<'a>(model: &'a View<'_>, leaders: &[&StandingsRow]) -> Option<&'a StandingsRow> {
    let [first] = leaders else { return None };
    let next = model.published.standings.clients.iter().find(|line| line.place > Some(1) && line.matches > 0)?;
    let of = |line: &'a StandingsRow| model.measure(line);
    let ends = |mean: &Mean| mean.low.zip(mean.high);
    let first = model.published.standings.clients.iter().find(|line| line.client == first.client)?;
    let ((a_low, a_high), (b_low, b_high)) = (ends(of(first))?, ends(of(next))?);
    (a_low <= b_high && b_low <= a_high).then_some(next)
}

/// How much of a table or a bracket there is room for.
#[derive(Clone, Copy)]
pub(super) struct Room {
    /// Rows of a table, meetings of a round.
    pub rows: usize,
    /// The last rounds.
    pub rounds: usize,
}

impl Room {
    /// For all of it.
    pub const WHOLE: Room = Room { rows: usize::MAX, rounds: usize::MAX };

    /// The last of these for which there is room.
    fn last<T>(self, rounds: &[T]) -> &[T] {
        &rounds[rounds.len().saturating_sub(self.rounds)..]
    }

    /// How many more there are than there is room for.
    fn more(self, model: &View<'_>, rows: usize) -> Markup {
        html! { @if rows > self.rows { p.soft { (model.t("The first ", "Les premiers\u{a0}: ")) (self.rows) (model.t(" of ", " sur ")) (rows) "." } } }
    }
}

/// The table or the bracket of the system; nothing where the table of all matches is the result.
pub(super) fn section(model: &View<'_>, up: &str, room: Room) -> Markup {
    if let Some(test) = &model.published.test {
        return sequential::section(model, test);
    }
    let Some(paired) = &model.published.standings.pairing else { return html! {} };
    html! {
        h2 #result { @match paired.system.as_str() { "swiss" => (model.t("Swiss", "Système suisse")), "knockout" => (model.t("Knockout", "Élimination directe")), _ => (model.t("Ranking", "Classement continu")) } }
        @match paired.system.as_str() {
            "swiss" => (swiss(model, paired, up, room)),
            "knockout" => (bracket(model, paired, up, room)),
            _ => (ranking(model, paired, up, room)),
        }
    }
}

fn swiss(model: &View<'_>, paired: &PairedStages, up: &str, room: Room) -> Markup {
    let stages = room.last(&paired.stages);
    let is_named = paired.stages.len() <= MOST_NAMED_ROUNDS;
    let short = if is_named { shortened(&model.clients, RIVAL) } else { Vec::new() };
    html! {
        p.soft { (model.t("Equal points are parted by the points of the opponents. A bye counts as a meeting won. A round shows the opponent, by number where there are many rounds, and the points of both. It leads to their matches.", "À égalité, les points des adversaires départagent. Être exempt compte comme une rencontre gagnée. Une ronde montre l’adversaire, par son numéro quand il y a beaucoup de rondes, et les points des deux. Elle mène à leurs parties.")) }
        div.many tabindex="0" role="region" aria-labelledby="result" { table.cards.c3.swiss {
            thead { tr { th.r { "#" } th { "Client" } th.r { "Points" } th.r { (model.t("Opponents’", "Adversaires")) }
                @for stage in stages { th.r { (model.t("Round ", "Ronde ")) (stage.round) } } } }
            tbody { @for (index, place) in paired.table.iter().take(room.rows).enumerate() { tr data-client=[model.number(&place.client)] {
                td.r { (index + 1) }
                td { (name(model, &place.client, up)) }
                td.r { strong { (place.points) } }
                td.r { (place.opponents) }
                @for stage in stages { td.r { (meeting(model, (paired, stage, &short), &place.client, up)) } }
            } } }
        } }
        (room.more(model, paired.table.len()))
    }
}

/// With more rounds, opponents are numbers.
const MOST_NAMED_ROUNDS: usize = 7;
/// Longer names of opponents are cut.
const RIVAL: usize = 10;

/// The opponent of a client in a round, by its name or by its number in the table, and the points: `#3 2:1`.
fn meeting(
    model: &View<'_>,
    (paired, stage, short): (&PairedStages, &PairedStage, &[String]),
    client: &str,
    up: &str,
) -> Markup {
    let Some(at) = stage.meetings.iter().position(|meeting| meeting.iter().any(|label| label == client)) else {
        return html! { "–" };
    };
    let seats = &stage.meetings[at];
    let points = |seat: usize| stage.points.as_ref().and_then(|points| points.get(at)?.get(seat)).copied();
    let own = seats.iter().position(|label| label == client).unwrap_or(0);
    let Some(other) = seats.iter().position(|label| label != client) else {
        return html! { (model.t("bye", "exempt")) };
    };
    let number = paired.table.iter().position(|place| place.client == seats[other]);
    let told = points(own).zip(points(other)).map_or("…".to_owned(), |(won, lost)| model.n(format!("{won}:{lost}")));
    let words = html! {
        @if let Some(name) = model.number(&seats[other]).and_then(|number| short.get(number)) {
            @if *name == clean(&seats[other]) { span.rival { (name) } }
            @else { span.rival aria-hidden="true" { (name) } span.hear { (clean(&seats[other])) } }
        }
        @else if let Some(number) = number { span.number aria-hidden="true" { "#" (number + 1) } span.hear { (clean(&seats[other])) } }
        @else { bdi { (clean(&seats[other])) } }
        " " (told)
    };
    html! { span title=(clean(&seats[other])) { (to_pair(model, [client, &seats[other]], up, words)) } }
}

/// Words that lead to the matches of two, if these have a page.
fn to_pair(model: &View<'_>, [one, other]: [&str; 2], up: &str, words: Markup) -> Markup {
    let pair = model.number(one).zip(model.number(other));
    let met = pair.filter(|pair| model.has_pair_pages() && model.scores.contains_key(pair));
    html! { @match met { Some(pair) => a href=(format!("{up}{}", pair_path(pair))) { (words) }, None => (words) } }
}

fn ranking(model: &View<'_>, paired: &PairedStages, up: &str, room: Room) -> Markup {
    html! {
        p.soft { (model.t("Each challenges the neighbour above and takes its place by winning. Elo follows the meetings one after another, from 0; ratings fit all results at once, so theirs differ.", "Chacun défie son voisin du dessus et prend sa place s’il gagne. L’Elo suit les rencontres l’une après l’autre, à partir de 0\u{a0}; les cotes s’ajustent à tous les résultats à la fois et en diffèrent.")) }
        div.many tabindex="0" role="region" aria-labelledby="result" { table.cards.c2 {
            thead { tr { th.r { "#" } th { "Client" } th.r { (model.t("Meetings", "Rencontres")) } th.r { "Elo" } th.r { "±" } } }
            tbody { @for (index, place) in paired.ranking.iter().take(room.rows).enumerate() { tr data-client=[model.number(&place.client)] {
                td.r { (index + 1) }
                td { (name(model, &place.client, up)) }
                td.r { (place.meetings) }
                td.r { (format!("{:+.0}", place.elo.round() + 0.0)) }
                td.r { (format!("{:.0}", INTERVAL * place.deviation)) }
            } } }
        } }
        (room.more(model, paired.ranking.len()))
    }
}

/// The rounds side by side. Who met in a round stand together, and meetings of the next round between those that lead
/// to them.
fn bracket(model: &View<'_>, paired: &PairedStages, up: &str, room: Room) -> Markup {
    let rounds: Vec<&PairedStage> = paired.stages.iter().filter(|stage| stage.kind == "round").collect();
    let rounds = room.last(&rounds);
    html! {
        p.soft { (model.t("A tie that playoffs leave goes to the one higher in the seeding.", "Si les barrages ne décident pas, la meilleure tête de série passe.")) }
        div.many tabindex="0" role="region" aria-labelledby="result" { div.bracket {
            @for (index, round) in rounds.iter().enumerate() { section {
                h3 { @if round.meetings.len() == 1 { (model.t("Final", "Finale")) } @else { (model.t("Round ", "Ronde ")) (round.round) } }
                ul { @for (at, seats) in round.meetings.iter().take(room.rows).enumerate() { li { div.meeting {
                    @for (seat, label) in seats.iter().enumerate() {
                        @let goes_on = goes_on(paired, rounds.get(index + 1), label);
                        div.won[goes_on] data-client=[model.number(label)] {
                            (name(model, label, up))
                            @if let Some(other) = seats.iter().find(|other| *other != label) {
                                @let against = html! { (points(paired, round, (at, seat))) span.hear { " " (model.t("against", "contre")) " " (clean(other)) @if goes_on { (model.t(", goes on", ", continue")) } } };
                                span { (to_pair(model, [label, other], up, against)) }
                            }
                        }
                    }
                    @if seats.len() == 1 { div.bye { (model.t("bye", "exempt")) } }
                } } } }
                (room.more(model, round.meetings.len()))
            } }
            @if let Some(winner) = paired.order.first() { section {
                h3 { (model.t("Winner", "Vainqueur")) }
                ul { li { div.meeting { div.won.winner data-client=[model.number(winner)] { (name(model, winner, up)) } } } }
            } }
        } }
    }
}

/// How a client came out of a system with rounds: who put it out, or its place there.
pub(super) fn outcome(model: &View<'_>, label: &str, up: &str) -> Option<Markup> {
    let paired = model.published.standings.pairing.as_ref()?;
    let place =
        |mut labels: &mut dyn Iterator<Item = &String>| (&mut labels).position(|one| one == label).map(|at| at + 1);
    match paired.system.as_str() {
        "knockout" => knocked_out(model, paired, label, up),
        "swiss" => {
            let at = place(&mut paired.table.iter().map(|one| &one.client))?;
            Some(
                html! { (model.t("Place ", "Rang ")) (at) (model.t(" of ", " sur ")) (paired.table.len()) (model.t(" in the Swiss", " du système suisse")) "." },
            )
        }
        _ => {
            let at = place(&mut paired.ranking.iter().map(|one| &one.client))?;
            Some(
                html! { (model.t("Place ", "Rang ")) (at) (model.t(" of ", " sur ")) (paired.ranking.len()) (model.t(" in the ranking", " du défi permanent")) "." },
            )
        }
    }
}

fn knocked_out(model: &View<'_>, paired: &PairedStages, label: &str, up: &str) -> Option<Markup> {
    if paired.order.first().is_some_and(|winner| winner == label) {
        return Some(html! { (model.t("Wins the knockout.", "Remporte le tournoi à élimination.")) });
    }
    let rounds: Vec<&PairedStage> = paired.stages.iter().filter(|stage| stage.kind == "round").collect();
    let of = |round: &PairedStage| round.meetings.iter().position(|seats| seats.iter().any(|one| one == label));
    let (index, at) = rounds.iter().enumerate().rev().find_map(|(index, round)| Some((index, of(round)?)))?;
    let seats = &rounds[index].meetings[at];
    let other = seats.iter().find(|one| *one != label)?;
    let is_out = goes_on(paired, rounds.get(index + 1), other);
    Some(html! {
        @if is_out { (model.t("Lost ", "Perd ")) } @else { (model.t("Plays ", "Joue ")) }
        @if rounds[index].meetings.len() == 1 { (model.t("the final", "la finale")) } @else { (model.t("round ", "la ronde ")) (rounds[index].round) }
        (model.t(" against ", " contre ")) (name(model, other, up)) "."
    })
}

/// Whether a client is in the next round, or has won the last one.
fn goes_on(paired: &PairedStages, next: Option<&&PairedStage>, label: &str) -> bool {
    match next {
        Some(next) => next.meetings.iter().flatten().any(|other| other == label),
        None => paired.order.first().is_some_and(|winner| winner == label),
    }
}

/// The points of a seat of a meeting, then those of each playoff: `2`, or `2 + 1.5`.
fn points(paired: &PairedStages, round: &PairedStage, (at, seat): (usize, usize)) -> String {
    let of = |stage: &PairedStage, at: usize, seat: usize| stage.points.as_ref()?.get(at)?.get(seat).copied();
    let label = &round.meetings[at][seat];
    let playoffs = paired.stages.iter().filter(|stage| stage.kind.starts_with("playoff") && stage.round == round.round);
    let later = playoffs.filter_map(|stage| {
        let place = |meeting: &Vec<String>| meeting.iter().position(|other| other == label);
        let (at, seat) = stage.meetings.iter().enumerate().find_map(|(at, meeting)| Some((at, place(meeting)?)))?;
        of(stage, at, seat)
    });
    let all: Vec<String> = of(round, at, seat).into_iter().chain(later).map(|points| points.to_string()).collect();
    all.join(" + ")
}
