//! The workers of a record for programs and pages: `agon.workers/1`.

use super::Titled;
use crate::WorkerState;
use crate::visible::json_document;
use serde::{Deserialize, Serialize};

/// The workers of other machines.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Workers {
    pub workers: Vec<Worker>,
    /// The number of those that left and are not listed.
    pub more: u64,
    /// Absent where results were not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differences: Option<Vec<WorkerDifference>>,
}

impl Workers {
    /// Writes the document as JSON, with its schema.
    pub fn json(&self) -> String {
        json_document(&Titled { schema: "agon.workers/1", document: self })
    }
}

/// A worker.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Worker {
    pub id: i64,
    pub worker: String,
    pub role: String,
    pub line: Option<String>,
    pub state: WorkerState,
    pub build: String,
    pub cores: u32,
    pub jobs: u32,
    pub speed: Option<f64>,
    pub spread: Option<f64>,
    pub class: Option<String>,
    pub has: u64,
    pub blocks: u64,
    pub blocks_an_hour: Option<u64>,
    pub voids: u64,
    pub late: u64,
    pub faults: u64,
    pub seen_s: u64,
    pub why: Option<String>,
}

/// That a client fared otherwise somewhere.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkerDifference {
    /// `worker` or `processor`.
    pub of: String,
    /// Which one.
    pub name: String,
    pub client: String,
    /// How much more it got there a match than with all others in the same meetings.
    pub more: f64,
    pub z: f64,
    pub blocks: u64,
}
