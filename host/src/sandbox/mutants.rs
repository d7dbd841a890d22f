//! Sandboxes with one rule less: `tools/mutants` checks that an act succeeds without each rule. They exist only in a
//! host built with `--cfg sandbox_mutants`. The file `agon-host.mutant` next to it lists the rules to leave out, one a
//! line, by the names that [`list`] gives.

use super::filter::{Action, Case, Rule};
use super::{landlock, limits, privileges, rules};
use agon_abi::Layer;
use std::sync::OnceLock;

/// The names of all rules that can be left out; each is a layer and a word.
pub fn list() -> Vec<String> {
    let named = |layer: &'static str, words: &[&str]| -> Vec<String> {
        words.iter().map(|word| format!("{layer} {word}")).collect()
    };
    let whole = Layer::ALL.map(|layer| format!("{} whole", layer.name()));
    let swapped = (1..super::ORDER.len()).map(|place| format!("order {place}"));
    let of_calls = rules::changes().into_iter().map(|(call, change)| format!("seccomp {call}:{change}"));
    let mut all: Vec<String> = whole.into_iter().chain(swapped).collect();
    all.extend(named("limits", &limits::RULES));
    all.extend(landlock::rights().into_iter().map(|right| format!("landlock {right}")));
    all.extend(named("privileges", &privileges::RULES));
    all.extend(named("seccomp", &["architecture"]));
    all.extend(of_calls);
    all
}

/// Whether this rule of this layer is left out.
pub(super) fn leaves_out(layer: &str, word: &str) -> bool {
    chosen().iter().any(|rule| rule.split_once(' ') == Some((layer, word)))
}

/// The order of the layers; two neighbours may be exchanged.
pub(super) fn order(mut order: [Layer; 4]) -> [Layer; 4] {
    (1..order.len())
        .filter(|place| leaves_out("order", &place.to_string()))
        .for_each(|place| order.swap(place - 1, place));
    order
}

/// The rules of the filter without those to be left out.
pub(super) fn weaken<'a>(rules: &[(u32, Rule<'a>)]) -> Vec<(u32, Rule<'a>)> {
    let mut rules = rules.to_vec();
    let of_filter = chosen().iter().filter_map(|rule| rule.strip_prefix("seccomp ")?.split_once(':'));
    for (call, change) in of_filter {
        let (Ok(call), Ok(change)) = (call.parse(), change.parse()) else { continue };
        match rules.iter_mut().find(|rule| rule.0 == call) {
            Some(rule) => rule.1 = changes(rule.1).into_iter().nth(change).unwrap_or(rule.1),
            None => rules.push((call, Rule::Always(Action::Allow))),
        }
    }
    rules.sort_unstable_by_key(|rule| rule.0);
    rules
}

/// The fork server reads it once, because its children reach no file.
fn chosen() -> &'static [String] {
    static CHOSEN: OnceLock<Vec<String>> = OnceLock::new();
    CHOSEN.get_or_init(|| {
        let file = std::env::current_exe().unwrap_or_default().with_extension("mutant");
        let text = std::fs::read_to_string(file).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    })
}

/// Every rule that lets more through than this one: everything; the calls without a case; those that a case refuses;
/// those that a test excludes from a case.
pub(super) fn changes<'a>(rule: Rule<'a>) -> Vec<Rule<'a>> {
    let (cases, otherwise) = match rule {
        Rule::Always(Action::Allow) => return Vec::new(),
        Rule::Always(_) => return vec![Rule::Always(Action::Allow)],
        Rule::Cases(cases, otherwise) => (cases, otherwise),
    };
    let mut changed = Vec::new();
    if otherwise != Action::Allow {
        changed.push(Rule::Cases(cases, Action::Allow));
    }
    for (index, case) in cases.iter().enumerate() {
        let mut with = |case: Case<'a>| {
            let mut cases = cases.to_vec();
            cases[index] = case;
            changed.push(Rule::Cases(cases.leak(), otherwise));
        };
        match case.then {
            Action::Allow => {
                for left_out in 0..case.tests.len() {
                    let mut tests = case.tests.to_vec();
                    tests.remove(left_out);
                    with(Case { tests: tests.leak(), then: Action::Allow });
                }
            }
            _ => with(Case { tests: case.tests, then: Action::Allow }),
        }
    }
    changed
}
