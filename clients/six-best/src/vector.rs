//! Numbers that are worked on at once, one a lane: what `lanes.rs` needs of them, and the portable kind. `avx2.rs`
//! has the other.

use crate::deal::{LANES, Lanes};

/// Lanes of 16 bits. What compares gives masks: all bits of a lane for which it holds, none of the others.
pub trait Vector: Copy {
    /// From memory.
    fn load(lanes: &Lanes) -> Self;
    /// As lanes in memory.
    fn store(self) -> Lanes;
    /// The same number in each lane.
    fn all(value: i16) -> Self;
    /// Sums.
    fn add(self, other: Self) -> Self;
    /// Differences.
    fn sub(self, other: Self) -> Self;
    /// Bits that both have.
    fn and(self, other: Self) -> Self;
    /// Bits that one has.
    fn or(self, other: Self) -> Self;
    /// Bits that the mask does not have.
    fn without(self, mask: Self) -> Self;
    /// The lower ones.
    fn min(self, other: Self) -> Self;
    /// The higher ones.
    fn max(self, other: Self) -> Self;
    /// Where both are equal.
    fn is(self, other: Self) -> Self;
    /// Where this one is higher.
    fn above(self, other: Self) -> Self;
    /// This one where the mask is set, the other elsewhere.
    fn where_else(self, mask: Self, other: Self) -> Self;
    /// Times 2^N.
    fn up<const N: i32>(self) -> Self;
    /// Divided by 2^N, for numbers from 0.
    fn down<const N: i32>(self) -> Self;
    /// Times a number.
    fn times(self, factor: i16) -> Self;
    /// Products.
    fn times_each(self, other: Self) -> Self;
    /// Times a number, divided by 2^16, for numbers from 0.
    fn times_high(self, factor: u16) -> Self;
}

impl Lanes {
    #[inline(always)]
    fn map(self, each: impl Fn(i16) -> i16) -> Lanes {
        let mut out = self;
        for lane in &mut out.0 {
            *lane = each(*lane);
        }
        out
    }

    #[inline(always)]
    fn with(self, other: Lanes, each: impl Fn(i16, i16) -> i16) -> Lanes {
        let mut out = self;
        for (lane, other) in out.0.iter_mut().zip(&other.0) {
            *lane = each(*lane, *other);
        }
        out
    }
}

impl Vector for Lanes {
    #[inline(always)]
    fn load(lanes: &Lanes) -> Self {
        *lanes
    }
    #[inline(always)]
    fn store(self) -> Lanes {
        self
    }
    #[inline(always)]
    fn all(value: i16) -> Self {
        Lanes([value; LANES])
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, i16::wrapping_add)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, i16::wrapping_sub)
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.with(other, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.with(other, |a, b| a | b)
    }
    #[inline(always)]
    fn without(self, mask: Self) -> Self {
        self.with(mask, |a, b| a & !b)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.with(other, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.with(other, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn is(self, other: Self) -> Self {
        self.with(other, |a, b| -i16::from(a == b))
    }
    #[inline(always)]
    fn above(self, other: Self) -> Self {
        self.with(other, |a, b| -i16::from(a > b))
    }
    #[inline(always)]
    fn where_else(self, mask: Self, other: Self) -> Self {
        self.and(mask).or(other.without(mask))
    }
    #[inline(always)]
    fn up<const N: i32>(self) -> Self {
        self.map(|a| a << N)
    }
    #[inline(always)]
    fn down<const N: i32>(self) -> Self {
        self.map(|a| a >> N)
    }
    #[inline(always)]
    fn times(self, factor: i16) -> Self {
        self.map(|a| a.wrapping_mul(factor))
    }
    #[inline(always)]
    fn times_each(self, other: Self) -> Self {
        self.with(other, i16::wrapping_mul)
    }
    #[inline(always)]
    fn times_high(self, factor: u16) -> Self {
        self.map(|a| ((u32::from(a as u16) * u32::from(factor)) >> 16) as i16)
    }
}
