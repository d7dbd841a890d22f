//! The page of a match says what the commands say: who won, and which moves were blunders; and it leads to the matches
//! around it.

use crate::browser::{Browser, Running, has_browser, is_accessible};
use crate::builder::Arena;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;

#[test]
fn the_page_of_a_match_says_who_won_and_marks_the_blunders_of_the_command() {
    let arena = Arena::new();
    ["greedy", "alphabeta"].iter().for_each(|client| drop(arena.rust_client(client)));
    arena.ladder_toml(
        "[ladder]\nname = \"class\"\ngame = \"amazons\"\nclients = [\"clients/*.so\"]\nseed = 5\nopenings = 6\n\
         [options]\nboard = \"square:6\"\nopening = 4\n[time]\nper_move = \"20ms\"\n",
    );
    arena.agon(["ladder", "--quiet"]).well();
    arena.agon(["report", "--replays", "all"]).well();
    let listed = arena.agon(["matches", "--json"]).well().json();
    let listed = listed["matches"].as_array().unwrap();
    let page = |id: &str| std::fs::read_to_string(arena.path(format!("agon-report/match/{id}.html"))).unwrap();
    let (mut pages, mut blunders) = (BTreeMap::new(), 0);
    for found in listed {
        let id = found["id"].as_str().unwrap();
        let page = page(id);
        let winner = found["seats"].as_array().unwrap().iter().find(|seat| seat["rank"] == 1).unwrap();
        let headline = page.split("<p class=\"headline\">").nth(1).unwrap().split("</p>").next().unwrap();
        assert!(headline.starts_with(&format!("{} wins: ", winner["label"].as_str().unwrap())), "{headline}");
        let shown = arena.agon(["show", id, "--json", "--moves"]).well().json();
        let moves = shown["moves"].as_array().unwrap();
        let told = moves.iter().filter(|one| one["blunder"] == true).count();
        let rows = page.split("<table id=\"moves\">").nth(1).unwrap().split("</table>").next().unwrap();
        let marked: Vec<usize> = rows
            .split("<tr")
            .skip(2)
            .enumerate()
            .filter(|(_, row)| row.contains("<td>blunder"))
            .map(|(place, _)| place)
            .collect();
        assert_eq!(marked.len(), told, "{id}");
        blunders += told;
        assert!(marked.iter().all(|place| moves[*place]["blunder"] == true), "{id}: {marked:?}");
        pages.insert(id.to_owned(), page);
    }
    assert!(blunders > 0, "no move of these matches is a blunder: they show nothing");
    // From the first page the next ones lead to the last, and each has the other one of its block.
    let mut id = listed[0]["id"].as_str().unwrap().to_owned();
    let mut reached = vec![id.clone()];
    let next = |page: &str| {
        let before = page.split("\" rel=\"next\"").next().filter(|before| before.len() < page.len())?;
        Some(before.rsplit("href=\"").next().unwrap().trim_end_matches(".html").to_owned())
    };
    while let Some(found) = next(&pages[&id]) {
        reached.push(found.clone());
        id = found;
    }
    let all: Vec<&str> = listed.iter().map(|found| found["id"].as_str().unwrap()).collect();
    assert_eq!(reached, all);
    assert!(pages.values().all(|page| page.contains("Same opening, other seats")));
}

/// A server of a school, which knows nothing but files: its address.
fn school(folder: &Path) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, folder) = (listener.local_addr().unwrap(), folder.to_owned());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut head = [0; 4096];
            let length = stream.read(&mut head).unwrap_or(0);
            let asked = String::from_utf8_lossy(&head[..length]).into_owned();
            let path = asked.split_whitespace().nth(1).unwrap_or("/").trim_start_matches('/').to_owned();
            let kind = match path.rsplit('.').next() {
                Some("css") => "text/css",
                Some("js") => "text/javascript",
                _ => "text/html",
            };
            let body = std::fs::read(folder.join(path)).unwrap_or_default();
            let heads = format!("Content-Type: {kind}\r\nContent-Length: {}\r\nConnection: close", body.len());
            let _ = stream.write_all(format!("HTTP/1.1 200 OK\r\n{heads}\r\n\r\n").as_bytes());
            let _ = stream.write_all(&body);
        }
    });
    format!("http://{address}/")
}

/// The id of a match of random clients, which a report has a page of.
fn reported_match(arena: &Arena) -> String {
    arena.rust_client("random");
    arena.agon(["match", "random", "random:note=1", "-b", "mini-3"]).well();
    arena.agon(["report", "--replays", "all"]).well();
    arena.agon(["matches", "--json"]).well().json()["matches"][0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_page_is_offered_for_embedding_where_it_can_be_embedded() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    let id = reported_match(&arena);
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
    let mut browser = Browser::start();
    let fields = "[...document.querySelectorAll('#share-it input')].map(field => field.id).join()";
    let file = format!("file://{}", arena.path(format!("agon-report/match/{id}.html")).display());
    for address in [format!("{}ladder/1/match/{id}.html", server.link), file] {
        browser.open(&address);
        assert_eq!(browser.value(fields), "link", "{address} can be shown in no frame");
    }
    let school = school(&arena.path("agon-report"));
    browser.open(&format!("{school}match/{id}.html"));
    assert_eq!(browser.value(fields), "link,embed");
    browser.value("document.getElementById('share-it').open = true");
    let snippet = "document.getElementById('embed').value";
    browser.wait(|browser| browser.value(snippet) != "");
    // What the snippet shows in another page is the match.
    let embedded = "document.querySelector('iframe').contentDocument?.getElementById('at')?.textContent || ''";
    let course = format!("<!doctype html><title>course</title>{}", browser.value(snippet).as_str().unwrap());
    std::fs::write(arena.path("agon-report/course.html"), course).unwrap();
    browser.open(&format!("{school}course.html"));
    browser.wait(|browser| browser.value(embedded).as_str().is_some_and(|at| at.starts_with("turn 0 of ")));
}

#[test]
fn a_browser_that_cannot_unpack_the_match_says_so() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    let id = reported_match(&arena);
    let page = format!("{}match/{id}.html", school(&arena.path("agon-report")));
    let mut browser = Browser::start();
    let has_begun = |browser: &mut Browser| {
        browser.open(&page);
        browser.wait(|browser| browser.value("'begins' in document.documentElement.dataset") == false);
        let told = "document.body.innerText.includes('Without scripts this page shows the start and all moves.')";
        [browser.value("!!document.getElementById('turn')"), browser.value(told)]
    };
    assert_eq!(has_begun(&mut browser), [true, false]);
    let script = std::fs::read_to_string(arena.path("agon-report/replay.js")).unwrap();
    arena.file("agon-report/replay.js", format!("delete globalThis.DecompressionStream;\n{script}"));
    assert_eq!(has_begun(&mut browser), [false, true]);
}

/// The marks over the board, what the legend counts, and the words of the squares that tell of a mark.
const OVER: &str = "({
    drawn: document.querySelectorAll('#over > g').length,
    counted: (document.getElementById('legend').textContent.match(/ \\d+(?=,|$)/g) || []).map(Number),
    told: [...document.querySelectorAll('#words td')].filter(cell => cell.textContent.includes(document.getElementById('legend').textContent.split(':')[0])).length,
    hidden: document.getElementById('legend').hidden,
    pressed: document.getElementById('overlay').getAttribute('aria-pressed'),
})";

#[test]
fn marks_are_laid_over_the_board_on_request_and_told_with_its_squares() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    ["random", "greedy", "tirs", "grundy"].iter().for_each(|client| drop(arena.rust_client(client)));
    let mut browser = Browser::start();
    let open = |browser: &mut Browser, words: &str| {
        arena.agon(["match"].into_iter().chain(words.split_whitespace())).well();
        let _ = std::fs::remove_file(arena.path("replay.html"));
        arena.agon(["replay", "last", "--html", "replay.html"]).well();
        browser.open(&format!("file://{}", arena.path("replay.html").display()));
    };
    for (words, title, kinds) in [
        ("random greedy -o board=donut:6", "Territory: player 1: ", 4),
        ("random greedy -o board=mini-ring", "Territory: player 1: ", 4),
        ("tirs:level=1 tirs:level=1 tirs:level=1 -g tirs_croises -o size=5", "Cards in reach: may be taken: ", 1),
    ] {
        open(&mut browser, words);
        // Cards in reach are shown at once; territory only where it is asked for.
        let is_shown = words.starts_with("tirs");
        let over = browser.value(OVER);
        assert_eq!(over["drawn"].as_u64() > Some(0), is_shown, "{words}");
        assert_eq!((&over["hidden"], &over["pressed"]), (&(!is_shown).into(), &is_shown.to_string().into()));
        if !is_shown {
            browser.press("o");
        }
        let last = browser.value("+document.getElementById('turn').max").as_u64().unwrap();
        for turn in 0..=last {
            let over = browser.value(OVER);
            let counted: Vec<u64> =
                over["counted"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).collect();
            assert_eq!(counted.len(), kinds, "{words}");
            let marks = counted.iter().sum::<u64>();
            assert_eq!([&over["drawn"], &over["told"]], [marks, marks], "{words}, turn {turn}");
            assert!(marks > 0 || turn > 2, "{words}");
            browser.press("ArrowRight");
        }
        let legend = browser.value("document.getElementById('legend').textContent");
        assert!(legend.as_str().unwrap().starts_with(title), "{legend}");
        browser.press("Home");
        is_accessible(&mut browser);
        browser.prefer("dark");
        is_accessible(&mut browser);
        browser.prefer("light");
        // In a small window its button is behind another one.
        browser.resize(1280, 1000);
        browser.click("#overlay");
        let over = browser.value(OVER);
        assert_eq!([&over["drawn"], &over["told"]], [0, 0], "{words}: they go again");
        assert_eq!(browser.complaints(), [""; 0]);
    }
    open(&mut browser, "grundy grundy -g grundy -o heaps=9");
    assert_eq!(browser.value("document.getElementById('overlay')"), serde_json::Value::Null, "there is no board");
    browser.press("o");
    assert_eq!(browser.complaints(), [""; 0]);
}
