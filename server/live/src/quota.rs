//! How many connections, streams and long bodies there are at once, in all and of one who comes: nobody keeps others
//! out by holding many.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The most that there may be at once.
#[derive(Clone, Copy, Debug)]
pub struct QuotaBounds {
    pub all: usize,
    /// The most of one who comes.
    pub of_one: usize,
}

/// A number of places, each for one of those known by a `Who`.
pub struct Quota<Who> {
    most: QuotaBounds,
    open: Mutex<Open<Who>>,
    left: Notify,
}

struct Open<Who> {
    all: usize,
    by_who: BTreeMap<Who, usize>,
}

/// One place, until it is dropped.
pub struct QuotaSlot<Who: Ord + Clone> {
    places: Arc<Quota<Who>>,
    who: Who,
    /// How many were taken with this one.
    pub number: usize,
}

impl<Who: Ord + Clone> Quota<Who> {
    /// No place is taken.
    pub fn new(most: QuotaBounds) -> Arc<Quota<Who>> {
        let open = Mutex::new(Open { all: 0, by_who: BTreeMap::new() });
        Arc::new(Quota { most, open, left: Notify::new() })
    }

    /// Whether any is taken.
    pub fn are_taken(&self) -> bool {
        self.open().all > 0
    }

    /// Waits until one more may be taken.
    pub async fn wait_for_room(&self) {
        while self.open().all >= self.most.all {
            self.left.notified().await;
        }
    }

    /// A place; `None` where there is none, or none for this one.
    pub fn take(places: &Arc<Quota<Who>>, who: Who) -> Option<QuotaSlot<Who>> {
        Quota::take_of(places, who, places.most.of_one)
    }

    /// The same for one who may have so many.
    fn take_of(places: &Arc<Quota<Who>>, who: Who, most_of_one: usize) -> Option<QuotaSlot<Who>> {
        let mut open = places.open();
        let of_one = open.by_who.get(&who).copied().unwrap_or(0);
        if open.all >= places.most.all || of_one >= most_of_one {
            return None;
        }
        open.all += 1;
        open.by_who.insert(who.clone(), of_one + 1);
        let number = open.all;
        Some(QuotaSlot { places: Arc::clone(places), who, number })
    }

    /// Counts stay right whatever panicked beside them.
    fn open(&self) -> MutexGuard<'_, Open<Who>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Quota<IpAddr> {
    /// A place for whoever comes from there. This machine may take all of them: behind a server that does TLS all come
    /// from there.
    pub fn take_from(places: &Arc<Quota<IpAddr>>, from: IpAddr) -> Option<QuotaSlot<IpAddr>> {
        let from = network(from);
        let most = if from.is_loopback() { places.most.all } else { places.most.of_one };
        Quota::take_of(places, from, most)
    }
}

impl<Who: Ord + Clone> Drop for QuotaSlot<Who> {
    fn drop(&mut self) {
        let mut open = self.places.open();
        open.all -= 1;
        if let Some(count) = open.by_who.get_mut(&self.who) {
            *count -= 1;
            if *count == 0 {
                open.by_who.remove(&self.who);
            }
        }
        self.places.left.notify_one();
    }
}

/// The network of an address: one household has all addresses of a network of IPv6.
pub fn network(from: IpAddr) -> IpAddr {
    match from.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_leaves_room_for_others() {
        let places = Quota::new(QuotaBounds { all: 160, of_one: 120 });
        let take = |from: &str| Quota::take_from(&places, from.parse().unwrap());
        let held: Vec<_> = (0..200).filter_map(|_| take("192.0.2.1")).collect();
        assert_eq!(held.len(), 120);
        assert!(take("::ffff:192.0.2.1").is_none(), "the same, written otherwise");
        let others: Vec<_> = (0..200).filter_map(|one| take(&format!("2001:db8:0:{one}::1"))).collect();
        assert_eq!((others.len(), others.last().unwrap().number), (40, 160));
        drop(held);
        assert!(take("192.0.2.1").is_some());
        assert_eq!((0..200).filter_map(|one| take(&format!("2001:db8:1::{one}"))).collect::<Vec<_>>().len(), 120);
        drop(others);
        assert!(!places.are_taken() && places.open().by_who.is_empty());
        assert_eq!((0..200).filter_map(|_| take("127.0.0.1")).collect::<Vec<_>>().len(), 160, "a server before it");
    }

    #[test]
    fn one_team_has_one_place() {
        let places = Quota::new(QuotaBounds { all: 4, of_one: 1 });
        let red = Quota::take(&places, "red");
        assert!(red.is_some() && Quota::take(&places, "red").is_none() && Quota::take(&places, "blue").is_some());
        drop(red);
        assert!(Quota::take(&places, "red").is_some());
    }
}
