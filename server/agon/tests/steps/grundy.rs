@@ instead of
    others.chain(parts).filter(|sticks| *sticks > 2).count()
}
@@ write
    let nimbers = nimbers(heaps.iter().copied().max().unwrap_or(0) as usize);
    others.chain(parts).fold(0, |left, sticks| left ^ nimbers[sticks as usize])
}

/// The nimbers of heaps of up to so many sticks.
fn nimbers(most: usize) -> Vec<usize> {
    let mut nimbers: Vec<usize> = Vec::new();
    for sticks in 0..=most {
        let found: Vec<usize> = (1..sticks.div_ceil(2)).map(|split| nimbers[split] ^ nimbers[sticks - split]).collect();
        nimbers.push((0..).find(|number| !found.contains(number)).unwrap_or(0));
    }
    nimbers
}
