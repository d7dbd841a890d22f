//! Somebody with a line who holds all that the pages have for workers: others go on, and the answer says what to do.

use crate::builder::Arena;
use crate::cluster::Cluster;
use crate::hands;
use crate::https::{address, answer, cluster, free_port, invite, request, serve, stop};
use agon_postgres::HttpsLink;
use agon_record::exchange::{Exchange as _, WorkerLink};
use std::io::Write;
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};

/// Pages of a record with ten open blocks, and the keys of two lines.
struct Pages {
    _cluster: Cluster,
    arena: Arena,
    url: String,
    port: u16,
    greedy: String,
    served: Child,
}

impl Pages {
    fn begin() -> Option<Pages> {
        let cluster = cluster()?;
        let (arena, url, port) = (Arena::new(), cluster.database(), free_port());
        let (_, mut exchange) = hands::begin(&url, Duration::from_secs(60));
        exchange.offer(&hands::offers(0..10)).unwrap();
        let greedy = invite(&arena, &url, "greedy");
        let served = serve(&arena, &url, port);
        Some(Pages { _cluster: cluster, arena, url, port, greedy, served })
    }

    /// A worker of the other line claims within this time.
    fn others_claim_within(&self, most: Duration) {
        let began = Instant::now();
        let mut link = HttpsLink::new(&address(self.port, &invite(&self.arena, &self.url, "honest"))).unwrap();
        link.greet(&hands::greeting("honest")).unwrap();
        assert_eq!(link.exchange(&[], 1, 1).unwrap().1.len(), 1);
        assert!(began.elapsed() < most, "it took {:?}", began.elapsed());
    }

    /// A request of the greedy line, of which so much is sent; nobody reads the answer.
    fn send(&self, length: usize, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(&self.greedy_request(length, body)).unwrap();
        stream
    }

    fn greedy_request(&self, length: usize, body: &str) -> Vec<u8> {
        let key = format!("authorization: Bearer {}", self.greedy);
        request(self.port, &[&key, "agon-protocol: 4", &format!("content-length: {length}")], body)
    }

    /// The key of a worker that came by the greedy line.
    fn greet(&self) -> String {
        HttpsLink::new(&address(self.port, &self.greedy)).unwrap().greet(&hands::greeting("greedy")).unwrap()
    }
}

#[test]
fn bodies_that_never_end_keep_no_other_line_out() {
    let Some(pages) = Pages::begin() else { return };
    pages.greet();
    let held: Vec<TcpStream> = (0..80).map(|_| pages.send(4 << 20, "{")).collect();
    std::thread::sleep(Duration::from_millis(500));
    let began = Instant::now();
    let (status, why) = answer(pages.port, &pages.greedy_request(2, "{}"), false).unwrap();
    assert!(status == 429 && began.elapsed() < Duration::from_secs(5), "{status} {why} {:?}", began.elapsed());
    assert!(why.contains("80 requests") && why.contains("nothing was taken") && why.contains("help: "), "{why}");
    pages.others_claim_within(Duration::from_secs(10));
    drop(held);
    stop(pages.served);
}

#[test]
fn files_that_nobody_reads_keep_no_other_worker_out() {
    let Some(pages) = Pages::begin() else { return };
    let mut client = postgres::Client::connect(&pages.url, postgres::NoTls).unwrap();
    let large = "INSERT INTO agon.file (hash, bytes) VALUES ('large', convert_to(repeat('x', 24000000), 'UTF8'))";
    client.batch_execute(large).unwrap();
    let wish = format!(r#"{{"key":"{}","act":{{"file":{{"hash":"large","from":0}}}}}}"#, pages.greet());
    let held: Vec<TcpStream> = (0..8).map(|_| pages.send(wish.len(), &wish)).collect();
    std::thread::sleep(Duration::from_secs(1));
    // Of another line, and of the same one.
    for key in [invite(&pages.arena, &pages.url, "honest"), pages.greedy.clone()] {
        let mut link = HttpsLink::new(&address(pages.port, &key)).unwrap();
        link.greet(&hands::greeting("honest")).unwrap();
        let file = link.file("large").expect("its turn comes");
        assert!(file.len() == 24_000_000 && file.iter().all(|byte| *byte == b'x'));
    }
    drop(held);
    stop(pages.served);
}

#[test]
fn who_hangs_up_during_the_login_holds_no_turn() {
    let Some(pages) = Pages::begin() else { return };
    let wrong = format!("authorization: Bearer greedy:{}", "0".repeat(64));
    let wrong = request(pages.port, &[&wrong, "agon-protocol: 4", "content-length: 2"], "{}");
    for _ in 0..10 {
        for bytes in [pages.greedy_request(2, "{}"), wrong.clone()] {
            TcpStream::connect(("127.0.0.1", pages.port)).unwrap().write_all(&bytes).unwrap();
        }
    }
    pages.others_claim_within(Duration::from_secs(10));
    assert_eq!(answer(pages.port, &wrong, false).unwrap().0, 401);
    pages.greet();
    stop(pages.served);
}
