//! Detects the features of this processor.

/// Proof that this processor has AVX2, and the smaller extensions that came before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Looks at the processor.
    pub fn detect() -> Option<Avx2> {
        has_all().then_some(Avx2(()))
    }
}

#[cfg(target_arch = "x86_64")]
fn has_all() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}

/// The family of the evaluation that is compiled for it.
#[cfg(not(target_arch = "x86_64"))]
fn has_all() -> bool {
    false
}
