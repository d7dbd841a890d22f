//! Moments: in universal time, which is the same on every machine; the script of the pages writes them in the time of
//! the reader.

use crate::text::clean;
use maud::{Markup, html};

/// A moment in seconds since 1970: `2026-11-27 23:04 UTC`.
pub(super) fn moment(seconds: u64) -> Markup {
    let (day, clock) = (date(seconds / 86_400), seconds % 86_400);
    let time = format!("{:02}:{:02}", clock / 3_600, clock / 60 % 60);
    html! { time datetime=(format!("{day}T{time}:{:02}Z", clock % 60)) { (day) " " (time) " UTC" } }
}

/// A moment as settings and messages write it, `2026-11-27 23:04:03 +01:00`; another text stays as it is.
pub(super) fn written(text: &str) -> Markup {
    let parts: Vec<&str> = text.split(' ').collect();
    let is_digits = |part: &str| part.chars().all(|c| c.is_ascii_digit() || "-:+".contains(c));
    html! { @match parts.as_slice() {
        [day, time, zone] if day.len() == 10 && zone.len() == 6 && parts.iter().all(|part| is_digits(part)) => {
            time datetime=(format!("{day}T{time}{zone}")) { (text) }
        }
        _ => (clean(text)),
    } }
}

/// From the first moment to the last one.
pub(super) fn span([first, last]: [u64; 2]) -> Markup {
    html! { (moment(first)) @if last / 60 > first / 60 { " – " (moment(last)) } }
}

/// The date of a day since 1970.
fn date(mut day: u64) -> String {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
        if year > 9999 {
            break;
        }
    }
    let months = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while month < 11 && day >= months[month] {
        day -= months[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        let of = |day| date(day);
        assert_eq!(
            [0, 58, 59, 789, 790, 20_784].map(of),
            ["1970-01-01", "1970-02-28", "1970-03-01", "1972-02-29", "1972-03-01", "2026-11-27"]
        );
        assert!(date(u64::MAX / 86_400).len() < 40, "a damaged record is shown as well");
    }

    #[test]
    fn a_moment_has_its_place_in_the_page_for_the_script() {
        assert_eq!(
            moment(1_795_820_643).into_string(),
            "<time datetime=\"2026-11-27T23:04:03Z\">2026-11-27 23:04 UTC</time>"
        );
        let told = written("2026-12-24 18:00:00 +01:00").into_string();
        assert_eq!(told, "<time datetime=\"2026-12-24T18:00:00+01:00\">2026-12-24 18:00:00 +01:00</time>");
        assert_eq!(written("at <noon> today").into_string(), "at &lt;noon&gt; today");
    }
}
