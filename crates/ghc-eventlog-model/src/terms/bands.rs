//! Which bands of a heap profile are shown.

/// What stands in [`Window::counts`](crate::Window::counts) for all bands that are not shown each for itself.
pub const REST: u32 = u32::MAX;

/// Which bands of a heap profile are shown, each for itself; all others are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownBands {
    /// What makes a band one of the first: the first lies lowest.
    pub order: BandOrder,
    /// How many, at most [`ShownBands::MOST`].
    pub count: usize,
}

/// What makes a band one of the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BandOrder {
    /// Most bytes over time.
    #[default]
    Integral,
    /// Most bytes at any time.
    Maximum,
    /// Most bytes in the last census.
    Last,
    /// Growing fastest.
    Slope,
    /// The first by their names.
    Name,
}

impl ShownBands {
    /// More than these nobody tells apart.
    pub const MOST: usize = 50;
}

impl Default for ShownBands {
    fn default() -> Self {
        Self { order: BandOrder::default(), count: 10 }
    }
}
