//! The fuzzer's entry: `AGON_FUZZ_TARGET=NAME agon-fuzz CORPUS -max_total_time=600`. `tools/fuzz` builds it as it must
//! be built.
#![no_main]

use agon_fuzz::{TARGETS, Target};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("AGON_FUZZ_TARGET").unwrap_or_default();
    let Some(target) = TARGETS.iter().find(|target| target.name == name) else {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        eprintln!("AGON_FUZZ_TARGET names no target; help: one of {}", names.join(", "));
        std::process::exit(2);
    };
    *target
});

fuzz_target!(|bytes: &[u8]| (TARGET.run)(bytes));
