//! The operator's page of workers: who sees it, and what its forms do.

use crate::builder::Arena;
use crate::cluster::Cluster;
use crate::hands::{self, Worker};
use crate::https::{answer, free_port, stop};
use agon_postgres::PostgresRecord;
use agon_record::database::Roster as _;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

#[test]
fn the_operator_sees_the_workers_and_drains_one_by_a_form_and_nobody_else_does() {
    let Some(cluster) = Cluster::shared() else { return };
    let (arena, url, port) = (Arena::new(), cluster.database(), free_port());
    drop(hands::begin(&url, Duration::from_secs(60)));
    let _worker = Worker::come(&url, "lab-3");
    let mut serve = arena.command(["serve", "--record", &url, "--listen", &port.to_string()]);
    let mut served = serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(served.stdout.take().unwrap()).lines().map_while(Result::ok);
    let link = lines.find(|line| line.contains("/workers?token=")).unwrap();
    let token = link.split("token=").nth(1).unwrap();
    let ask = |method: &str, path: &str, heads: &str, body: &str| {
        let head = format!("{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n{heads}\r\n");
        answer(port, format!("{head}{body}").as_bytes(), false).unwrap()
    };
    for stranger in ["/workers", "/workers?token=0123"] {
        assert_eq!(ask("GET", stranger, "", "").0, 403, "{stranger}");
    }
    assert_eq!(ask("GET", &format!("/workers?token={token}"), "", "").0, 200);
    let cookie = format!("cookie: agon-{port}-operator={token}\r\n");
    let (status, page) = ask("GET", "/workers", &format!("{cookie}accept-language: fr\r\n"), "");
    assert!(status == 200 && page.contains("lab-3") && page.contains("Ouvriers") && page.contains("joue"), "{page}");
    let state = || PostgresRecord::open(&url).unwrap().workers().unwrap()[0].clone();
    let body = format!("worker={}&do=drain", state().id);
    let form = |heads: &str| {
        let kind = "content-type: application/x-www-form-urlencoded";
        ask("POST", "/workers/act", &format!("{heads}{kind}\r\ncontent-length: {}\r\n", body.len()), &body).0
    };
    let origin = format!("origin: http://127.0.0.1:{port}\r\n");
    assert_eq!(form(&cookie), 403, "no page of this server sent it");
    assert_eq!(form(&format!("{cookie}origin: http://evil.example\r\n")), 403);
    assert_eq!(form(&origin), 403, "no cookie");
    assert_eq!(state().state, "active");
    assert_eq!(form(&format!("{cookie}{origin}")), 303);
    assert_eq!(state().state, "draining");
    assert!(ask("GET", "/workers", &cookie, "").1.contains("lab-3 ends when its blocks are played"));
    let listed = arena.agon(["worker", "list", "--record", &url]).well().stdout;
    assert!(listed.contains("an hour") && listed.contains("draining"), "{listed}");
    stop(served);
}
