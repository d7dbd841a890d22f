//! How many connections there are, in all and from one address, and how long one may be silent: nobody keeps others
//! out by holding many.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::Notify;

/// How many connections there may be.
const MOST: usize = 160;
/// How many of them from one address, but for this machine: behind a server that does TLS all come from there.
const MOST_OF_ONE: usize = 120;
/// Where there are more, a silent one is not borne for long.
const MANY: usize = 80;
/// How long a head may take, and how long a reader may take nothing of what is sent.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// How long a head may take where there are many.
const SHORT_PATIENCE: Duration = Duration::from_secs(2);

/// Those that are open.
#[derive(Default)]
pub struct Connections {
    open: Mutex<Open>,
    left: Notify,
}

#[derive(Default)]
struct Open {
    all: usize,
    by_origin: BTreeMap<IpAddr, usize>,
}

/// The place of one connection, until it is dropped.
pub struct Place {
    connections: Arc<Connections>,
    origin: IpAddr,
    is_one_of_many: bool,
}

impl Connections {
    /// Waits until one more may be accepted.
    pub async fn wait_for_room(&self) {
        while self.open().all >= MOST {
            self.left.notified().await;
        }
    }

    /// A place for a connection; `None` where there is none for this address.
    pub fn place_for(connections: &Arc<Connections>, peer: IpAddr) -> Option<Place> {
        let origin = origin(peer);
        let mut open = connections.open();
        let of_one = open.by_origin.get(&origin).copied().unwrap_or(0);
        if open.all >= MOST || of_one >= MOST_OF_ONE && !origin.is_loopback() {
            return None;
        }
        open.all += 1;
        open.by_origin.insert(origin, of_one + 1);
        let is_one_of_many = open.all > MANY;
        Some(Place { connections: Arc::clone(connections), origin, is_one_of_many })
    }

    /// Counts stay right whatever panicked beside them.
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Place {
    /// How long it may take to ask.
    pub fn patience(&self) -> Duration {
        if self.is_one_of_many { SHORT_PATIENCE } else { PATIENCE }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.connections.open();
        open.all -= 1;
        if let Some(count) = open.by_origin.get_mut(&self.origin) {
            *count -= 1;
            if *count == 0 {
                open.by_origin.remove(&self.origin);
            }
        }
        self.connections.left.notify_one();
    }
}

/// Who comes from there: of IPv6 the network, since one household has all addresses of it.
fn origin(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
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

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn one_address_leaves_room_for_others() {
        let connections = Arc::new(Connections::default());
        let place = |peer: &str| Connections::place_for(&connections, address(peer));
        let held: Vec<Place> = (0..200).filter_map(|_| place("192.0.2.1")).collect();
        assert_eq!(held.len(), MOST_OF_ONE);
        assert!(place("::ffff:192.0.2.1").is_none(), "the same, written otherwise");
        let others: Vec<Place> = (0..200).filter_map(|one| place(&format!("2001:db8:0:{one}::1"))).collect();
        assert_eq!(others.len(), MOST - MOST_OF_ONE);
        drop(held);
        assert!(place("192.0.2.1").is_some());
        assert_eq!(
            (0..200).filter_map(|one| place(&format!("2001:db8:1::{one}"))).collect::<Vec<_>>().len(),
            MOST_OF_ONE
        );
        drop(others);
        let open = connections.open();
        assert_eq!((open.all, open.by_origin.len()), (0, 0));
        drop(open);
        assert_eq!((0..200).filter_map(|_| place("127.0.0.1")).collect::<Vec<_>>().len(), MOST, "a server before it");
    }

    #[test]
    fn where_there_are_many_a_silent_one_is_borne_less() {
        let connections = Arc::new(Connections::default());
        let held: Vec<Place> = (0..MOST).filter_map(|_| Connections::place_for(&connections, address("::1"))).collect();
        let patient = held.iter().filter(|place| place.patience() == PATIENCE).count();
        assert_eq!((held.len(), patient), (MOST, MANY));
    }
}
