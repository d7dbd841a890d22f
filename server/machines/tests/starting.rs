//! The files of the guide that start many workers are read by the tools that they are for.

use crate::builder::Arena;
use std::process::{Command, Output};

const GUIDES: [&str; 2] =
    [include_str!("../../../docs/guides/machines.md"), include_str!("../../../docs/guides/machines.fr.md")];

/// The blocks of a guide that begin with these words.
fn blocks<'a>(guide: &'a str, begin: &str) -> Vec<&'a str> {
    let fenced = guide.split("\n```").skip(1).step_by(2);
    let inside = fenced.filter_map(|block| block.split_once('\n').map(|(_, inside)| inside));
    inside.filter(|inside| inside.starts_with(begin)).collect()
}

/// What a program says; `None`, said loudly, where it is not installed.
fn ran(program: &str, words: &[&str]) -> Option<Output> {
    let output = Command::new(program).args(words).output();
    if output.is_err() {
        agon_skips::skip(program);
    }
    output.ok()
}

#[test]
fn both_guides_have_the_same_files() {
    let [english, french] = GUIDES;
    for (begin, count) in [("[Unit]", 2), ("#!/bin/bash", 1)] {
        assert_eq!(blocks(english, begin).len(), count, "{begin}");
        assert_eq!(blocks(english, begin), blocks(french, begin));
    }
    for file in ["machines/worker.sub", "machines/kubernetes.yaml", "machines/keda.yaml"] {
        assert!(GUIDES.iter().all(|guide| guide.contains(&format!("]({file})"))), "{file}");
    }
}

#[test]
#[ignore = "needs systemd-analyze, which no package of the tests brings: cargo test -p agon-machines starting:: -- --ignored"]
fn systemd_accepts_the_units_of_coordinator_and_worker() {
    let arena = Arena::new();
    for (number, unit) in blocks(GUIDES[0], "[Unit]").into_iter().enumerate() {
        // The program need not be installed here, nor the user be there.
        let unit = unit.replace("/usr/local/bin/agon ", "/bin/true ").replace("User=agon", "User=daemon");
        let verify = |unit: &str| {
            let file = arena.file(&format!("agon-{number}.service"), unit);
            ran("systemd-analyze", &["verify", "--man=no", &file.display().to_string()])
        };
        let Some(good) = verify(&unit) else { return };
        let said = String::from_utf8_lossy(&good.stderr);
        let own: Vec<&str> = said.lines().filter(|line| line.contains("agon-")).collect();
        assert!(good.status.success() && own.is_empty(), "{said}");
        let bad = verify(&unit.replace("Restart=", "Restart=never-")).unwrap();
        assert!(String::from_utf8_lossy(&bad.stderr).contains("restart specifier"), "it would see a mistake");
    }
}

#[test]
#[ignore = "needs kubectl: cargo test -p agon-machines starting:: -- --ignored"]
fn kubectl_reads_the_deployment_and_its_scaling() {
    let arena = Arena::new();
    let files = [
        include_str!("../../../docs/guides/machines/kubernetes.yaml"),
        include_str!("../../../docs/guides/machines/keda.yaml"),
    ];
    arena.file("kustomization.yaml", "resources: [a0.yaml, a1.yaml]\n");
    files.iter().enumerate().for_each(|(number, text)| drop(arena.file(&format!("a{number}.yaml"), text)));
    let folder = arena.path("").display().to_string();
    let Some(built) = ran("kubectl", &["kustomize", &folder]) else { return };
    let (out, said) = (String::from_utf8_lossy(&built.stdout), String::from_utf8_lossy(&built.stderr));
    assert!(built.status.success() && out.contains("kind: Deployment") && out.contains("ScaledObject"), "{said}");
    assert!(out.contains("sum(agon_worker_blocks_open)"), "{out}");
    arena.file("a1.yaml", files[1].replace("spec:", "spec"));
    assert!(!ran("kubectl", &["kustomize", &folder]).unwrap().status.success(), "it would see a mistake");
}

#[test]
fn a_shell_reads_the_array_of_slurm() {
    let arena = Arena::new();
    let [script] = blocks(GUIDES[0], "#!/bin/bash")[..] else { panic!("one script") };
    let file = arena.file("array", script).display().to_string();
    let read = Command::new("bash").args(["-n", &file]).output().unwrap();
    assert!(read.status.success() && script.contains("#SBATCH --array="), "{read:?}");
}

#[test]
#[ignore = "needs sbatch and a controller of Slurm: cargo test -p agon-machines starting:: -- --ignored"]
fn slurm_accepts_the_array() {
    let arena = Arena::new();
    let [script] = blocks(GUIDES[0], "#!/bin/bash")[..] else { panic!("one script") };
    let file = arena.file("array", script).display().to_string();
    let Some(tried) = ran("sbatch", &["--test-only", &file]) else { return };
    let said = String::from_utf8_lossy(&tried.stderr);
    assert!(!said.contains("Invalid") && !said.contains("unrecognized"), "{said}");
}
