//! A seccomp filter as a decision tree: rules over intervals of call numbers become a BPF program that finds its rule
//! in few jumps.

use super::mutants;
use libc::sock_filter;

/// The kernel's action for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Allow,
    /// Answers it with this error.
    Refuse(i32),
    Trap,
}

/// The verdict about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule<'a> {
    /// The rule judges by the number alone, which costs least: the kernel works these out when it loads the filter.
    Always(Action),
    /// The rule judges by the arguments: the first case that holds decides, or else the action.
    Cases(&'a [Case<'a>], Action),
}

/// The action for a call that passes all tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Case<'a> {
    pub(super) tests: &'a [Test],
    pub(super) then: Action,
}

/// Whether an argument equals `value` under `mask`. A mask of 32 bits tests the low half only, as the kernel does with
/// an `int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) argument: u32,
    pub(super) mask: u64,
    pub(super) value: u64,
}

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const AND: u16 = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const JUMP: u16 = (libc::BPF_JMP | libc::BPF_JA) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// The places of the call's number, its architecture and its arguments in `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;

fn step(code: u16, k: u32) -> sock_filter {
    sock_filter { code, jt: 0, jf: 0, k }
}

/// Makes the whole program. Calls of another architecture kill; numbers without a rule get the action of `others` from
/// their number on. Both lists are sorted by number.
pub(super) fn compile(architecture: u32, rules: &[(u32, Rule)], others: &[(u32, Action)]) -> Vec<sock_filter> {
    let mut program = Program { steps: Vec::with_capacity(4 * rules.len()), known: Vec::with_capacity(64) };
    let tree = program.tree(&intervals(rules, others));
    let kill = program.put(step(RETURN, libc::SECCOMP_RET_KILL_PROCESS));
    program.jump(tree);
    program.put(step(LOAD, NUMBER));
    let go_on = program.steps.len() - 1;
    let other = if mutants::leaves_out("seccomp", "architecture") { go_on } else { kill };
    program.branch(EQUAL, architecture, go_on, other);
    program.put(step(LOAD, ARCHITECTURE));
    program.steps.reverse();
    program.steps
}

/// Cuts the line of numbers where the rule changes: each entry rules from its number to the next entry's.
fn intervals<'a>(rules: &[(u32, Rule<'a>)], others: &[(u32, Action)]) -> Vec<(u32, Rule<'a>)> {
    let mut cuts: Vec<(u32, Rule)> = Vec::with_capacity(2 * rules.len() + others.len());
    let mut from = 0;
    let ends = rules.iter().map(|rule| rule.0).chain([u32::MAX]);
    for (index, end) in ends.enumerate() {
        let within = others.iter().filter(|other| other.0 > from && other.0 < end);
        let before = others.iter().rfind(|other| other.0 <= from).map(|other| (from, other.1));
        let gap = before.into_iter().filter(|_| from < end).chain(within.copied());
        cuts.extend(gap.map(|(number, action)| (number, Rule::Always(action))));
        cuts.extend(rules.get(index));
        from = end.saturating_add(1);
    }
    cuts.dedup_by(|next, cut| next.1 == cut.1);
    cuts
}

/// A program, built from its last step to its first because it only jumps forward. A step's place, counted from the
/// end, is known to all that lead to it.
struct Program<'a> {
    steps: Vec<sock_filter>,
    /// The rules that it contains already, and their places: each occurs once.
    known: Vec<(Rule<'a>, usize)>,
}

impl<'a> Program<'a> {
    fn put(&mut self, step: sock_filter) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// The number of steps between the next step to be put and `target`.
    fn distance(&self, target: usize) -> usize {
        self.steps.len() - target - 1
    }

    fn jump(&mut self, target: usize) -> usize {
        match self.distance(target) {
            0 => target,
            distance => self.put(step(JUMP, distance as u32)),
        }
    }

    /// Branches to `yes` or `no`. A branch reaches 255 steps; for a target further away, a jump follows the branch.
    fn branch(&mut self, code: u16, value: u32, mut yes: usize, mut no: usize) -> usize {
        const FAR: usize = u8::MAX as usize - 1;
        if self.distance(yes) > FAR {
            yes = self.jump(yes);
        }
        if self.distance(no) > FAR {
            no = self.jump(no);
        }
        let [jt, jf] = [yes, no].map(|target| self.distance(target) as u8);
        self.put(sock_filter { code, jt, jf, k: value })
    }

    fn tree(&mut self, cuts: &[(u32, Rule<'a>)]) -> usize {
        if let [cut] = cuts {
            return self.rule(cut.1);
        }
        let (low, high) = cuts.split_at(cuts.len() / 2);
        let (above, below) = (self.tree(high), self.tree(low));
        self.branch(AT_LEAST, high[0].0, above, below)
    }

    fn rule(&mut self, rule: Rule<'a>) -> usize {
        if let Some(known) = self.known.iter().find(|known| known.0 == rule) {
            return known.1;
        }
        let start = match rule {
            Rule::Always(action) => self.put(step(RETURN, code(action))),
            Rule::Cases(cases, otherwise) => {
                let mut next = self.rule(Rule::Always(otherwise));
                for case in cases.iter().rev() {
                    let then = self.rule(Rule::Always(case.then));
                    next = case.tests.iter().rev().fold(then, |then, test| self.test(test, then, next));
                }
                next
            }
        };
        self.known.push((rule, start));
        start
    }

    fn test(&mut self, test: &Test, yes: usize, no: usize) -> usize {
        let at = ARGUMENTS + test.argument * 8;
        let halves = [(at, test.mask, test.value), (at + 4, test.mask >> 32, test.value >> 32)];
        halves.into_iter().filter(|half| half.1 as u32 != 0).fold(yes, |yes, (at, mask, value)| {
            self.branch(EQUAL, value as u32, yes, no);
            if mask as u32 != u32::MAX {
                self.put(step(AND, mask as u32));
            }
            self.put(step(LOAD, at))
        })
    }
}

fn code(action: Action) -> u32 {
    match action {
        Action::Allow => libc::SECCOMP_RET_ALLOW,
        Action::Refuse(error) => libc::SECCOMP_RET_ERRNO | error as u32,
        Action::Trap => libc::SECCOMP_RET_TRAP,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Runs a program on a call, as the kernel does, and returns the number of its steps as well.
    pub fn run(program: &[sock_filter], number: u32, arguments: [u64; 6]) -> (u32, u32) {
        let load = |at: u32| match at {
            NUMBER => number,
            ARCHITECTURE => 7,
            _ => (arguments[(at - ARGUMENTS) as usize / 8] >> ((at % 8) * 8)) as u32,
        };
        let (mut at, mut value, mut steps) = (0, 0, 0);
        loop {
            let step = program[at];
            (at, steps) = (at + 1, steps + 1);
            let jump = |yes: bool| at + usize::from(if yes { step.jt } else { step.jf });
            match step.code {
                LOAD => value = load(step.k),
                AND => value &= step.k,
                EQUAL => at = jump(value == step.k),
                AT_LEAST => at = jump(value >= step.k),
                JUMP => at += step.k as usize,
                _ => return (step.k, steps),
            }
        }
    }

    #[test]
    fn every_number_finds_its_rule_in_few_steps() {
        let action = |n: u32| [Action::Allow, Action::Refuse(n as i32), Action::Trap][n as usize % 3];
        let rules: Vec<(u32, Rule)> = (0..900).filter(|n| n % 5 != 0).map(|n| (n, Rule::Always(action(n)))).collect();
        let others = [(0, Action::Refuse(5)), (450, Action::Refuse(38))];
        let program = compile(7, &rules, &others);
        for number in 0..1000 {
            let other = others[usize::from(number >= 450)].1;
            let wanted = if number < 900 && number % 5 != 0 { action(number) } else { other };
            let (result, steps) = run(&program, number, [0; 6]);
            assert_eq!(code(wanted), result, "{number}");
            assert!(steps < 40, "{number}: {steps} steps");
        }
        assert_eq!(run(&compile(8, &rules, &others), 1, [0; 6]).0, libc::SECCOMP_RET_KILL_PROCESS);
    }

    #[test]
    fn arguments_are_compared_by_half_or_whole() {
        const fn test(argument: u32, mask: u64, value: u64) -> Test {
            Test { argument, mask, value }
        }
        const fn allow(tests: &[Test]) -> Case<'_> {
            Case { tests, then: Action::Allow }
        }
        const REFUSED: Case = Case { tests: &[test(2, 0xff, 6)], then: Action::Refuse(1) };
        const LOW: [Case; 2] = [allow(&[test(2, 0xff, 5)]), REFUSED];
        const WHOLE: [Case; 1] = [allow(&[test(2, u64::MAX, 1 << 40)])];
        const BOTH: [Case; 2] =
            [allow(&[test(2, !0xffff, 0), test(1, 0xffff_ffff, 7)]), allow(&[test(2, u64::MAX, 1)])];
        let rules = [&LOW[..], &WHOLE, &BOTH].map(|cases| Rule::Cases(cases, Action::Trap));
        let program = compile(7, &[(3, rules[0]), (9, rules[1]), (12, rules[2])], &[(0, Action::Trap)]);
        let allowed = |number, value| run(&program, number, [0, 7, value, 0, 0, 0]).0 == libc::SECCOMP_RET_ALLOW;
        assert!(allowed(3, 5) && allowed(3, 0xaa05) && !allowed(3, 4));
        assert_eq!(run(&program, 3, [0, 0, 6, 0, 0, 0]).0, code(Action::Refuse(1)));
        assert!(allowed(9, 1 << 40) && !allowed(9, 0) && !allowed(9, (1 << 40) | 1) && !allowed(9, 1 << 41));
        assert!(allowed(12, 0xffff) && !allowed(12, 0x10000) && !allowed(12, 1 << 40));
        assert_eq!(run(&program, 12, [0, 8, 9, 0, 0, 0]).0, libc::SECCOMP_RET_TRAP, "both tests of a case must hold");
        assert_eq!(run(&program, 12, [0, 8, 1, 0, 0, 0]).0, libc::SECCOMP_RET_ALLOW, "the next case is tried");
    }
}
