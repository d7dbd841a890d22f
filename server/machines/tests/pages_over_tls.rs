//! People who come encrypted, by the port that workers use: their forms do what they do elsewhere.

use crate::builder::Arena;
use crate::held::wait_until;
use crate::https::free_port;
use crate::open;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// A visitor by `curl` who believes any certificate; `None`, said loudly, where there is no curl.
fn curl(arena: &Arena, words: &[&str]) -> Option<String> {
    let jar = arena.path("jar").display().to_string();
    let ran = Command::new("curl").args(["-k", "-s", "-i", "-m", "20", "-b", &jar, "-c", &jar]).args(words).output();
    let Ok(ran) = ran else {
        agon_skips::skip("curl");
        return None;
    };
    Some(String::from_utf8_lossy(&ran.stdout).into_owned())
}

#[test]
fn a_form_over_tls_begins_a_board_and_moves_on_it() {
    let Some(arena) = open::arena() else { return };
    let port = free_port();
    let serve = format!("--serve=0.0.0.0:{port}");
    let mut ladder = arena.command(["ladder", "--jobs", "0", "--quiet", "--open=127.0.0.1", "--play", &serve]);
    let mut ladder = ladder.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(ladder.stderr.take().unwrap()).lines().map_while(Result::ok);
    let line = lines.find(|line| line.contains("/?token=")).unwrap();
    std::thread::spawn(move || lines.for_each(drop));
    let token = line.split("/?token=").nth(1).unwrap().split(' ').next().unwrap();
    let base = format!("https://127.0.0.1:{port}");
    let check = || {
        let entered = curl(&arena, &[&format!("{base}/?token={token}")])?;
        let cookie = entered.lines().find(|line| line.starts_with("set-cookie: ")).unwrap_or(&entered);
        assert!(cookie.ends_with("; Secure"), "{cookie}");
        let mut client = None;
        wait_until("the form offers clients", || {
            let form = curl(&arena, &[&format!("{base}/ladder/1/play.html")]).unwrap();
            let numbers = form.split("<option value=\"").skip(1);
            client =
                numbers.filter_map(|part| part.split('"').next()?.parse::<u32>().ok()).max().filter(|one| *one > 0);
            client.is_some()
        });
        let wish = format!(r#"{{"language":"en","setting":0,"seats":["you","{}"],"adviser":""}}"#, client?);
        let post = |origin: &str, path: &str, body: &str| {
            let (origin, path) = (format!("Origin: {origin}"), format!("{base}{path}"));
            curl(&arena, &["-H", &origin, "-H", "Content-Type: application/json", "-d", body, &path])
        };
        let refused = post(&base.replace("https", "http"), "/ladder/1/play", &wish)?;
        assert!(refused.starts_with("HTTP/1.1 403"), "{refused}");
        let begun = post(&base, "/ladder/1/play", &wish)?;
        let board = begun.lines().find_map(|line| line.strip_prefix("location: ")).unwrap_or_else(|| panic!("{begun}"));
        let seat = curl(&arena, &[&format!("{base}{board}")])?;
        assert!(seat.lines().any(|line| line.starts_with("set-cookie: ") && line.ends_with("; Secure")), "{seat}");
        let path = board.split('?').next().unwrap();
        let moved = post(&base, &format!("{path}act"), r#"{"at":1,"do":"clear"}"#)?;
        assert!(!moved.starts_with("HTTP/1.1 4"), "{moved}");
        Some(())
    };
    let _ = check();
    ladder.kill().unwrap();
    ladder.wait().unwrap();
}
