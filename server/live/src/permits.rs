//! Permits to use something that is scarce: a bound for all, and a lower one for each invitation and for each machine,
//! so that nobody makes everybody wait.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

/// A machine of an invitation, which asks for permits: the mark of the invitation, and the address.
pub type Machine = ([u8; 32], IpAddr);

/// The most permits at a time: of all, of an invitation, and of one machine of it.
#[derive(Clone, Copy)]
pub struct PermitBounds {
    pub all: usize,
    pub of_invitation: usize,
    pub of_machine: usize,
}

/// The permits of all, and those of each invitation and of each machine of it.
pub struct Permits {
    all: Arc<Semaphore>,
    of_invitations: Shares<[u8; 32]>,
    of_machines: Shares<Machine>,
}

/// A permit, until it is dropped.
#[derive(Debug)]
pub struct Permit(#[allow(dead_code)] Vec<OwnedSemaphorePermit>);

/// Why there was no permit in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPermit {
    /// The machine holds all of its own.
    Machine,
    /// The invitation holds all of its own.
    Invitation,
    /// Everybody together holds all.
    All,
}

/// The permits of each.
struct Shares<Who> {
    most: usize,
    open: Mutex<BTreeMap<Who, Weak<Semaphore>>>,
}

impl<Who: Ord> Shares<Who> {
    fn new(most: usize) -> Shares<Who> {
        Shares { most, open: Mutex::default() }
    }

    /// The permits of one; kept as long as somebody holds one or waits for one.
    fn of(&self, who: Who) -> Arc<Semaphore> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = open.get(&who).and_then(Weak::upgrade) {
            return known;
        }
        open.retain(|_, share| share.strong_count() > 0);
        let new = Arc::new(Semaphore::new(self.most));
        open.insert(who, Arc::downgrade(&new));
        new
    }
}

impl Permits {
    pub fn new(PermitBounds { all, of_invitation, of_machine }: PermitBounds) -> Permits {
        let all = Arc::new(Semaphore::new(all));
        Permits { all, of_invitations: Shares::new(of_invitation), of_machines: Shares::new(of_machine) }
    }

    /// The bounds for one, in the order in which permits are taken. This machine has only the bound of its
    /// invitation: a proxy may send for many.
    fn shares(&self, (invitation, from): Machine) -> impl Iterator<Item = (Arc<Semaphore>, NoPermit)> {
        let of_machine = (!from.is_loopback()).then(|| (self.of_machines.of((invitation, from)), NoPermit::Machine));
        let others =
            [(self.of_invitations.of(invitation), NoPermit::Invitation), (Arc::clone(&self.all), NoPermit::All)];
        of_machine.into_iter().chain(others)
    }

    /// Takes one permit at once.
    ///
    /// # Errors
    /// No permit is free.
    pub fn try_take(&self, who: Machine) -> Result<Permit, NoPermit> {
        let taken = self.shares(who).map(|(share, full)| share.try_acquire_owned().map_err(|_| full));
        Ok(Permit(taken.collect::<Result<_, _>>()?))
    }

    /// Waits for this number of permits at once.
    ///
    /// # Errors
    /// The time is over.
    pub async fn take(&self, who: Machine, many: u32, until: Instant) -> Result<Permit, NoPermit> {
        let mut taken = Vec::new();
        for (share, full) in self.shares(who) {
            match timeout_at(until, share.acquire_many_owned(many)).await {
                Ok(Ok(permit)) => taken.push(permit),
                _ => return Err(full),
            }
        }
        Ok(Permit(taken))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn one_machine_and_one_line_leave_permits_for_others() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let permits = Permits::new(PermitBounds { all: 4, of_invitation: 3, of_machine: 2 });
            let take = async |line: u8, from: &str| {
                permits.take(([line; 32], from.parse().unwrap()), 1, Instant::now() + Duration::from_millis(20)).await
            };
            let [a, _b] = [take(1, "192.0.2.1").await.unwrap(), take(1, "192.0.2.1").await.unwrap()];
            assert_eq!(take(1, "192.0.2.1").await.unwrap_err(), NoPermit::Machine);
            let now = |line: u8, from: &str| permits.try_take(([line; 32], from.parse().unwrap())).map(drop);
            assert_eq!([now(1, "192.0.2.1"), now(1, "192.0.2.2")], [Err(NoPermit::Machine), Ok(())]);
            let _c = take(1, "192.0.2.2").await.unwrap();
            assert_eq!(take(1, "192.0.2.3").await.unwrap_err(), NoPermit::Invitation);
            let d = take(2, "192.0.2.1").await.unwrap();
            assert_eq!(take(3, "192.0.2.1").await.unwrap_err(), NoPermit::All);
            drop((a, d));
            let proxied = [take(2, "127.0.0.1").await, take(2, "127.0.0.1").await];
            assert!(proxied.iter().all(Result::is_ok), "a proxy sends for many");
            drop(proxied);
            let _new = take(9, "192.0.2.9").await.unwrap();
            assert!(permits.of_invitations.open.lock().unwrap().len() <= 2, "those that left are forgotten");
        });
    }
}
