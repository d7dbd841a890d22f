//! The pages of a ladder in the language of the browser, or in the one that was chosen on a page.

use crate::browser::{Browser, Running, has_browser, is_accessible, status};
use crate::builder::Arena;

/// Words of English that no sentence of a French page has.
const ENGLISH: [&str; 13] =
    ["the", "The", "of", "and", "with", "matches", "Matches", "each", "Standings", "after", "Won", "by", "is"];

fn arena() -> Arena {
    let arena = Arena::new();
    ["random", "greedy"].iter().for_each(|client| drop(arena.rust_client(client)));
    arena.ladder_toml(
        "[ladder]\nname = \"class\"\ngame = \"amazons\"\nclients = [\"clients/*.so\"]\nseed = 5\nopenings = 2\n\
         [options]\nboard = [\"mini-3\", \"square:5\"]\n",
    );
    arena.agon(["ladder", "--quiet"]).well();
    arena
}

/// What a reader sees between the tags, without the table for terminals and without names.
fn texts(page: &str) -> Vec<String> {
    let main = page.split("<body>").nth(1).unwrap();
    let mut texts = Vec::new();
    let mut hidden = 0_usize;
    for part in main.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        let name = tag.trim_start_matches('/').split([' ', '>']).next().unwrap_or_default();
        if ["pre", "bdi", "code", "script", "select"].contains(&name) {
            hidden = if tag.starts_with('/') { hidden.saturating_sub(1) } else { hidden + 1 };
        }
        // Options of a game and terms of a ladder are keys of a file.
        let is_key = ["figcaption", "br", "strong"].contains(&name) || tag.starts_with("th scope");
        let is_file = text.ends_with(".csv") || text.ends_with(".json");
        if hidden == 0 && !is_key && !is_file && !text.trim().is_empty() {
            texts.push(text.to_owned());
        }
    }
    texts
}

/// What a French page says in English.
fn left_in_english(page: &str) -> Vec<String> {
    let has_english = |text: &String| text.split(|c: char| !c.is_alphanumeric()).any(|word| ENGLISH.contains(&word));
    texts(page).into_iter().filter(has_english).collect()
}

#[test]
fn pages_are_told_in_the_language_of_the_browser() {
    let arena = arena();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
    let get = |path: &str, heads: &str| {
        server.ask(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{heads}Connection: close\r\n\r\n"))
    };
    let french = "Accept-Language: fr-FR,fr;q=0.9,en;q=0.5\r\n";
    let id = arena.agon(["matches", "--json"]).well().json()["matches"][0]["id"].as_str().unwrap().to_owned();
    let replay = format!("/ladder/1/match/{id}.html");
    for (path, said) in [
        ("/ladder/1/index.html", "Tableau croisé"),
        ("/ladder/1/client/1.html", "Meilleures victoires"),
        ("/ladder/1/vs/1-2.html", "Gains-nuls-pertes"),
        ("/ladder/1/matches.html", "Partie, ✓ marque les vainqueurs"),
        ("/hall", "Classement"),
        ("/ladders", "Les tournois de cet enregistrement"),
        (replay.as_str(), "finie selon les règles après"),
    ] {
        let page = get(path, french);
        assert!(status(&page) == 200 && page.contains("<html lang=\"fr\">") && page.contains(said), "{path}: {page}");
        assert!(page.contains("vary: accept-language, cookie"), "{path}: {page}");
        assert_eq!(left_in_english(&page), [""; 0], "{path} has texts in English");
        // What was chosen counts more, and nobody who asks for neither gets another page than before.
        for heads in [&format!("{french}Cookie: agon-language=en\r\n"), ""] {
            let page = get(path, heads);
            assert!(page.contains("<html lang=\"en\">") && !page.contains(said), "{path}: {page}");
        }
    }
}

#[test]
fn a_report_is_written_in_french() {
    let arena = arena();
    arena.agon(["report", "--lang", "fr", "--replays", "all"]).well();
    let id = arena.agon(["matches", "--json"]).well().json()["matches"][0]["id"].as_str().unwrap().to_owned();
    for (file, said) in [("index.html".to_owned(), "Classement"), (format!("match/{id}.html"), "La fin de la partie")] {
        let page = std::fs::read_to_string(arena.path(format!("agon-report/{file}"))).unwrap();
        assert!(page.contains("<html lang=\"fr\">") && page.contains(said), "{page}");
        assert_eq!(left_in_english(&page), [""; 0], "{file}");
    }
}

#[test]
fn a_replay_file_is_written_in_french_in_every_game() {
    let arena = Arena::new();
    for client in ["random", "greedy", "grundy", "tirs", "mastermind", "six-simple"] {
        arena.rust_client(client);
    }
    for words in [
        "random greedy -o board=square:5",
        "grundy grundy -g grundy -o heaps=8",
        "tirs:level=1 tirs:level=2 -g tirs_croises -o size=4",
        "mastermind mastermind -g mastermind",
        "six-simple six-simple six-simple -g six_qui_prend -o limit=20",
    ] {
        arena.agon(["match"].into_iter().chain(words.split_whitespace())).well();
        let _ = std::fs::remove_file(arena.path("fr.html"));
        arena.agon(["replay", "last", "--html", "fr.html", "--lang", "fr"]).well();
        let page = std::fs::read_to_string(arena.path("fr.html")).unwrap();
        assert!(page.contains("<html lang=\"fr\">") && page.contains("La fin de la partie"), "{words}: {page}");
        assert_eq!(left_in_english(&page), [""; 0], "{words}");
        assert!(page.contains("place ") && !page.to_lowercase().contains("siège"), "one word for a seat: {words}");
    }
}

#[test]
fn start_pictures_have_the_words_of_the_page() {
    let arena = Arena::new();
    arena.rust_client("tirs");
    let client = |level| {
        format!(
            "[[client]]\nname = \"tirs-{level}\"\nfile = \"clients/tirs.so\"\noptions = {{ level = \"{level}\" }}\n"
        )
    };
    let head = "[ladder]\ngame = \"tirs_croises\"\nseed = 5\nopenings = 1\n";
    arena.ladder_toml(&(head.to_owned() + &client(1) + &client(2)));
    arena.agon(["ladder", "--quiet"]).well();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
    for (language, said, other) in
        [("fr", "place 1 : colonne", "seat 1: column"), ("en", "seat 1: column", "place 1 : colonne")]
    {
        let heads = format!("Host: localhost\r\nAccept-Language: {language}\r\nConnection: close\r\n");
        let page = server.ask(&format!("GET /ladder/1/index.html HTTP/1.1\r\n{heads}\r\n"));
        assert!(page.contains(said) && !page.contains(other), "{language}: {page}");
    }
}

/// No text of the sources calls a seat otherwise than the rules and the positions do.
#[test]
fn french_has_one_word_for_a_seat() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![root.join("server"), root.join("games/src"), root.join("docs")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let kind = entry.extension().and_then(|kind| kind.to_str()).unwrap_or_default().to_owned();
            if entry.is_dir() {
                folders.extend((!entry.ends_with("target") && !entry.ends_with("tests")).then_some(entry));
            } else if ["rs", "js", "md"].contains(&kind.as_str())
                && std::fs::read_to_string(&entry).unwrap().to_lowercase().contains("siège")
            {
                found.push(entry);
            }
        }
    }
    assert!(found.is_empty(), "write place, not siège: {found:?}");
}

#[test]
fn the_language_is_chosen_on_a_page_and_stays() {
    if !has_browser() {
        return;
    }
    let arena = arena();
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
    let mut browser = Browser::start();
    browser.open(&format!("{}ladder/1/index.html", server.link));
    let language = "document.readyState === 'complete' && document.documentElement?.lang";
    assert_eq!(browser.value(language), "en");
    browser.click("#language");
    browser.wait(|browser| browser.value(language) == "fr");
    is_accessible(&mut browser);
    browser.open(&format!("{}ladder/1/matches.html", server.link));
    assert_eq!(browser.value(language), "fr");
    browser.wait(|browser| browser.value("!!document.getElementById('language')") == true);
    browser.click("#language");
    browser.wait(|browser| browser.value(language) == "en");
    // The controls of a match are made by its script, from texts that come with the page.
    let id = arena.agon(["matches", "--json"]).well().json()["matches"][0]["id"].as_str().unwrap().to_owned();
    browser.open(&format!("{}ladder/1/match/{id}.html", server.link));
    browser.wait(|browser| browser.value("!!document.getElementById('language')") == true);
    browser.click("#language");
    browser.wait(|browser| browser.value(language) == "fr");
    is_accessible(&mut browser);
    let shown = "document.getElementById('steer').innerHTML + document.getElementById('told').innerText";
    let shown = browser.value(shown).as_str().unwrap().to_owned();
    for text in ["Lecture", "Suivant", "Vitesse", "par seconde", "tour 0 sur "] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    assert_eq!(browser.complaints(), [""; 0]);
}
