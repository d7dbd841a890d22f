//! The list of matches in a browser: what it chooses, and how keys pass through it.

use super::class;
use crate::browser::{Browser, Running, has_browser, is_accessible, status};
use crate::builder::{Arena, has_program};

#[test]
fn the_list_chooses_the_matches_that_the_command_chooses() {
    if !has_program("cc") {
        return;
    }
    let arena = class(3);
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
    let all = server.get("/ladder/1/matches.html");
    // A list of the page: its values and their names.
    let options = |key: &str| -> Vec<(String, String)> {
        let list = all.split(&format!("<select name=\"{key}\">")).nth(1).unwrap().split("</select>").next().unwrap();
        let option = |rest: &str| {
            let (value, rest) = rest.split_once("\">").unwrap();
            (value.trim_end_matches("\" selected").to_owned(), rest.split("</option>").next().unwrap().to_owned())
        };
        list.split("<option value=\"").skip(2).map(option).collect()
    };
    let clients = options("client");
    let plain: Vec<&(String, String)> = clients.iter().filter(|(_, name)| !name.contains(['<', '&', '\\'])).collect();
    let [(one, one_name), (other, other_name), ..] = plain.as_slice() else { panic!("{clients:?}") };
    for (path, flags) in [
        (format!("client-{one}"), vec!["--client", one_name]),
        (format!("client-{one}.against-{other}"), vec!["--client", one_name, "--against", other_name]),
        (format!("client-{other}.longer-10"), vec!["--client", other_name, "--longer", "10"]),
        ("fault-any".to_owned(), vec!["--fault"]),
        ("ending-over".to_owned(), vec!["--ending", "over"]),
        (format!("client-{one}.ending-fault"), vec!["--client", one_name, "--ending", "fault"]),
        ("fault-crash".to_owned(), vec!["--fault", "crash"]),
        ("sort-turns".to_owned(), vec!["--sort", "turns"]),
        (format!("client-{one}.sort-turns"), vec!["--client", one_name, "--sort", "turns"]),
    ] {
        let listed = arena.agon(["matches", "--json", "--limit", "50"].iter().chain(&flags)).well().json();
        let listed = listed["matches"].as_array().unwrap().iter().rev();
        let told: Vec<&str> = listed.map(|found| found["id"].as_str().unwrap()).collect();
        let page = server.get(&format!("/ladder/1/matches/{path}.html"));
        assert_eq!(status(&page), 200, "{path}");
        let shown: Vec<&str> = page.split("match/").skip(1).map(|rest| rest.split(".html").next().unwrap()).collect();
        assert_eq!(shown, told, "{path}");
        assert!(path == "fault-crash" || !told.is_empty(), "{path} chooses nothing");
        assert_eq!(page.contains("aria-sort=\"descending\""), path.contains("sort-turns"), "{path}");
        let other = path
            .strip_suffix("sort-turns")
            .map_or(format!("{path}.sort-turns"), |rest| rest.trim_end_matches('.').to_owned());
        let other = if other.is_empty() { "../matches.html".to_owned() } else { format!("../matches/{other}.html") };
        assert!(told.is_empty() || page.contains(&format!("<a href=\"{other}\">Turns</a>")), "{path} leads to {other}");
    }
    for path in ["client-99", "board-9", "client-1.client-2", "fault-none", "ending-void", "longer-x", "sort-played"] {
        assert_eq!(status(&server.get(&format!("/ladder/1/matches/{path}.html"))), 404, "{path}");
    }
}

#[test]
fn a_list_of_values_is_passed_through_by_keys_before_anything_is_chosen() {
    if !has_browser() {
        return;
    }
    let arena = Arena::new();
    ["random", "greedy"].iter().for_each(|client| drop(arena.rust_client(client)));
    arena.agon(["match", "random", "greedy", "-b", "mini-3"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
    let mut browser = Browser::start();
    let list = format!("{}ladder/1/matches.html", server.link);
    browser.open(&list);
    browser.value("document.querySelector('select[name=client]').focus()");
    for value in ["1", "2"] {
        browser.press("ArrowDown");
        assert_eq!(browser.value("document.activeElement.value"), value);
        assert_eq!(browser.value("location.href"), list.as_str(), "nothing is chosen yet");
    }
    browser.click(".filters button:not(.fold)");
    browser.wait(|browser| browser.value("location.pathname") == "/ladder/1/matches/client-2.html");
    browser.wait(|browser| browser.value("document.querySelector('select[name=client]')?.value") == "2");
    is_accessible(&mut browser);
}
