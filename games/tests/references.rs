//! The programs in C++ that `agon bench` sets beside the rules do the same work: they come to the same checksums. Where
//! there is no C++ compiler this says so and tests nothing.

use agon_games::{GAMES, Reference, Speed};
use std::path::Path;
use std::process::Command;

/// The first number that a reference prints after this much work.
fn run(reference: &Reference, count: u64, folder: &Path) -> u64 {
    let (code, program) = (folder.join("reference.cpp"), folder.join("reference"));
    std::fs::write(&code, reference.source.concat()).unwrap();
    let mut compiler = Command::new("c++");
    compiler.args(["-std=c++17", "-O2", "-w"]).args(reference.flags).arg("-o").arg(&program).arg(&code);
    let compiled = compiler.output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&program).args([reference.way, &count.to_string()]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.split(' ').next().unwrap().parse().unwrap_or_else(|_| panic!("{}: \"{text}\"", reference.name))
}

#[test]
fn references_come_to_the_same() {
    if !agon_skips::has_program("c++") {
        return;
    }
    let folder = std::env::temp_dir().join(format!("agon-references-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let speeds = GAMES.iter().flat_map(|game| game.facts().speeds);
    let compared: Vec<&Speed> = speeds.filter(|speed| !speed.references.is_empty()).collect();
    assert!(compared.len() >= 5, "each of the four games has a reference, and the nimbers");
    for speed in compared {
        let work = (speed.run)();
        for reference in speed.references.iter().filter(|reference| reference.same) {
            let checksum = run(reference, work.count, &folder);
            assert_eq!(checksum, work.checksum, "{}, in C++, {}", speed.name, reference.name);
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
