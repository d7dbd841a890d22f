//! The layout that clients in Rust export.

use super::built;
use agon_client_api::layout::{Checked, compare};

#[test]
fn the_same_layout_is_found_the_same() {
    let random = built::client("random");
    assert_eq!(compare(&random, "amazons"), Ok(Checked::Same));
    assert_eq!(compare(&random, "a game of a later version"), Ok(Checked::NotExported));
    let mastermind = built::client("mastermind");
    assert_eq!(compare(&mastermind, "mastermind"), Ok(Checked::Same));
    assert_eq!(compare(&built::client("grundy"), "grundy"), Ok(Checked::Same));
}

#[test]
fn another_layout_is_printed() {
    let difference = compare(&built::other_layout(), "amazons").unwrap_err().0;
    for word in ["AmazonsTurn", "arrow_dst", "num_vertices"] {
        assert!(difference.contains(word), "{difference}");
    }
    println!("{difference}");
}

#[test]
fn a_client_in_c_has_none() {
    if let Some(first) = built::first_c() {
        assert_eq!(compare(&first, "amazons"), Ok(Checked::NotExported));
    }
}
