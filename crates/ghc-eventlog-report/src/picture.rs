//! The timeline as an SVG picture, for pages where scripts are blocked or the log is not included. Its colours are
//! attributes, since a strict policy drops styles.

use crate::{Palette, short::short};
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Fill, Model, REST, Shape, State, Track, View, Window, Wishes, stack, work};
use maud::{Markup, html};
use std::fmt::Write;

/// The number of pixels on the time axis, and the width of each on the page.
const PIXELS: usize = 480;
const WIDE: usize = 2;

/// The width of the tracks' names on the left, and the height of the times and the legend below.
const NAMES: usize = 200;
const BELOW: usize = 44;

/// The width of an entry of the legend.
const ENTRY: usize = 120;

/// The fill for what is not in the log, and for disabled capabilities.
const HATCHED: &str = "url(#hatched)";
const HATCH: &str = "hatch";

/// What is hatched over the states of lanes.
const WRITING: &str = "writing the log";

/// The height of a track, the height of a track of bands (its names are beside it), and the gap after each.
const HIGH: usize = 24;
const BANDS_HIGH: usize = 148;
const GAP: usize = 4;

/// The names of bands: the height of a line and the width of a letter.
const LINE: usize = 12;

/// The most tracks in the picture of a log that is included in the report: the viewer shows the others.
pub const FEW: usize = 60;

/// The most tracks in the picture of a log that is not included. Most logs have fewer; with this many the picture takes
/// some megabytes.
pub const MANY: usize = 500;

/// A track with what it shows of the whole log.
type Drawn = (Track, Window);

/// Tracks, one below the other.
type Sheet = Vec<Drawn>;

/// The size of the letters of a scale, and the width of one, roughly.
const SCALE: usize = 9;
const LETTER: usize = 5;

/// The picture of a whole log.
#[derive(Debug)]
pub struct Picture {
    from: Nanos,
    to: Nanos,
    /// The tracks that the page shows at first.
    open: Sheet,
    /// The groups that are folded in the page at first, with their names.
    folded: Vec<(&'static str, Sheet)>,
    /// How many tracks the picture leaves out.
    more: usize,
}

impl Picture {
    /// Draws at most `most` tracks of a log: exactly if it is short, otherwise from the overview that the model has
    /// without reading the log again. `read` is called with an offset and a number of bytes, and returns these bytes of
    /// the log. If it returns none, the picture is as coarse as that of a long log.
    ///
    /// # Errors
    /// The errors of `read`.
    pub fn of<E>(model: &mut Model, most: usize, read: impl FnMut(u64, u64) -> Result<Vec<u8>, E>) -> Result<Self, E> {
        let Some((from, to)) = model.extent() else {
            return Ok(Self { from: Nanos(0), to: Nanos(0), open: Vec::new(), folded: Vec::new(), more: 0 });
        };
        let view = View { from, to: to.plus(Nanos(u64::from(from == to))), width: PIXELS };
        let mut plan = model.plan(view);
        // If the file has changed, the picture stays as coarse as it is.
        work(&mut plan, model, read)?;
        let arrangement = model.arrange(Wishes::default(), None);
        let with_window = |mut track: Track| {
            let window = model.window(&arrangement, &plan, track.id);
            // As on the page, the lines of all capabilities have one scale.
            if let (Shape::Line { most, .. }, Some(alike)) = (&mut track.shape, model.alike(&arrangement, track.id)) {
                *most = alike;
            }
            (track, window)
        };
        let (mut open, mut folded, mut more, mut room) = (Vec::new(), Vec::new(), 0, most);
        // Folded groups have many tracks or matter less, so the open ones come first.
        let (shown, hidden): (Vec<_>, Vec<_>) =
            model.groups(&arrangement).into_iter().filter(|group| group.tracks > 0).partition(|group| group.open);
        for group in shown.into_iter().chain(hidden) {
            let count = group.tracks.min(room);
            room -= count;
            more += group.tracks - count;
            let sheet = model.tracks_of(&arrangement, group.key, 0, count).into_iter().map(with_window);
            if group.open {
                open.extend(sheet);
            } else {
                open.extend(group.picture.map(with_window));
                folded.extend((count > 0).then(|| (group.name, sheet.collect())));
            }
        }
        Ok(Self { from, to, open, folded, more })
    }

    /// The picture as SVG, in the palette's colours. Groups that are folded in the page are folded here, too.
    pub(crate) fn markup(&self, palette: &Palette) -> Markup {
        html! {
            div class="wide" tabindex="0" { (self.svg(&self.open, palette)) }
            @for (name, sheet) in &self.folded {
                details {
                    summary { (name) " (" (sheet.len()) ")" }
                    div class="wide" tabindex="0" { (self.svg(sheet, palette)) }
                }
            }
            @if self.more > 0 {
                p { "The viewer shows " (self.more) " more tracks." }
            }
        }
    }

    fn svg(&self, sheet: &Sheet, palette: &Palette) -> Markup {
        let width = NAMES + PIXELS * WIDE;
        let tops: Vec<usize> = sheet
            .iter()
            .scan(0, |top, (track, _)| {
                *top += high(track) + GAP;
                Some(*top - high(track) - GAP)
            })
            .collect();
        let height = sheet.iter().map(|(track, _)| high(track) + GAP).sum::<usize>() + BELOW;
        let background = palette.colour("background");
        let lasts = self.to.since(self.from);
        let end = ghc_eventlog_model::Value::Duration(lasts).text(Nanos(0));
        html! {
            svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox=(format!("0 0 {width} {height}"))
                role="img" aria-label=(format!("Timeline of {end}")) font-family="system-ui, sans-serif" font-size="12" {
                defs {
                    pattern id="hatched" width="6" height="6" patternUnits="userSpaceOnUse" {
                        path d="M0 6L6 0" stroke=(palette.colour(HATCH)) fill="none" {}
                    }
                }
                rect width=(width) height=(height) fill=(background) {}
                @for (top, (track, window)) in tops.into_iter().zip(sheet) {
                    (row(top, track, window, (self.from, self.to), palette))
                }
                text x=(NAMES) y=(height - BELOW + 14) fill=(palette.colour("muted")) { "0" }
                text x=(width) y=(height - BELOW + 14) text-anchor="end" fill=(palette.colour("muted")) { (end) }
                @for (at, (name, role)) in legend(sheet).into_iter().enumerate() {
                    rect x=(at * ENTRY + 4) y=(height - 18) width="12" height="12" fill=(fill(role, palette)) {}
                    text x=(at * ENTRY + 22) y=(height - 8) fill=(palette.colour("muted")) { (name) }
                }
            }
        }
    }
}

/// The legend: the states that any track of the sheet shows, each colour once, and the hatching.
fn legend(sheet: &Sheet) -> Vec<(&'static str, &'static str)> {
    let mut legend: Vec<(&str, &str)> = Vec::new();
    for (track, window) in sheet {
        for (at, state) in track.states.iter().enumerate() {
            let is_coloured = state.fill() == Fill::Full;
            let is_drawn = || {
                window.shares.chunks(window.states.max(1)).any(|shares| shares.get(at).is_some_and(|share| *share > 0))
            };
            if is_coloured && !legend.iter().any(|(_, role)| *role == state.role) && is_drawn() {
                legend.push((state.name, state.role));
            }
        }
    }
    legend.truncate((NAMES + PIXELS * WIDE) / ENTRY - 2);
    legend.push(("not known", HATCH));
    if sheet.iter().any(|(_, window)| !window.hatched.is_empty()) {
        legend.push((WRITING, HATCH));
    }
    legend
}

/// The fill of a role.
fn fill(role: &str, palette: &Palette) -> String {
    if role == HATCH { HATCHED.to_string() } else { palette.colour(role) }
}

/// The height of a track.
fn high(track: &Track) -> usize {
    if matches!(track.shape, Shape::Bands { .. }) { BANDS_HIGH } else { HIGH }
}

fn row(top: usize, track: &Track, window: &Window, times: (Nanos, Nanos), palette: &Palette) -> Markup {
    let text = palette.colour("text");
    let row = Row { top, high: high(track) };
    let unknown = (unknown(track, window, row), HATCHED.to_string(), "not known".to_string());
    html! {
        rect x=(NAMES) y=(top) width=(PIXELS * WIDE) height=(row.high) fill=(palette.colour("panel")) {}
        text x="4" y=(top + 16) fill=(text) { (short(&track.name.for_html(), LETTERS)) }
        (names(track, window, row, palette))
        @let written = (written(window, times, row), HATCHED.to_string(), WRITING.to_string());
        @for (path, colour, name) in [unknown].into_iter().chain(paths(track, window, row, palette)).chain([written]) {
            @if !path.is_empty() {
                path d=(path) fill=(colour) { title { (name) } }
            }
        }
        (scale(track, row, palette))
    }
}

/// The value at the top of a row with a scale; its bottom is 0.
fn scale(track: &Track, row: Row, palette: &Palette) -> Markup {
    let most = match track.shape {
        Shape::Line { unit, most, .. } | Shape::Bands { unit, most } => Some(unit.value(most).text(Nanos(0))),
        _ => None,
    };
    html! {
        @if let Some(most) = most {
            rect x=(NAMES) y=(row.top) width=(most.chars().count() * LETTER + 6) height=(SCALE + 2)
                fill=(palette.colour("panel")) fill-opacity="0.75" {}
            text x=(NAMES + 3) y=(row.top + SCALE) font-size=(SCALE) fill=(palette.colour("muted")) { (most) }
        }
    }
}

/// The names of a track's bands, each in its colour: those first that come first in their order.
fn names(track: &Track, window: &Window, row: Row, palette: &Palette) -> Markup {
    let (is_of_bands, roles) = (matches!(track.shape, Shape::Bands { .. }), roles_of(window));
    html! {
        @if is_of_bands {
            @for (at, (name, role)) in window.texts.iter().zip(roles).enumerate() {
                rect x="6" y=(row.top + 22 + at * LINE) width="8" height="8" fill=(palette.colour(&role)) {}
                text x="18" y=(row.top + 30 + at * LINE) font-size="10" fill=(palette.colour("muted")) { (short(&name.for_html(), LETTERS)) }
            }
        }
    }
}

/// The colours of names, as `web/js/paint/named.js` assigns them: in the order in which names first appear.
#[derive(Default)]
struct NamedRoles {
    taken: Vec<u32>,
    known: Vec<(String, u32)>,
}

impl NamedRoles {
    fn of(&mut self, name: String) -> String {
        const NAMED: u32 = 20;
        const STEP: u32 = 7;
        if let Some((_, at)) = self.known.iter().find(|(known, _)| *known == name) {
            return format!("band-{at}");
        }
        // FNV-1a over UTF-16 units, as in JavaScript.
        let hash =
            name.encode_utf16().fold(0x811c_9dc5, |hash: u32, unit| (hash ^ u32::from(unit)).wrapping_mul(0x0100_0193));
        let mut at = hash % NAMED;
        while self.taken.contains(&at) && self.taken.len() < NAMED as usize {
            at = (at + STEP) % NAMED;
        }
        self.taken.push(at);
        self.known.push((name, at));
        format!("band-{at}")
    }
}

/// The role of each band's colour, by its name.
fn roles_of(window: &Window) -> Vec<String> {
    let mut roles = NamedRoles::default();
    let mut all = Vec::new();
    for (at, (name, number)) in window.texts.iter().zip(&window.counts).enumerate() {
        // Two bands with the same name are different, such as the cost centres CAF of two modules.
        let is_second = window.texts.iter().take(at).any(|other| other == name);
        all.push(match *number {
            REST => "band-rest".to_string(),
            _ if is_second => roles.of(format!("{} {number}", name.for_page())),
            _ => roles.of(name.for_page()),
        });
    }
    all
}

/// The position of a track in the picture.
#[derive(Clone, Copy)]
struct Row {
    top: usize,
    high: usize,
}

/// The letters that fit beside the timeline.
const LETTERS: usize = 30;

/// Hatches the pixels in which the runtime wrote the log: whatever a lane shows there, the program stood still.
fn written(window: &Window, (from, to): (Nanos, Nanos), row: Row) -> String {
    if window.hatched.is_empty() {
        return String::new();
    }
    let pixel = to.since(from).0.max(1) as f64 / PIXELS as f64;
    let at = |time: Nanos| time.since(from).0 as f64 / pixel;
    let mut columns = vec![None; PIXELS];
    for (start, end) in &window.hatched {
        let (first, behind) = (at(*start) as usize, at(*end).ceil() as usize);
        let inside = columns.get_mut(first.min(PIXELS)..behind.min(PIXELS)).unwrap_or_default();
        inside.fill(Some((0.0, 1.0)));
    }
    columns_path(columns.into_iter(), row)
}

/// Hatches the pixels about which the log says nothing.
fn unknown(track: &Track, window: &Window, row: Row) -> String {
    let is_known: Vec<bool> = match track.shape {
        Shape::States | Shape::Level => {
            window.shares.chunks(window.states.max(1)).map(|shares| shares.iter().any(|share| *share > 0)).collect()
        }
        Shape::Line { .. } => {
            window.values.chunks(4).map(|values| values.iter().all(|value| value.is_finite())).collect()
        }
        Shape::Bands { .. } => {
            let bands = window.counts.len().max(1);
            window.values.chunks(bands).map(|values| values.iter().all(|value| value.is_finite())).collect()
        }
        // No point means that nothing happened, which is known.
        Shape::Points { .. } => Vec::new(),
        Shape::Names => window.counts.iter().map(|count| *count > 0).collect(),
    };
    // Between collections there is none, which is known.
    let is_lane =
        !matches!(track.shape, Shape::States) || track.states.iter().any(|state| state.fill() == Fill::Ground);
    columns_path(is_known.into_iter().map(|known| (is_lane && !known).then_some((0.0, 1.0))), row)
}

/// The paths of a track, one for each colour, each with its name.
fn paths(track: &Track, window: &Window, top: Row, palette: &Palette) -> Vec<(String, String, String)> {
    let name = track.name.for_html();
    match track.shape {
        Shape::States => {
            let fills: Vec<Fill> = track.states.iter().map(State::fill).collect();
            let pixels: Vec<Vec<Block>> =
                window.shares.chunks(fills.len().max(1)).map(|shares| blocks(shares, &fills, top.high)).collect();
            let states = track.states.iter().enumerate().filter(|(at, _)| fills.get(*at) != Some(&Fill::Ground));
            states
                .map(|(at, state)| {
                    let columns = pixels.iter().map(|blocks| blocks.get(at).copied());
                    (blocks_path(columns, top), fill(state.role, palette), state.name.to_string())
                })
                .collect()
        }
        Shape::Level => {
            let role = track.states.first().map_or("running", |state| state.role);
            let columns = window.shares.chunks(window.states.max(1)).map(|shares| {
                let all: f32 = shares.iter().map(|share| f32::from(*share)).sum();
                let level = f32::from(shares.first().copied().unwrap_or(0));
                (all > 0.0).then(|| (0.0, level / all))
            });
            vec![(columns_path(columns, top), fill(role, palette), name)]
        }
        Shape::Line { most, below, role, .. } => {
            let below = below as f32;
            let most = (most as f32 + below).max(1.0);
            let columns = window.values.chunks(4).map(|values| match values {
                // The pixel's largest value, so that no spike vanishes.
                [_, _, high, _] if high.is_finite() => Some((0.0, ((high + below) / most).clamp(0.0, 1.0))),
                _ => None,
            });
            // What is too few for a rate is points.
            let few = window.counts.iter().map(|count| (*count > 0).then_some((0.0, 0.5)));
            let both = if window.counts.iter().any(|count| *count > 0) {
                columns_path(columns, top) + &columns_path(few, top)
            } else {
                columns_path(columns, top)
            };
            vec![(both, fill(role, palette), name)]
        }
        Shape::Bands { most, .. } => {
            let most = most.max(1) as f32;
            let pixels = window.values.chunks(window.counts.len().max(1));
            let stacked = stacked(pixels, |value| if value.is_finite() { value / most } else { 0.0 });
            let bands = window.texts.iter().zip(roles_of(window)).enumerate();
            bands
                .map(|(band, (name, role))| {
                    let columns = stacked.iter().map(|heights| heights.get(band).copied());
                    (columns_path(columns, top), fill(&role, palette), name.for_html())
                })
                .collect()
        }
        Shape::Names => {
            let mut roles = NamedRoles::default();
            let names = window.texts.chunks_exact(2).enumerate();
            names
                .filter_map(|(at, texts)| Some((at, texts.first()?, texts.last()?)))
                .map(|(at, name, module)| {
                    let is_it = |count: &u32| (*count as usize == at + 1).then_some((0.0, 1.0));
                    let role = if module.is_empty() { "band-rest".to_string() } else { roles.of(module.for_page()) };
                    let colour = fill(&role, palette);
                    (columns_path(window.counts.iter().map(is_it), top), colour, name.for_html())
                })
                .collect()
        }
        Shape::Points { role } => {
            // As in the page: a pixel with one point is half as high as the pixel with most.
            let most = window.counts.iter().copied().max().unwrap_or(0).max(1);
            let high = |count: u32| if most == 1 { 1.0 } else { 0.5 + 0.5 * (count - 1) as f32 / (most - 1) as f32 };
            let columns = window.counts.iter().map(|count| (*count > 0).then(|| (0.0, high(*count))));
            vec![(columns_path(columns, top), fill(role, palette), name)]
        }
    }
}

/// The painted part of a pixel column: its lower and upper end, in pixels from the row's bottom.
type Block = (usize, usize);

/// The states of a pixel, stacked from the bottom.
fn blocks(shares: &[u8], fills: &[Fill], levels: usize) -> Vec<Block> {
    let mut heights = vec![0; fills.len()];
    stack(shares, fills, levels, &mut heights);
    let mut below = 0;
    let mut next = |height: usize| {
        let from = below;
        below += height;
        (from, below)
    };
    heights.into_iter().map(&mut next).collect()
}

/// For each pixel, the lower and upper end of each band, stacked, as shares of the row's height.
fn stacked<'p, T: 'p>(pixels: impl Iterator<Item = &'p [T]>, share: impl Fn(&T) -> f32) -> Vec<Vec<(f32, f32)>> {
    let stack = |parts: &[T]| {
        let mut below = 0.0;
        let mut next = |part: &T| {
            let from = below;
            below += share(part);
            (from, below)
        };
        parts.iter().map(&mut next).collect()
    };
    pixels.map(stack).collect()
}

/// The path for pixels painted from one height to another, as shares of the row's height. Anything above 0 is at least
/// one pixel high.
fn columns_path(columns: impl Iterator<Item = Option<(f32, f32)>>, row: Row) -> String {
    let pixel = |share: f32| (share * row.high as f32).round() as usize;
    let height = |(from, to): (f32, f32)| {
        let from = pixel(from).min(row.high - 1);
        (to > 0.0).then(|| (from, pixel(to).clamp(from + 1, row.high)))
    };
    let is_any = |column: &(f32, f32)| column.1 > column.0;
    blocks_path(columns.map(|column| column.filter(is_any).and_then(height)), row)
}

/// Boxes, one for each run of equal pixels.
fn blocks_path(pixels: impl Iterator<Item = Option<Block>>, Row { top, high: of_row }: Row) -> String {
    let mut path = String::new();
    let heights: Vec<_> = pixels.map(|pixel| pixel.filter(|(from, to)| to > from)).collect();
    let mut x = 0;
    for run in heights.chunk_by(|one, other| one == other) {
        if let Some(Some((from, to))) = run.first() {
            let (left, wide, high) = (NAMES + x * WIDE, run.len() * WIDE, to - from);
            // Writing to a `String` never fails.
            let _ = write!(path, "M{left} {}h{wide}v{high}h-{wide}z", top + of_row - to);
        }
        x += run.len();
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_writing_the_log_is_hatched() {
        let row = Row { top: 0, high: 24 };
        let pixels = |from: u64, to: u64| (Nanos(1000 + from * 100), Nanos(1000 + to * 100));
        let window = Window { hatched: vec![pixels(10, 12), pixels(12, 13), pixels(479, 600)], ..Window::default() };
        let path = written(&window, pixels(0, PIXELS as u64), row);
        let boxes = [(10, 3), (479, 1)]
            .map(|(at, wide)| format!("M{} 0h{}v24h-{}z", NAMES + at * WIDE, wide * WIDE, wide * WIDE));
        assert_eq!(path, boxes.concat());
        assert_eq!(written(&Window::default(), pixels(0, 1), row), "");
        // What it means is said where there is any.
        let track = Track {
            id: ghc_eventlog_model::TrackId::ACTIVITY,
            name: "".into(),
            group: "",
            shape: Shape::States,
            states: &[],
            lacks: Vec::new(),
            note: ghc_eventlog_model::Note::Number(0),
            known: None,
        };
        let names = |window: Window| {
            legend(&vec![(track.clone(), window)]).into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(names(window), ["not known", WRITING]);
        assert_eq!(names(Window::default()), ["not known"]);
    }
}
