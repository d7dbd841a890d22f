//! The speed of a machine, and the times of matches that follow from it.

use crate::{Entrant, TimeControl, TimeScale};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The largest difference between runs, or jobs, as a share of their median.
const STEADY: f64 = 0.10;
/// The range of speeds in which more or less time makes up for the difference.
const FIT: RangeInclusive<f64> = 0.33..=3.0;

/// How fast a machine computes while all its jobs are busy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineSpeed {
    /// Its speed as a multiple of the reference's.
    pub relative: f64,
    /// The difference between runs of the same work, or between jobs, as a share of their median.
    pub spread: f64,
    /// The processor's name: printable ASCII, at most 60 characters.
    pub class: String,
}

impl MachineSpeed {
    /// The times of a ladder on this machine.
    ///
    /// # Errors
    /// They depend on its speed, and it cannot replace another machine; the error is a sentence.
    pub fn scale(&self, time: &TimeControl) -> Result<TimeControl, String> {
        match time.scale {
            TimeScale::Off => Ok(time.clone()),
            TimeScale::Reference => self.fit().map(|speed| time.on_machine(speed)),
        }
    }

    /// The times on this machine of the entrants of a ladder that have their own.
    pub fn own_times(&self, entrants: &[Entrant], common: &TimeControl) -> Result<Vec<Option<TimeControl>>, String> {
        let own = |entrant: &Entrant| entrant.own_time().map(|own| self.scale(&own.over(common))).transpose();
        entrants.iter().map(own).collect()
    }

    fn fit(&self) -> Result<f64, String> {
        let (speed, spread) = (self.relative, self.spread);
        if spread > STEADY {
            let percent = 100.0 * spread;
            return Err(format!(
                "the speed of this machine varies by {percent:.0} % while all jobs are busy, and its times are scaled by \
                 it ([time] scale); help: end what else runs here, or play fewer at once (--jobs)"
            ));
        }
        if !FIT.contains(&speed) {
            let (least, most) = (FIT.start(), FIT.end());
            return Err(format!(
                "this machine is {speed:.2} times as fast as the reference, and [time] scale makes up for {least} to \
                 {most} times; help: play there under scale = \"off\""
            ));
        }
        Ok(speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ClockKind, WALL_FACTOR};

    fn speed(relative: f64, spread: f64) -> MachineSpeed {
        MachineSpeed { relative, spread, class: String::new() }
    }

    #[test]
    fn a_machine_fits_if_it_is_steady_and_about_as_fast() {
        assert_eq!(speed(1.5, 0.1).fit(), Ok(1.5));
        assert_eq!(speed(0.33, 0.0).fit(), Ok(0.33));
        assert!(speed(1.0, 0.11).fit().unwrap_err().contains("varies by 11 %"));
        assert!(speed(0.32, 0.0).fit().unwrap_err().contains("0.32 times"));
        assert!(speed(3.01, 0.0).fit().unwrap_err().contains("3.01 times"));
    }

    #[test]
    fn times_follow_the_speed_only_where_they_are_to() {
        let time = |scale| TimeControl {
            clock: ClockKind::Cpu,
            total_us: Some(10_000_000),
            increment_us: 100_000,
            period: None,
            per_move_us: None,
            load_us: 5_000_000,
            initialize_us: 4_000_000,
            finalize_us: 1,
            wall_factor: WALL_FACTOR,
            scale,
        };
        assert_eq!(speed(2.0, 0.5).scale(&time(TimeScale::Off)), Ok(time(TimeScale::Off)));
        let scaled = speed(2.0, 0.0).scale(&time(TimeScale::Reference)).unwrap();
        let asked = time(TimeScale::Reference);
        assert_eq!((scaled.total_us, scaled.increment_us, scaled.per_move_us), (Some(5_000_000), 50_000, None));
        assert_eq!((scaled.initialize_us, scaled.finalize_us, scaled.load_us), (2_000_000, 1, asked.load_us));
        assert_eq!(speed(0.5, 0.0).scale(&asked).unwrap().total_us, Some(20_000_000));
        assert!(speed(2.0, 0.5).scale(&asked).is_err());
    }
}
