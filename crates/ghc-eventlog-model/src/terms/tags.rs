//! Sets of the numbers of events.

/// Numbers of events, below 256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tags([u64; 4]);

impl Tags {
    /// None of them.
    pub(crate) const NONE: Self = Self([0; 4]);

    /// All of them.
    pub(crate) const ALL: Self = Self([u64::MAX; 4]);

    pub(crate) const fn of(tags: &[u16]) -> Self {
        let (mut all, mut rest) = (Self([0; 4]), tags);
        while let [tag, more @ ..] = rest {
            all.insert(*tag);
            rest = more;
        }
        all
    }

    /// With those that are among some others, too.
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

    /// Whether any number is in both.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.0.iter().zip(other.0).any(|(bits, others)| bits & others != 0)
    }

    /// Those that are not among some others.
    pub(crate) const fn without(self, others: Self) -> Self {
        let (Self([a, b, c, d]), Self([e, f, g, h])) = (self, others);
        Self([a & !e, b & !f, c & !g, d & !h])
    }

    pub(crate) const fn has(self, tag: u16) -> bool {
        tag < 256 && self.0[tag as usize / 64] & 1 << (tag % 64) != 0
    }
}
