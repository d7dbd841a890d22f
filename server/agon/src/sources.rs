//! Sources that are named for a match by mistake.

use agon_command::{Failure, status};
use agon_model::Ladder;
use std::path::Path;

/// Refuses a match of which a word names a source, before anything is recorded.
///
/// # Errors
/// The source, and the command that compiles it.
pub fn refuse_sources(ladder: &Ladder) -> Result<(), Failure> {
    let refusal = |file: &Path| Some((file.to_owned(), how_to_build(file)?));
    let Some((file, how)) = ladder.clients.iter().find_map(|client| refusal(&client.path)) else { return Ok(()) };
    let what = format!("{} is a source, and matches are played by what is compiled of it", file.display());
    Err(Failure::new(status::REFUSED, format!("{what}; help: {how}")))
}

/// The command that makes a client of a source; `None` of other files.
fn how_to_build(file: &Path) -> Option<String> {
    let ending = file.extension()?.to_str()?;
    let name = file.file_stem()?.to_str()?;
    let compile = |compiler: &str| {
        let own = file.display();
        format!("{compiler} -O2 -g -shared -fPIC -I include -o clients/{name}.so {own}, then name {name}")
    };
    match ending {
        "c" => Some(compile("cc")),
        "cc" | "cpp" | "cxx" | "C" | "c++" => Some(compile("c++")),
        "rs" => Some("cargo build --release, then agon add target/release/libNAME.so".to_owned()),
        "go" => Some(format!("go build -o clients/{name}.bin, then name {name}")),
        "zig" => Some("zig build, then agon add the library that it made".to_owned()),
        "h" | "hpp" | "o" => Some("name the client that is compiled with it: make, then clients/NAME.so".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_known_by_their_endings() {
        let how = |file: &str| how_to_build(Path::new(file));
        let cc = "cc -O2 -g -shared -fPIC -I include -o clients/mybot.so src/mybot.c, then name mybot";
        assert_eq!(how("src/mybot.c").as_deref(), Some(cc));
        for (file, program) in [("a.cpp", "c++ "), ("a.C", "c++ "), ("a.rs", "cargo"), ("a.go", "go"), ("a.zig", "zig")]
        {
            assert!(how(file).is_some_and(|how| how.starts_with(program)), "{file}");
        }
        for file in ["a.so", "a.py", "a", "a.bin", ".c"] {
            assert_eq!(how(file), None, "{file}");
        }
    }
}
