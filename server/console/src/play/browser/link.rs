//! Links that lead to seats. Anyone with a link sees what its seats may see, and moves for them; an invitation is for
//! the first browser that takes it, and for no other one.

use agon_command::Failure;
use agon_games::Seat;
use blake3::Hash;
use std::sync::OnceLock;

/// A link to seats of a board.
pub struct PlayLink {
    /// The name of the link in its address.
    pub name: String,
    pub seats: Vec<Seat>,
    /// The secret part of the link.
    pub token: String,
    /// The taker of an invitation that a visitor passed on.
    pub invitation: Option<SeatClaim>,
}

/// The taker of an invitation: the hash of a secret that only its browser knows.
#[derive(Default)]
pub struct SeatClaim(OnceLock<Hash>);

impl PlayLink {
    /// A link that leads anybody who has it to its seats.
    pub fn new(name: String, seats: Vec<Seat>, token: String) -> PlayLink {
        PlayLink { name, seats, token, invitation: None }
    }

    /// Whether people who come by it only watch.
    pub fn is_to_watch(&self) -> bool {
        self.seats.is_empty()
    }

    /// Whether it is an invitation that somebody took.
    pub fn is_taken(&self) -> bool {
        self.invitation.as_ref().is_some_and(|invitation| invitation.0.get().is_some())
    }

    /// Takes the invitation for the browser with this secret; `false` where there is none, or it is taken.
    pub fn take(&self, secret: &str) -> bool {
        self.invitation.as_ref().is_some_and(|invitation| invitation.0.set(hash(secret)).is_ok())
    }

    /// Whether somebody says its token.
    pub fn is_token(&self, said: &str) -> bool {
        hash(said) == hash(&self.token)
    }

    /// Whether what a browser says gives it the seats.
    pub fn is_seated(&self, said: &str) -> bool {
        match &self.invitation {
            None => self.is_token(said),
            Some(invitation) => invitation.0.get() == Some(&hash(said)),
        }
    }
}

/// Hashes are compared in a time that tells nothing of what was hashed.
fn hash(secret: &str) -> Hash {
    blake3::hash(secret.as_bytes())
}

/// A link that moves for nobody. Where something is hidden there is none: nobody may see the hands of a seat.
fn to_watch(hides: bool, draw_token: impl Fn() -> Result<String, Failure>) -> Result<Option<PlayLink>, Failure> {
    (!hides).then(|| Ok(PlayLink::new("watch".to_owned(), Vec::new(), draw_token()?))).transpose()
}

/// One for all people where nothing is hidden or there is one; one each where there are several; and one to watch.
pub fn links(
    people: &[Seat],
    hides: bool,
    draw_token: impl Fn() -> Result<String, Failure>,
) -> Result<Vec<PlayLink>, Failure> {
    let is_shared = !hides || people.len() < 2;
    let all = is_shared.then(|| ("play".to_owned(), people.to_vec()));
    let each = people.iter().filter(|_| people.len() > 1).map(|seat| (format!("seat-{}", seat + 1), vec![*seat]));
    let link = |(name, seats)| Ok(PlayLink::new(name, seats, draw_token()?));
    let mut links: Vec<PlayLink> = all.into_iter().chain(each).map(link).collect::<Result<_, Failure>>()?;
    links.extend(to_watch(hides, draw_token)?);
    Ok(links)
}

/// A link for the person who begins a board, one for each of those who are invited, and one to watch.
pub fn invited(
    own: Vec<Seat>,
    guests: &[Seat],
    hides: bool,
    draw_token: impl Fn() -> Result<String, Failure>,
) -> Result<Vec<PlayLink>, Failure> {
    let mut links = vec![PlayLink::new("own".to_owned(), own, draw_token()?)];
    for seat in guests {
        let link = PlayLink::new(format!("seat-{}", seat + 1), vec![*seat], draw_token()?);
        links.push(PlayLink { invitation: Some(SeatClaim::default()), ..link });
    }
    links.extend(to_watch(hides, draw_token)?);
    Ok(links)
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
        let watch = || ("watch".to_owned(), Vec::new());
        assert_eq!(names(&[1], true), [play(&[1])]);
        assert_eq!(names(&[0, 2], true), [own(0), own(2)]);
        assert_eq!(names(&[0, 1], false), [play(&[0, 1]), own(0), own(1), watch()]);
        assert_eq!(names(&[1], false), [play(&[1]), watch()]);
        let invited = |hides| invited(vec![0], &[1], hides, || Ok(String::new())).unwrap_or_default().len();
        assert_eq!([invited(true), invited(false)], [2, 3]);
    }

    #[test]
    fn an_invitation_is_for_one_browser() {
        let links = invited(vec![0], &[1], true, || Ok("told".to_owned())).unwrap_or_default();
        let [own, guest] = &links[..] else { panic!("{}", links.len()) };
        assert!(own.is_seated("told") && !own.take("own") && !own.is_taken(), "one's own link is not an invitation");
        assert!(guest.is_token("told") && !guest.is_seated("told"), "it is to be taken first");
        assert!(guest.take("mine") && !guest.take("other") && guest.is_taken());
        assert!(guest.is_seated("mine") && !guest.is_seated("other") && !guest.is_seated("told"));
    }
}
