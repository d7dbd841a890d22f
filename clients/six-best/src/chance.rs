//! Quick chance: SplitMix64 by counting, the same on every machine.

use agon_client_api::chance::splitmix64;

/// Where the next number comes from.
#[derive(Clone, Debug)]
pub struct Chance {
    next: u64,
}

impl Chance {
    /// Two seeds give streams that have nothing to do with each other.
    pub fn new(seed: u64) -> Chance {
        Chance { next: splitmix64(seed) }
    }

    /// 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.next = self.next.wrapping_add(1);
        splitmix64(self.next)
    }

    /// A number below `bound`, each as likely as any other but for one part in 2^32.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        (((self.bits() >> 32) * bound as u64) >> 32) as usize
    }

    /// A number from 0 to 1, 1 left out.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts the first `count` items in random order, drawn from all of them.
    #[inline]
    pub fn draw<T>(&mut self, items: &mut [T], count: usize) {
        let count = count.min(items.len().saturating_sub(1));
        let mut bits = 0;
        for at in 0..count {
            // One number has the chance of two draws.
            bits = if at % 2 == 0 { self.bits() } else { bits << 32 };
            let other = (((bits >> 32) * (items.len() - at) as u64) >> 32) as usize;
            items.swap(at, at + other);
        }
    }
}
