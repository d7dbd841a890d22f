//! The ticks of the kernel: the time in which other machines had this one's cores.

/// Ticks of a hundredth of a second, summed over all cores since the machine started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticks {
    /// The ticks in which other machines had this one's cores.
    pub stolen: u64,
    pub all: u64,
}

impl Ticks {
    /// Reads the ticks up to now; `None` where the kernel does not report them.
    pub fn read() -> Option<Ticks> {
        Ticks::parse(&std::fs::read_to_string("/proc/stat").ok()?)
    }

    /// The ticks in which other machines had these cores; `None` where the kernel does not report them.
    pub fn stolen_from(cores: &[usize]) -> Option<u64> {
        Ticks::sum_stolen(&std::fs::read_to_string("/proc/stat").ok()?, cores)
    }

    /// Sums the lines of `/proc/stat` for single cores.
    fn sum_stolen(text: &str, cores: &[usize]) -> Option<u64> {
        let core = |line: &str| -> Option<(usize, u64)> {
            let mut words = line.strip_prefix("cpu")?.split(' ');
            let core = words.next()?.parse().ok()?;
            Some((core, words.nth(7)?.parse().ok()?))
        };
        let found: Vec<u64> =
            text.lines().filter_map(core).filter(|(core, _)| cores.contains(core)).map(|(_, ticks)| ticks).collect();
        (!found.is_empty()).then(|| found.iter().sum())
    }

    /// Reads the first line of `/proc/stat`.
    fn parse(text: &str) -> Option<Ticks> {
        let line = text.lines().next()?;
        let ticks: Vec<u64> = line.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
        Some(Ticks { stolen: *ticks.get(7)?, all: ticks.iter().take(8).sum() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_taken_by_other_machines_is_read() {
        let text = "cpu  10 20 30 40 50 60 70 4363 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n";
        assert_eq!(Ticks::parse(text), Some(Ticks { stolen: 4363, all: 4643 }));
        assert_eq!((Ticks::parse("cpu 1 2 3\n"), Ticks::parse("")), (None, None));
        assert_eq!((Ticks::sum_stolen(text, &[0]), Ticks::sum_stolen(text, &[1])), (Some(8), None));
    }
}
