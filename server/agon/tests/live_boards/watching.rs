//! Visitors who watch a board: they see it and change nothing, and hidden hands have no watchers.

use super::{Asker, class, line_of, number, wish};
use crate::browser::{Running, status};
use crate::builder::Arena;
use rustix::process::Signal;

/// The address of the link to watch that a page offers, if it does.
fn link_to_watch(page: &str, path: &str) -> Option<String> {
    let link = page.split("data-path=\"../watch/").nth(1)?.split('"').next()?;
    Some(path.replace("/own/", "/watch/") + link)
}

#[test]
fn who_watches_a_board_sees_it_and_changes_nothing() {
    let arena = Arena::new();
    ["random", "greedy"].iter().for_each(|client| drop(arena.rust_client(client)));
    let head = "[ladder]\nname = \"class\"\nseed = 7\nclients = [\"clients/*.so\"]\n";
    arena.ladder_toml(&format!("{head}game = \"amazons\"\n[options]\nboard = \"mini-3\"\n"));
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0", "--play"]));
    let heads = format!("Host: localhost:{0}\r\nOrigin: http://localhost:{0}\r\n", server.port());
    let anybody = Asker { server: &server, heads };
    let begun = anybody.post("/ladder/1/play", &wish(&["you", "guest"], ""));
    let (path, own) = anybody.enter(&line_of(&begun, "location: "));
    let mut page = own.get(&path);
    crate::held::wait_until("it is the player's turn", || {
        page = own.get(&path);
        page.contains("your move.")
    });
    let link = link_to_watch(&page, &path).expect("nothing is hidden in this game");
    assert_eq!(status(&anybody.get(link.split('?').next().unwrap())), 403, "it takes the whole link");
    // Any number of people may come by it.
    let watchers: Vec<_> = (0..2).map(|_| anybody.enter(&link)).collect();
    let at = page.split("data-at=\"").nth(1).unwrap().split('"').next().unwrap();
    let choice = page.split(" role=\"button\"").next().unwrap().rsplit("data-choose=\"").next().unwrap();
    let choice = choice.split('"').next().unwrap();
    for (watched, watcher) in &watchers {
        let seen = watcher.get(watched);
        assert!(seen.contains("You are watching.") && seen.contains("class=\"pic"), "{seen}");
        for part in ["data-choose", "data-do", "token=", "id=\"typed\""] {
            assert!(!seen.contains(part), "{part}: {seen}");
        }
        for act in ["again", "undo", "resign", "clear"] {
            let answer = watcher.post(&format!("{watched}act"), &format!(r#"{{"at":{at},"do":"{act}"}}"#));
            assert_eq!(status(&answer), 405, "{act}");
        }
        let act = format!(r#"{{"at":{at},"do":"choose","text":"{choice}"}}"#);
        assert_eq!(status(&watcher.post(&format!("{watched}act"), &act)), 405);
        assert_eq!(status(&watcher.post(&format!("{path}act"), &act)), 403, "nor by the path of a seat");
    }
    let main = |page: &str| page[page.find("<main").unwrap()..].to_owned();
    assert_eq!(main(&own.get(&path)), main(&page), "nothing has changed");
    // What people do is seen.
    let resigned = own.post(&format!("{path}act"), &format!(r#"{{"at":{at},"do":"resign"}}"#));
    assert_eq!(status(&resigned), 200);
    let (watched, watcher) = &watchers[0];
    let begun = std::time::Instant::now();
    while !watcher.get(watched).contains("id=\"result\"") {
        assert!(begun.elapsed().as_secs() < 30, "the end is not seen");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(!watcher.get(watched).contains("data-do=\"again\""), "another match is for the players");
    assert_eq!(status(&watcher.get(&format!("{watched}replay.html"))), 200);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn who_watches_one_person_reads_who_has_won_by_name() {
    let arena = class();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0", "--play"]));
    let heads = format!("Host: localhost:{0}\r\nOrigin: http://localhost:{0}\r\n", server.port());
    let anybody = Asker { server: &server, heads };
    let greedy = number(&anybody.get("/ladder/1/play.html"), "greedy");
    let begun = anybody.post("/ladder/1/play", &wish(&["you", &greedy], ""));
    let (path, own) = anybody.enter(&line_of(&begun, "location: "));
    let mut page = String::new();
    crate::held::wait_until("it is the player's turn", || {
        page = own.get(&path);
        page.contains("your move.")
    });
    let (watched, watcher) = anybody.enter(&link_to_watch(&page, &path).unwrap());
    let at = page.split("data-at=\"").nth(1).unwrap().split('"').next().unwrap();
    own.post(&format!("{path}act"), &format!(r#"{{"at":{at},"do":"resign"}}"#));
    crate::held::wait_until("the match is over", || own.get(&path).contains("id=\"result\""));
    assert!(own.get(&path).contains(">you have lost<"));
    let seen = watcher.get(&watched);
    assert!(seen.contains(">greedy has won<") && !seen.contains("you have lost"), "{seen}");
    let replay = watcher.get(&format!("{watched}replay.html"));
    assert!(replay.contains("greedy has won.") && !replay.contains("ou have lost"), "{replay}");
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn nobody_watches_where_hands_are_hidden() {
    let arena = Arena::new();
    let clients = arena.six_clients(&["smallest", "largest"]);
    let head = "[ladder]\nname = \"six\"\ngame = \"six_qui_prend\"\nseed = 5\nopenings = 1\n";
    arena.ladder_toml(&format!("{head}[options]\nhand = 3\nlimit = 0\n{clients}"));
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0", "--play"]));
    let heads = format!("Host: localhost:{0}\r\nOrigin: http://localhost:{0}\r\n", server.port());
    let anybody = Asker { server: &server, heads };
    let begun = anybody.post("/ladder/1/play", &wish(&["you", "guest"], ""));
    let (path, own) = anybody.enter(&line_of(&begun, "location: "));
    let page = own.get(&path);
    assert!(page.contains("data-path=\"../seat-2/"), "{page}");
    assert_eq!(link_to_watch(&page, &path), None);
    assert_eq!(status(&own.get(&path.replace("/own/", "/watch/"))), 403);
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}
