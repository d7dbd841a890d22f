//! Whose link leads to which seats. Who has a link sees what these seats may see, and moves for them.

use agon_command::Failure;
use agon_games::Seat;

/// One link.
pub struct PlayLink {
    /// In its address.
    pub name: String,
    pub seats: Vec<Seat>,
    /// What nobody else knows.
    pub token: String,
}

/// One for all people where nothing is hidden or there is one; and one each where there are several.
pub fn links(
    people: &[Seat],
    hides: bool,
    draw_token: impl Fn() -> Result<String, Failure>,
) -> Result<Vec<PlayLink>, Failure> {
    let is_shared = !hides || people.len() < 2;
    let all = is_shared.then(|| ("play".to_owned(), people.to_vec()));
    let each = people.iter().filter(|_| people.len() > 1).map(|seat| (format!("seat-{}", seat + 1), vec![*seat]));
    let link = |(name, seats)| Ok(PlayLink { name, seats, token: draw_token()? });
    all.into_iter().chain(each).map(link).collect()
}

/// One for whoever begins a board, and one for each of those who are invited to it.
pub fn invited(
    own: Vec<Seat>,
    guests: &[Seat],
    draw_token: impl Fn() -> Result<String, Failure>,
) -> Result<Vec<PlayLink>, Failure> {
    let guests = guests.iter().map(|seat| (format!("seat-{}", seat + 1), vec![*seat]));
    let link = |(name, seats)| Ok(PlayLink { name, seats, token: draw_token()? });
    std::iter::once(("own".to_owned(), own)).chain(guests).map(link).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_shares_what_is_hidden() {
        let names = |people: &[Seat], hides| {
            let links = links(people, hides, || Ok(String::new())).unwrap_or_default();
            links.into_iter().map(|link| (link.name, link.seats)).collect::<Vec<_>>()
        };
        let play = |seats: &[Seat]| ("play".to_owned(), seats.to_vec());
        let own = |seat: Seat| (format!("seat-{}", seat + 1), vec![seat]);
        assert_eq!(names(&[1], true), [play(&[1])]);
        assert_eq!(names(&[0, 2], true), [own(0), own(2)]);
        assert_eq!(names(&[0, 1], false), [play(&[0, 1]), own(0), own(1)]);
    }
}
