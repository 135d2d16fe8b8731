//! Turns the shares of a pixel's time into heights, for the page and for the pictures of reports.

use crate::terms::track::Fill;

/// How many of a strip's `levels` each state of a pixel takes; states are stacked from the bottom up. `shares` has a byte for
/// each state, 255 for all of the pixel's time; `fills` says how each is painted. A state that is there at all takes at least
/// one level. Rounding never changes the total height.
///
/// ```
/// use ghc_eventlog_model::{Fill, stack};
///
/// // 60 % in one state, 1 % in another; the rest of the time is left to the ground.
/// let mut heights = [0; 3];
/// stack(&[153, 3, 99], &[Fill::Full, Fill::Hatched, Fill::Ground], 10, &mut heights);
/// assert_eq!(heights, [5, 1, 0]);
/// ```
pub fn stack(shares: &[u8], fills: &[Fill], levels: usize, heights: &mut [usize]) {
    let rounded = |share: u32| (f64::from(share) / 255.0 * levels as f64 + 0.5) as usize;
    let (mut all, mut sum) = (0, 0);
    for ((share, fill), height) in shares.iter().zip(fills).zip(heights.iter_mut()) {
        let share = if *fill == Fill::Ground { 0 } else { u32::from(*share) };
        *height = if share == 0 { 0 } else { rounded(share).max(1) };
        all += share;
        sum += *height;
    }
    let wanted = if all > 0 { rounded(all.min(255)).max(1) } else { 0 };
    // The largest state, or the first of the largest, absorbs the rounding errors: there they show least.
    if let Some(largest) = heights.iter_mut().rev().max_by_key(|height| **height) {
        *largest = (*largest + wanted).saturating_sub(sum).max(usize::from(all > 0));
    }
}
