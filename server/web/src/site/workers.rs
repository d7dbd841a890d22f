//! The page of the workers of other machines, for the operator alone: what `agon worker list` shows, and a form each.

use super::{PageKind, Ways, outline};
use crate::text::clean;
use agon_games::Language;
use agon_model::WorkerState;
use agon_model::documents::{Worker, Workers};
use maud::{Markup, html};

/// The page of the workers, with what came of the last form.
pub fn workers_page(Workers { workers, more, .. }: &Workers, note: &str, language: Language) -> String {
    let t = |english, french| language.pick(english, french);
    let known = Known::of(workers);
    let body = html! {
        @if !note.is_empty() { p role="status" { b { (clean(note)) } } }
        @if !workers.is_empty() { p.headline { (summary(workers, language)) } }
        p.soft { (t("Workers choose their names. A button acts on the machine of its row alone; a drained worker ends after its blocks. The table is renewed every few seconds.", "Les ouvriers choisissent leur nom. Un bouton n’agit que sur la machine de sa ligne\u{a0}; «\u{a0}Faire finir\u{a0}» laisse l’ouvrier terminer ses blocs. Le tableau se renouvelle toutes les quelques secondes."))
            @if known.speed { " " (t("A speed of 1 is that of the reference machine.", "Une vitesse de 1 est celle de la machine de référence.")) } }
        noscript { p { a href="/workers" { (t("Load again", "Recharger")) } } }
        @if workers.is_empty() { p { (t("No worker has come yet.", "Aucun ouvrier n’est encore venu.")) } }
        @else { div.many #workers tabindex="0" role="region" aria-label=(t("Workers", "Ouvriers")) { table.cards.c2.workers {
            thead { tr { th.r { "#" } th { (t("Worker", "Ouvrier")) }
                @if known.line { th { (t("Line", "Invitation")) } } th { (t("State", "État")) } th.r { (t("Cores", "Cœurs")) } th.r { (t("Matches at once", "Parties à la fois")) }
                @if known.speed { th.r { (t("Speed", "Vitesse")) } } th.r { (t("Blocks now", "Blocs en cours")) } th.r { (t("Blocks played", "Blocs joués")) }
                @if known.an_hour { th.r { (t("Blocks an hour", "Blocs par heure")) } } @if known.faults { th.r { (t("Refused", "Refusés")) } }
                th.r { (t("Last heard of", "Dernier contact")) } th { (t("Change", "Modifier")) } } }
            tbody { @for worker in workers { (row(worker, known, language)) } }
        } } }
        @if *more > 0 { p { (more) " " (t("more left and are not listed; this command lists all:", "autres sont partis et ne sont pas montrés\u{a0}; cette commande les montre tous\u{a0}:")) " " code { "agon worker list --all" } } }
    };
    outline(
        (PageKind::Operator, language),
        t("Workers", "Ouvriers"),
        "/",
        Ways { is_served: true, ..Ways::default() }.row(language, ""),
        body,
    )
}

/// All workers in one line: how many play, and how fast.
fn summary(workers: &[Worker], language: Language) -> String {
    let playing = || workers.iter().filter(|worker| worker.state == WorkerState::Active);
    let (count, all) = (playing().count(), workers.len());
    let jobs: u64 = playing().map(|worker| u64::from(worker.jobs)).sum();
    let an_hour: u64 = playing().filter_map(|worker| worker.blocks_an_hour).sum();
    let speed = match an_hour {
        0 => String::new(),
        blocks => language.pick(format!("; {blocks} blocks an hour"), format!(" ; {blocks} blocs par heure")),
    };
    language.pick(
        format!("{count} of {all} {}; matches at once: {jobs}{speed}.", ["plays", "play"][usize::from(count != 1)]),
        format!(
            "{count} sur {all} {} ; parties à la fois : {jobs}{speed}.",
            ["joue", "jouent"][usize::from(count > 1)]
        ),
    )
}

/// Columns that are not the same empty cell for every worker.
#[derive(Clone, Copy)]
struct Known {
    line: bool,
    speed: bool,
    an_hour: bool,
    faults: bool,
}

impl Known {
    fn of(workers: &[Worker]) -> Known {
        Known {
            line: workers.iter().any(|worker| worker.line.is_some()),
            speed: workers.iter().any(|worker| worker.speed.is_some()),
            an_hour: workers.iter().any(|worker| worker.blocks_an_hour.is_some()),
            faults: workers.iter().any(|worker| worker.faults > 0),
        }
    }
}

fn row(worker: &Worker, known: Known, language: Language) -> Markup {
    let t = |english, french| language.pick(english, french);
    let name = clean(&worker.worker);
    let state = match worker.state {
        WorkerState::Active => t("plays", "joue"),
        WorkerState::Silent => t("silent", "silencieux"),
        WorkerState::Draining => t("ends after its blocks", "se termine après ses blocs"),
        WorkerState::Over => t("told that it is over", "averti de la fin"),
        WorkerState::Gone => t("gone", "parti"),
        WorkerState::Banned => t("banned", "exclu"),
    };
    html! { tr {
        td.r { (worker.id) }
        td { b { bdi { (name) } } }
        @if known.line { td { @if let Some(line) = &worker.line { bdi { (clean(line)) } } } }
        td { (state) @if let Some(why) = &worker.why { (language.pick(": ", "\u{a0}: ")) (clean(why)) } }
        td.r { (worker.cores) } td.r { (worker.jobs) }
        @if known.speed { td.r { @if let Some(speed) = worker.speed { (language.numbers(format!("{speed:.2}"))) } } }
        td.r { (worker.has) } td.r { (worker.blocks) }
        @if known.an_hour { td.r { @if let Some(blocks) = worker.blocks_an_hour { (blocks) } } }
        @if known.faults { td.r { (worker.faults) } }
        td.r.soft[worker.state != WorkerState::Active] { (language.pick("", "il y a ")) (worker.seen_s) " s" (language.pick(" ago", "")) }
        td { form method="post" action="/workers/act" {
            input type="hidden" name="worker" value=(worker.id);
            button name="do" value="drain" { (t("Drain", "Faire finir")) }
            // What hits harder is not reached by one press.
            details { summary { (t("Ban or void…", "Exclure ou annuler…")) }
                p.soft { (t("A banned machine gets no blocks under any name; what it played stays.", "Une machine exclue ne reçoit plus de blocs, sous aucun nom\u{a0}; ce qu’elle a joué reste.")) }
                button name="do" value="ban" { (t("Ban", "Exclure")) }
                p.soft { (t("Voided results leave the record and are played again. This works while no ladder is played.", "Les résultats annulés quittent l’enregistrement et sont rejoués. Cela marche quand aucun tournoi ne se joue.")) }
                button name="do" value="void" { (t("Void its results", "Annuler ses résultats")) }
            }
        } }
    } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(document: &str, note: &str, language: Language) -> String {
        workers_page(&serde_json::from_str(document).unwrap(), note, language)
    }

    #[test]
    fn a_row_a_worker_in_both_languages_and_names_are_only_text() {
        let document = r#"{"workers":[{"id":7,"worker":"<b>lab","line":"pool","state":"active","cores":8,"jobs":6,"speed":1.256,
            "has":2,"blocks":340,"blocks_an_hour":680,"faults":3,"seen_s":4,"why":null}],"more":37}"#;
        for (language, state, title) in
            [(Language::English, "plays", "Workers"), (Language::French, "joue", "Ouvriers")]
        {
            let page = page(document, "done", language);
            for part in [
                state,
                title,
                language.pick(
                    "1 of 1 plays; matches at once: 6; 680 blocks an hour.",
                    "1 sur 1 joue ; parties à la fois : 6 ; 680 blocs par heure.",
                ),
                "pool",
                "37 ",
                "agon worker list --all",
                "&lt;b&gt;lab",
                language.pick("1.26", "1,26"),
                "680",
                "value=\"7\"",
                "done",
                "content=\"same-origin\"",
            ] {
                assert!(page.contains(part), "{part}: {page}");
            }
            assert!(page.contains("form-action 'self'") || page.contains("form-action &#39;self&#39;"), "{page}");
        }
        let over = document.replace("\"active\"", "\"over\"");
        assert!(page(&over, "", Language::French).contains("averti de la fin"));
        let bare = r#"{"workers":[{"id":7,"worker":"lab","line":null,"state":"active","cores":8,"jobs":6,"speed":null,
            "has":2,"blocks":0,"blocks_an_hour":null,"faults":0,"seen_s":4,"why":null}],"more":0}"#;
        let columns = |document| page(document, "", Language::English).matches("<th").count() - 1;
        assert_eq!([columns(document), columns(bare)], [13, 9], "what is empty for all has no column");
    }
}
