//! A seccomp filter as a decision tree: rules over intervals of call numbers become a BPF program that finds its rule in few jumps.

use libc::sock_filter;

/// What the kernel does with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Lets it through.
    Allow,
    /// Answers it with this error.
    Refuse(i32),
    /// Sends SIGSYS.
    Trap,
}

/// How a call is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// By its number alone.
    Always(Action),
    /// By an argument: the first action if it equals `value` under `mask`, the second otherwise. A mask of 32 bits tests the low
    /// half only, as the kernel does with an `int`.
    When { argument: u32, mask: u64, value: u64, yes: Action, no: Action },
}

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const AND: u16 = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const JUMP: u16 = (libc::BPF_JMP | libc::BPF_JA) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// Where `struct seccomp_data` has the call's number, its architecture and its arguments.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;

fn step(code: u16, k: u32) -> sock_filter {
    sock_filter { code, jt: 0, jf: 0, k }
}

fn branch(code: u16, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

/// The whole program: calls of another architecture kill, numbers without a rule trap. `rules` are sorted by number.
pub(super) fn compile(architecture: u32, rules: &[(u32, Rule)]) -> Vec<sock_filter> {
    let mut program = vec![
        step(LOAD, ARCHITECTURE),
        branch(EQUAL, architecture, 1, 0),
        step(RETURN, libc::SECCOMP_RET_KILL_PROCESS),
        step(LOAD, NUMBER),
    ];
    program.extend(tree(&intervals(rules)));
    program
}

/// Cuts the line of numbers where the rule changes: each entry rules from its number to the next entry's.
fn intervals(rules: &[(u32, Rule)]) -> Vec<(u32, Rule)> {
    const OTHERS: Rule = Rule::Always(Action::Trap);
    let mut cuts = vec![(0, OTHERS)];
    for &(number, rule) in rules {
        cuts.retain(|cut| cut.0 != number);
        cuts.push((number, rule));
        cuts.push((number + 1, OTHERS));
    }
    cuts.dedup_by(|next, cut| next.1 == cut.1);
    cuts
}

fn tree(cuts: &[(u32, Rule)]) -> Vec<sock_filter> {
    let [.., _, _] = cuts else { return cuts.first().map_or_else(Vec::new, |cut| leaf(cut.1)) };
    let (low, high) = cuts.split_at(cuts.len() / 2);
    let below = tree(low);
    let mut program = match u8::try_from(below.len()) {
        Ok(skip) => vec![branch(AT_LEAST, high[0].0, skip, 0)],
        Err(_) => vec![branch(AT_LEAST, high[0].0, 0, 1), step(JUMP, below.len() as u32)],
    };
    program.extend(below);
    program.extend(tree(high));
    program
}

fn leaf(rule: Rule) -> Vec<sock_filter> {
    match rule {
        Rule::Always(action) => vec![step(RETURN, code(action))],
        Rule::When { argument, mask, value, yes, no } => {
            let at = ARGUMENTS + argument * 8;
            let mut program = vec![step(LOAD, at), step(AND, mask as u32)];
            if mask >> 32 == 0 {
                program.push(branch(EQUAL, value as u32, 0, 1));
            } else {
                program.push(branch(EQUAL, value as u32, 0, 4));
                program.extend([step(LOAD, at + 4), step(AND, (mask >> 32) as u32)]);
                program.push(branch(EQUAL, (value >> 32) as u32, 0, 1));
            }
            program.extend([step(RETURN, code(yes)), step(RETURN, code(no))]);
            program
        }
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
mod tests {
    use super::*;

    /// Runs a program on a call, as the kernel does; also returns how many steps it took.
    fn run(program: &[sock_filter], number: u32, arguments: [u64; 6]) -> (u32, u32) {
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
        let rule = |n: u32| Rule::Always([Action::Allow, Action::Refuse(1), Action::Refuse(38)][n as usize % 3]);
        let rules: Vec<(u32, Rule)> = (0..900).filter(|n| n % 5 != 0).map(|n| (n, rule(n))).collect();
        let program = compile(7, &rules);
        for number in 0..1000 {
            let wanted = rules.iter().find(|(n, _)| *n == number).map_or(Rule::Always(Action::Trap), |found| found.1);
            let (result, steps) = run(&program, number, [0; 6]);
            assert_eq!(Rule::Always(Action::Allow) == wanted, result == libc::SECCOMP_RET_ALLOW, "{number}");
            assert_eq!(leaf(wanted)[0].k, result, "{number}");
            assert!(steps < 30, "{number}: {steps} steps");
        }
        assert_eq!(run(&compile(8, &rules), 1, [0; 6]).0, libc::SECCOMP_RET_KILL_PROCESS);
    }

    #[test]
    fn arguments_are_compared_by_half_or_whole() {
        let when = |mask, value| Rule::When { argument: 2, mask, value, yes: Action::Allow, no: Action::Trap };
        let program = compile(7, &[(3, when(0xff, 5)), (9, when(u64::MAX, 1 << 40))]);
        let allowed = |number, value| run(&program, number, [0, 0, value, 0, 0, 0]).0 == libc::SECCOMP_RET_ALLOW;
        assert!(allowed(3, 5) && allowed(3, 0xaa05) && !allowed(3, 4));
        assert!(allowed(9, 1 << 40) && !allowed(9, 0) && !allowed(9, (1 << 40) | 1) && !allowed(9, 1 << 41));
    }
}
