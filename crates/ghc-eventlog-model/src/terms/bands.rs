//! Which bands of a heap profile are shown.

/// The entry of [`Window::counts`](crate::Window::counts) for all bands that are not shown individually.
pub const REST: u32 = u32::MAX;

/// Which bands of a heap profile are shown individually; all the others are drawn as one band.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownBands {
    /// How bands are ranked: the first one is drawn lowest.
    pub order: BandOrder,
    /// How many bands, at most [`ShownBands::MOST`].
    pub count: usize,
}

/// How bands are ranked.
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
    /// In alphabetical order of their names.
    Name,
}

impl ShownBands {
    /// The most bands that a reader can distinguish.
    pub const MOST: usize = 50;
}

impl Default for ShownBands {
    fn default() -> Self {
        Self { order: BandOrder::default(), count: 10 }
    }
}
