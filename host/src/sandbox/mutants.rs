//! Filters with one rule less, by which tests see that each rule is missed. Only in a host that is built with `--cfg
//! sandbox_mutants`: which rule stands in the file `agon-host.mutant` beside it, as a call's number and that of the
//! change.

use super::filter::{Action, Case, Rule};
use std::sync::OnceLock;

/// The rules without the one that is to be left out.
pub(super) fn weaken<'a>(rules: &[(u32, Rule<'a>)]) -> Vec<(u32, Rule<'a>)> {
    let mut rules = rules.to_vec();
    let Some((call, change)) = chosen() else { return rules };
    match rules.iter_mut().find(|rule| rule.0 == call) {
        Some(rule) => rule.1 = changes(rule.1).into_iter().nth(change).unwrap_or(rule.1),
        None => {
            rules.push((call, Rule::Always(Action::Allow)));
            rules.sort_unstable_by_key(|rule| rule.0);
        }
    }
    rules
}

/// Read once, by the fork server: its children reach no file any more.
fn chosen() -> Option<(u32, usize)> {
    static CHOSEN: OnceLock<Option<(u32, usize)>> = OnceLock::new();
    *CHOSEN.get_or_init(|| {
        let file = std::env::current_exe().ok()?.with_extension("mutant");
        let text = std::fs::read_to_string(file).ok()?;
        let (call, change) = text.trim().split_once(' ')?;
        Some((call.parse().ok()?, change.parse().ok()?))
    })
}

/// Each rule that lets more through than this one: all, what no case is for, what a case refuses, what a test keeps a
/// case from.
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
