//! When a worker reports its presence.

use std::time::{Duration, Instant};

/// How long a worker may be silent before it knows its ladder's limit.
const LEASE: Duration = Duration::from_secs(60);

/// The last signs of a worker. An exchange that brings blocks renews its leases as a report does, but only a report
/// brings orders and refusals.
pub struct Presence {
    reported: Option<Instant>,
    exchanged: Option<Instant>,
    lease: Duration,
}

impl Default for Presence {
    fn default() -> Presence {
        Presence { reported: None, exchanged: None, lease: LEASE }
    }
}

impl Presence {
    /// Whether a report is due; the first one precedes the first claim.
    pub fn is_report_due(&self, now: Instant) -> bool {
        self.next_report().is_none_or(|next| next <= now)
    }

    /// When the next report is due; `None` = at once.
    pub fn next_report(&self) -> Option<Instant> {
        let reported = self.reported?;
        let sign = self.exchanged.map_or(reported, |exchanged| exchanged.max(reported));
        Some((sign + self.lease / 3).min(reported + self.lease))
    }

    /// A report was answered, with this limit of silence.
    pub fn reported(&mut self, now: Instant, lease: Duration) {
        (self.reported, self.lease) = (Some(now), lease);
    }

    /// An exchange brought blocks.
    pub fn exchanged(&mut self, now: Instant) {
        self.exchanged = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanges_stand_for_reports_until_orders_are_due() {
        let (begin, second) = (Instant::now(), Duration::from_secs(1));
        let mut presence = Presence::default();
        presence.exchanged(begin);
        assert!(presence.is_report_due(begin), "the first report comes first");
        presence.reported(begin, 60 * second);
        assert!(!presence.is_report_due(begin + 19 * second) && presence.is_report_due(begin + 20 * second));
        presence.exchanged(begin + 15 * second);
        assert_eq!(presence.next_report(), Some(begin + 35 * second));
        presence.exchanged(begin + 55 * second);
        assert_eq!(presence.next_report(), Some(begin + 60 * second));
        presence.reported(begin + 60 * second, 30 * second);
        assert_eq!(presence.next_report(), Some(begin + 70 * second));
    }
}
