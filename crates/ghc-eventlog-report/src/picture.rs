//! The timeline as a picture, for where scripts are blocked or the log is not in the page: SVG, whose colours are attributes, since a strict policy drops styles.

use crate::Palette;
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Model, Plan, Shape, Track, View, Window};
use maud::{Markup, html};
use std::fmt::Write;

/// Pixels of time, each so wide on the page.
const PIXELS: usize = 480;
const WIDE: usize = 2;

/// Room for the tracks' names on the left, and for times and the legend below.
const NAMES: usize = 200;
const BELOW: usize = 44;

/// Room for an entry of the legend.
const ENTRY: usize = 120;

/// What is drawn where the log does not tell, or a capability was disabled.
const HATCHED: &str = "url(#hatched)";
const HATCH: &str = "hatch";

/// How high a track is, and how far it is from the next one.
const HIGH: usize = 24;
const GAP: usize = 4;

/// The most tracks of a log that is in the report: the viewer shows the others.
pub const FEW: usize = 60;

/// The most tracks of a log that is not: all that most logs have, and some megabytes where one has more.
pub const MANY: usize = 500;

/// Looks of the file until an exact picture is given up: what is read shows at times that more is needed.
const ROUNDS: usize = 4;

/// Tracks, each with what it shows of the whole log.
type Sheet = Vec<(Track, Window)>;

/// What all of a log looks like.
#[derive(Debug)]
pub struct Picture {
    from: Nanos,
    to: Nanos,
    /// What the page shows at first.
    open: Sheet,
    /// The groups that it has folded, by their names.
    folded: Vec<(&'static str, Sheet)>,
    /// How many tracks are on no sheet.
    more: usize,
}

impl Picture {
    /// Draws `most` tracks of a log at most: exactly if it is short, else as the model knows it without reading it again. `read`
    /// gives so many bytes of the log (its second argument) from an offset on; where it gives none, the picture is as coarse as that
    /// of a long log.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn of<E>(model: &mut Model, most: usize, read: impl FnMut(u64, u64) -> Result<Vec<u8>, E>) -> Result<Self, E> {
        let Some((from, to)) = model.extent() else {
            return Ok(Self { from: Nanos(0), to: Nanos(0), open: Vec::new(), folded: Vec::new(), more: 0 });
        };
        let view = View { from, to: to.plus(Nanos(u64::from(from == to))), width: PIXELS };
        let plan = planned(model, view, read)?;
        let with_window = |track: Track| {
            let window = model.window(&plan, track.id);
            (track, window)
        };
        let (mut open, mut folded, mut more, mut room) = (Vec::new(), Vec::new(), 0, most);
        // Those that are folded are many, or matter less: the others have the room first.
        let (shown, hidden): (Vec<_>, Vec<_>) =
            model.groups().into_iter().filter(|group| group.tracks > 0).partition(|group| group.open);
        for group in shown.into_iter().chain(hidden) {
            let count = group.tracks.min(room);
            room -= count;
            more += group.tracks - count;
            let sheet = model.tracks_of(group.key, 0, count).into_iter().map(with_window);
            if group.open {
                open.extend(sheet);
            } else {
                open.extend(group.picture.map(with_window));
                folded.extend((count > 0).then(|| (group.name, sheet.collect())));
            }
        }
        Ok(Self { from, to, open, folded, more })
    }

    /// As SVG, in the palette's colours; what the page has folded is folded here, too.
    pub(crate) fn markup(&self, palette: &Palette) -> Markup {
        html! {
            div class="wide" { (self.svg(&self.open, palette)) }
            @for (name, sheet) in &self.folded {
                details {
                    summary { (name) " (" (sheet.len()) ")" }
                    div class="wide" { (self.svg(sheet, palette)) }
                }
            }
            @if self.more > 0 {
                p { "The viewer shows " (self.more) " more tracks." }
            }
        }
    }

    fn svg(&self, sheet: &Sheet, palette: &Palette) -> Markup {
        let width = NAMES + PIXELS * WIDE;
        let height = sheet.len() * (HIGH + GAP) + BELOW;
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
                @for (at, (track, window)) in sheet.iter().enumerate() {
                    (row(at, track, window, palette))
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

/// What is to be drawn, and what that needs supplied to the model.
fn planned<E>(model: &mut Model, view: View, mut read: impl FnMut(u64, u64) -> Result<Vec<u8>, E>) -> Result<Plan, E> {
    let mut plan = model.plan(view);
    for _ in 0..ROUNDS {
        for (offset, length) in std::mem::take(&mut plan.reads) {
            // Of a file that has changed the picture stays as coarse as it is.
            let _ = model.supply(offset, &read(offset, length)?);
        }
        plan = model.plan(view);
        if plan.reads.is_empty() {
            break;
        }
    }
    Ok(plan)
}

/// What the colours mean: the states that are drawn in any track of a sheet, each colour once, and the hatching.
fn legend(sheet: &Sheet) -> Vec<(&'static str, &'static str)> {
    let mut legend: Vec<(&str, &str)> = Vec::new();
    for (track, window) in sheet {
        for (at, state) in track.states.iter().enumerate() {
            let is_coloured = !["idle", HATCH].contains(&state.role);
            let is_drawn = || {
                window.shares.chunks(window.states.max(1)).any(|shares| shares.get(at).is_some_and(|share| *share > 0))
            };
            if is_coloured && !legend.iter().any(|(_, role)| *role == state.role) && is_drawn() {
                legend.push((state.name, state.role));
            }
        }
    }
    legend.truncate((NAMES + PIXELS * WIDE) / ENTRY - 1);
    legend.push(("not known", HATCH));
    legend
}

/// What a role is filled with.
fn fill(role: &str, palette: &Palette) -> String {
    if role == HATCH { HATCHED.to_string() } else { palette.colour(role) }
}

fn row(at: usize, track: &Track, window: &Window, palette: &Palette) -> Markup {
    let top = at * (HIGH + GAP);
    let text = palette.colour("text");
    html! {
        rect x=(NAMES) y=(top) width=(PIXELS * WIDE) height=(HIGH) fill=(palette.colour("panel")) {}
        text x="4" y=(top + 16) fill=(text) { (short(&track.name)) }
        @for (path, colour) in [(unknown(track, window, top), HATCHED.to_string())].into_iter().chain(paths(track, window, top, palette)) {
            @if !path.is_empty() {
                path d=(path) fill=(colour) {}
            }
        }
    }
}

/// A name that fits beside the timeline.
fn short(name: &str) -> String {
    const MOST: usize = 30;
    if name.chars().count() <= MOST {
        return name.to_string();
    }
    name.chars().take(MOST - 1).chain(['…']).collect()
}

/// Where nothing is known of a track.
fn unknown(track: &Track, window: &Window, top: usize) -> String {
    let is_known: Vec<bool> = match track.shape {
        Shape::States | Shape::Level => {
            window.shares.chunks(window.states.max(1)).map(|shares| shares.iter().any(|share| *share > 0)).collect()
        }
        Shape::Line { .. } => {
            window.values.chunks(4).map(|values| values.iter().all(|value| value.is_finite())).collect()
        }
        // What did not happen is known.
        Shape::Points { .. } => Vec::new(),
    };
    // Between collections there is none, and that is known.
    let is_lane = !matches!(track.shape, Shape::States) || track.states.iter().any(|state| state.role == "idle");
    columns_path(is_known.into_iter().map(|known| (is_lane && !known).then_some((0.0, 1.0))), top)
}

/// What is drawn of a track, colour by colour.
fn paths(track: &Track, window: &Window, top: usize, palette: &Palette) -> Vec<(String, String)> {
    match track.shape {
        Shape::States => {
            let stacked = stacked(window);
            let roles = track.states.iter().map(|state| state.role);
            roles
                .enumerate()
                .filter(|(_, role)| *role != "idle")
                .map(|(state, role)| {
                    let columns = stacked.iter().map(|heights| heights.get(state).copied());
                    (columns_path(columns, top), fill(role, palette))
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
            vec![(columns_path(columns, top), fill(role, palette))]
        }
        Shape::Line { most, role, .. } => {
            let most = most.max(1) as f32;
            let columns = window.values.chunks(4).map(|values| match values {
                // The largest, so that no spike vanishes.
                [_, _, high, _] if high.is_finite() => Some((0.0, (high / most).min(1.0))),
                _ => None,
            });
            vec![(columns_path(columns, top), fill(role, palette))]
        }
        Shape::Points { role } => {
            // As in the page: one is half as high as the most.
            let most = window.counts.iter().copied().max().unwrap_or(0).max(1);
            let high = |count: u32| if most == 1 { 1.0 } else { 0.5 + 0.5 * (count - 1) as f32 / (most - 1) as f32 };
            let columns = window.counts.iter().map(|count| (*count > 0).then(|| (0.0, high(*count))));
            vec![(columns_path(columns, top), fill(role, palette))]
        }
    }
}

/// For each pixel, from which height to which each state goes: one on the other, as shares of the row's.
fn stacked(window: &Window) -> Vec<Vec<(f32, f32)>> {
    let stack = |shares: &[u8]| {
        let mut below = 0.0;
        let mut next = |share: &u8| {
            let from = below;
            below += f32::from(*share) / 255.0;
            (from, below)
        };
        shares.iter().map(&mut next).collect()
    };
    window.shares.chunks(window.states.max(1)).map(stack).collect()
}

/// Boxes, one for each run of columns that are alike: from which height to which, as shares of the row's.
fn columns_path(columns: impl Iterator<Item = Option<(f32, f32)>>, top: usize) -> String {
    let mut path = String::new();
    let pixel = |share: f32| (share * HIGH as f32).round() as usize;
    // What is there at all is a pixel high.
    let height = |(from, to): (f32, f32)| {
        let from = pixel(from).min(HIGH - 1);
        (to > 0.0).then(|| (from, pixel(to).clamp(from + 1, HIGH)))
    };
    let is_any = |column: &(f32, f32)| column.1 > column.0;
    let heights: Vec<_> = columns.map(|column| column.filter(is_any).and_then(height)).collect();
    let mut x = 0;
    for run in heights.chunk_by(|one, other| one == other) {
        if let Some(Some((from, to))) = run.first() {
            let (left, wide, high) = (NAMES + x * WIDE, run.len() * WIDE, to - from);
            // Writing to a text never fails.
            let _ = write!(path, "M{left} {}h{wide}v{high}h-{wide}z", top + HIGH - to);
        }
        x += run.len();
    }
    path
}
