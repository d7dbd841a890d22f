//! Whether a client plays, in one word, the same in all tables.

use crate::SuspensionKind;
use serde::Serialize;
use strum::IntoStaticStr;

/// Whether a client plays, and if not, for which cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum StatusKind {
    /// It plays.
    Playing,
    /// Admission refused it.
    Refused,
    /// Its only file came after the closing time.
    Late,
    /// This version is suspended.
    Benched,
    /// All its versions are.
    Withdrawn,
    /// There is a newer version.
    Replaced,
    /// Nobody finds its file.
    #[serde(rename = "file gone")]
    #[strum(serialize = "file gone")]
    FileGone,
    /// Only its results are known.
    Forgotten,
}

impl StatusKind {
    /// Whether it is neither suspended nor gone.
    pub fn is_present(self) -> bool {
        matches!(self, StatusKind::Playing | StatusKind::Refused | StatusKind::Late)
    }

    /// Whether its file no longer takes part.
    pub fn is_gone(self) -> bool {
        matches!(self, StatusKind::Replaced | StatusKind::FileGone | StatusKind::Forgotten)
    }

    /// In tables.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl From<SuspensionKind> for StatusKind {
    fn from(kind: SuspensionKind) -> StatusKind {
        match kind {
            SuspensionKind::Benched => StatusKind::Benched,
            SuspensionKind::Withdrawn => StatusKind::Withdrawn,
        }
    }
}
