//! The page of a match says what the commands say: who won, and which moves were blunders; and it leads to the matches
//! around it.

use crate::builder::Arena;
use std::collections::BTreeMap;

#[test]
fn the_page_of_a_match_says_who_won_and_marks_the_blunders_of_the_command() {
    let arena = Arena::new();
    ["greedy", "alphabeta"].iter().for_each(|client| drop(arena.rust_client(client)));
    arena.ladder_toml(
        "[ladder]\nname = \"class\"\ngame = \"amazons\"\nclients = [\"clients/*.so\"]\nseed = 5\nopenings = 3\n\
         [options]\nboard = \"square:6\"\n[time]\nper_move = \"50ms\"\n",
    );
    arena.agon(["ladder", "--quiet"]).well();
    arena.agon(["report", "--replays", "all"]).well();
    let listed = arena.agon(["matches", "--json"]).well().json();
    let listed = listed["matches"].as_array().unwrap();
    let page = |id: &str| std::fs::read_to_string(arena.path(format!("agon-report/match/{id}.html"))).unwrap();
    let mut pages = BTreeMap::new();
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
            .filter(|(_, row)| row.contains("<td>blunder</td>"))
            .map(|(place, _)| place)
            .collect();
        assert_eq!(marked.len(), told, "{id}");
        assert!(marked.iter().all(|place| moves[*place]["blunder"] == true), "{id}: {marked:?}");
        pages.insert(id.to_owned(), page);
    }
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
