//! Many workers that are connected over HTTPS when the pages end and begin again.

use crate::builder::Arena;
use crate::hands;
use crate::https::{address, cluster, delivered, free_port, invite, serve, stop};
use agon_postgres::HttpsLink;
use agon_record::exchange::{Claimed, Exchange as _, LinkError, WorkerLink};
use std::thread;
use std::time::{Duration, Instant};

/// The workers: below the connections of one address.
const MANY: usize = 60;

/// Asks again while the pages are away, as a worker does.
fn patiently<T>(mut ask: impl FnMut() -> Result<T, LinkError>) -> T {
    let began = Instant::now();
    loop {
        match ask() {
            Ok(told) => return told,
            Err(LinkError::Away(_)) if began.elapsed() < Duration::from_secs(30) => {
                thread::sleep(Duration::from_millis(200));
            }
            Err(error) => panic!("{error:?} after {:?}", began.elapsed()),
        }
    }
}

#[test]
fn many_workers_wait_for_pages_that_begin_again_and_lose_nothing() {
    let Some(cluster) = cluster() else { return };
    let (arena, url, port) = (Arena::new(), cluster.database(), free_port());
    let (_, mut exchange) = hands::begin(&url, Duration::from_secs(60));
    exchange.offer(&hands::offers(0..MANY as u64)).unwrap();
    let key = invite(&arena, &url, "lab");
    let served = serve(&arena, &url, port);
    let come = |number: usize| {
        let mut link = HttpsLink::new(&address(port, &key)).unwrap();
        let own = patiently(|| link.greet(&hands::greeting(&format!("lab-{number}"))));
        let claimed: Vec<Claimed> = patiently(|| link.exchange(&[], 1, 1)).1;
        (link, own, claimed)
    };
    let workers: Vec<_> = (0..MANY).map(come).collect();
    assert!(workers.iter().all(|(_, _, claimed)| claimed.len() == 1));
    stop(served);
    let delivering: Vec<_> = workers
        .into_iter()
        .map(|(mut link, own, claimed)| {
            thread::spawn(move || {
                let played: Vec<_> = claimed.iter().map(|one| delivered(one, &own)).collect();
                patiently(|| link.exchange(&played, 0, 1)).0
            })
        })
        .collect();
    thread::sleep(Duration::from_millis(500));
    let (served, began) = (serve(&arena, &url, port), Instant::now());
    for one in delivering {
        // An answer that did not come makes it deliver once more.
        let refused = one.join().unwrap();
        assert!(refused.iter().all(|why| why.contains("was delivered before")), "{refused:?}");
    }
    assert!(began.elapsed() < Duration::from_secs(15), "it took {:?}", began.elapsed());
    assert_eq!(exchange.deliveries().unwrap().len(), MANY);
    stop(served);
}
