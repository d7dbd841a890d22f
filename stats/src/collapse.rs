//! Merges strata that have no spread of their own: see [`crate::strata`].

/// The strata, of which those without a spread of their own are merged. Only a single stratum may be without.
pub(crate) fn collapse<S>(
    mut together: S,
    apart: Vec<S>,
    size: impl Fn(&S) -> f64,
    are_several: impl Fn(&S) -> bool,
    merge: impl Fn(&mut S, &S),
) -> Vec<S> {
    let (mut strata, alone): (Vec<S>, Vec<S>) = apart.into_iter().partition(&are_several);
    alone.iter().for_each(|one| merge(&mut together, one));
    if size(&together) <= 0.0 && !strata.is_empty() {
        return strata;
    }
    match strata.iter_mut().rev().max_by(|a, b| size(a).total_cmp(&size(b))) {
        Some(largest) if !are_several(&together) => merge(largest, &together),
        _ => strata.push(together),
    }
    strata
}
