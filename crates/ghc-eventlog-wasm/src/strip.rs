//! Paints a strip of pixels. In each column, the height of a state is its share of the pixel's time; the states are
//! stacked from the bottom. So 8 % of the time looks like 8 % at any zoom, and every state that occurs is at least one
//! pixel high.
//!
//! ```text
//! 60 % running, 30 % collecting, ten levels     ...cccrrrr    (from the top to the bottom)
//! ```

use ghc_eventlog_model::{Fill, stack};

/// A pixel: red, green, blue, alpha.
pub(crate) type Pixel = [u8; 4];

/// The distance between two lines of the hatching, in pixels.
const APART: usize = 6;

/// Paints one track. `shares` has a byte for each state of each pixel; 255 is all of the pixel's time. `fills` and
/// `colours` say how each state is painted. `pixels` has the strip's `levels` rows from top to bottom, and must be
/// cleared.
pub(crate) fn paint(shares: &[u8], fills: &[Fill], colours: &[Pixel], levels: usize, pixels: &mut [Pixel]) {
    let columns: Vec<&[u8]> = shares.chunks_exact(fills.len().max(1)).collect();
    let width = columns.len();
    let mut heights = vec![0; fills.len()];
    let mut from = 0;
    // The further the user zooms in, the longer the runs of equal columns.
    for run in columns.chunk_by(|one, other| one == other) {
        let to = from + run.len();
        stack(run.first().copied().unwrap_or_default(), fills, levels, &mut heights);
        let mut rows = pixels.chunks_exact_mut(width).rev();
        for ((fill, &colour), &height) in fills.iter().zip(colours).zip(&heights) {
            for (above, row) in (0..height).zip(rows.by_ref()) {
                let Some(cells) = row.get_mut(from..to) else { continue };
                if *fill == Fill::Hatched {
                    let lines = (from..to).zip(cells).filter(|(x, _)| (x + height - above) % APART == 0);
                    lines.for_each(|(_, cell)| *cell = colour);
                } else {
                    cells.fill(colour);
                }
            }
        }
        from = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Option<Pixel> = Some([200, 0, 0, 255]);
    const BLUE: Option<Pixel> = Some([0, 0, 100, 255]);
    const GREEN: Option<Pixel> = Some([0, 90, 0, 255]);

    fn fills(colours: &[Option<Pixel>], fill: Fill) -> Vec<Fill> {
        colours.iter().map(|colour| if colour.is_some() { fill } else { Fill::Ground }).collect()
    }

    fn letter(pixel: Pixel) -> char {
        match pixel {
            [0, 0, 0, 0] => '.',
            [200, 0, 0, 255] => 'r',
            [0, 0, 100, 255] => 'b',
            [0, 90, 0, 255] => 'g',
            _ => '?',
        }
    }

    /// A strip's rows from top to bottom, as letters: the first letter of a colour, `.` for the background.
    fn rows(shares: &[u8], colours: &[Option<Pixel>], fill: Fill, levels: usize) -> Vec<String> {
        let width = shares.len() / colours.len();
        let mut pixels = vec![[0; 4]; width * levels];
        let known: Vec<Pixel> = colours.iter().map(|colour| colour.unwrap_or([9; 4])).collect();
        paint(shares, &fills(colours, fill), &known, levels, &mut pixels);
        pixels.chunks(width).map(|row| row.iter().map(|pixel| letter(*pixel)).collect()).collect()
    }

    /// The strip's columns, each from top to bottom.
    fn columns(shares: &[u8], colours: &[Option<Pixel>], levels: usize) -> Vec<String> {
        let rows = rows(shares, colours, Fill::Full, levels);
        let width = shares.len() / colours.len();
        (0..width).map(|x| rows.iter().map(|row| row.chars().nth(x).unwrap_or('?')).collect()).collect()
    }

    fn column(shares: &[u8], colours: &[Option<Pixel>]) -> String {
        columns(shares, colours, 10).concat()
    }

    fn height(share: u8, levels: usize) -> usize {
        columns(&[share, 0], &[RED, BLUE], levels).concat().matches('r').count()
    }

    #[test]
    fn states_are_stacked_and_as_high_as_their_shares_of_the_time() {
        let of_two = |one, other| column(&[one, other], &[RED, BLUE]);
        assert_eq!(of_two(0, 0), "..........");
        assert_eq!((of_two(255, 0), of_two(0, 255)), ("rrrrrrrrrr".into(), "bbbbbbbbbb".into()));
        assert_eq!((of_two(102, 77), of_two(77, 178)), ("...bbbrrrr".into(), "bbbbbbbrrr".into()));
        for levels in [22, 44, 66] {
            let wanted = 0.08 * levels as f64;
            assert!((height(20, levels) as f64 - wanted).abs() <= 0.6, "8 % of {levels}");
        }
    }

    #[test]
    fn any_share_is_at_least_a_pixel_and_a_larger_one_is_never_lower() {
        assert_eq!(height(1, 22), 1);
        assert_eq!(column(&[254, 1], &[RED, BLUE]), "brrrrrrrrr");
        assert_eq!(column(&[85, 84, 1], &[RED, BLUE, GREEN]).matches('g').count(), 1);
        let heights: Vec<usize> = (0..=255).map(|share| height(share, 22)).collect();
        assert!(heights.is_sorted() && heights.last() == Some(&22));
    }

    #[test]
    fn rounded_up_shares_and_more_states_than_levels_fit() {
        assert_eq!(column(&[255, 2], &[RED, BLUE]), "brrrrrrrrr");
        assert_eq!(columns(&[250, 1, 1], &[RED, BLUE, GREEN], 4), ["gbrr"]);
        assert_eq!(columns(&[100, 100, 55, 0, 0, 0], &[RED, BLUE, GREEN], 2), ["br", ".."]);
    }

    #[test]
    fn states_left_to_the_background_are_not_painted_but_take_their_height() {
        assert_eq!(column(&[51, 204], &[RED, None]), "........rr");
        let beside = columns(&[0, 0, 255, 0, 0, 0, 0, 128], &[RED, BLUE], 10);
        assert_eq!(beside, ["..........", "rrrrrrrrrr", "..........", ".....bbbbb"]);
    }

    #[test]
    fn hatched_states_have_oblique_lines_in_their_colours() {
        let shares: Vec<u8> = [0, 255].into_iter().cycle().take(24).collect();
        let lines = rows(&shares, &[RED, BLUE], Fill::Hatched, 12);
        assert!(lines.iter().all(|line| line.matches('b').count() == 2 && !line.contains('r')), "{lines:?}");
        assert!(lines[0].find('b').unwrap().abs_diff(lines[1].find('b').unwrap()) == 1, "{lines:?}");
        let both = rows(&[128; 24], &[RED, BLUE], Fill::Hatched, 2).concat();
        assert!(both.contains('r') && both.contains('b') && both.contains('.'), "{both}");
    }
}
