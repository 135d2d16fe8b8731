//! Sets of event numbers.

/// A set of event numbers below 256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tags([u64; 4]);

impl Tags {
    /// The empty set.
    pub(crate) const NONE: Self = Self([0; 4]);

    /// All numbers below 256.
    pub(crate) const ALL: Self = Self([u64::MAX; 4]);

    pub(crate) const fn of(tags: &[u16]) -> Self {
        let (mut all, mut rest) = (Self([0; 4]), tags);
        while let [tag, more @ ..] = rest {
            all.insert(*tag);
            rest = more;
        }
        all
    }

    /// The union of two sets.
    pub(crate) const fn with(self, others: Self) -> Self {
        let (Self([a, b, c, d]), Self([e, f, g, h])) = (self, others);
        Self([a | e, b | f, c | g, d | h])
    }

    /// Adds a number, if it is below 256.
    pub(crate) const fn insert(&mut self, tag: u16) {
        if tag < 256 {
            self.0[tag as usize / 64] |= 1 << (tag % 64);
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(bits, more)| *bits |= more);
    }

    /// Whether the sets have a number in common.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.0.iter().zip(other.0).any(|(bits, others)| bits & others != 0)
    }

    /// The numbers of this set that are not in the other.
    pub(crate) const fn without(self, others: Self) -> Self {
        let (Self([a, b, c, d]), Self([e, f, g, h])) = (self, others);
        Self([a & !e, b & !f, c & !g, d & !h])
    }

    pub(crate) const fn has(self, tag: u16) -> bool {
        tag < 256 && self.0[tag as usize / 64] & 1 << (tag % 64) != 0
    }
}

/// A value for each number below 256, in rows of sixteen: `each_tag!(|TAG| step_of::<TAG>)` has `step_of::<0>` first.
macro_rules! each_tag {
    (|$tag:ident| $value:expr) => {
        each_tag!(@rows |$tag| $value; 0 16 32 48 64 80 96 112 128 144 160 176 192 208 224 240)
    };
    (@rows |$tag:ident| $value:expr; $($from:literal)*) => {
        [$(each_tag!(@row |$tag| $value; $from; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)),*]
    };
    (@row |$tag:ident| $value:expr; $from:literal; $($more:literal)*) => {
        [$({ const $tag: u16 = $from + $more; $value }),*]
    };
}

pub(crate) use each_tag;
