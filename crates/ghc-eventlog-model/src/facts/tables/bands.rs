//! The bands of the heap profile: those with the largest integral first, eras by their numbers.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    keeping::texts::TextId,
    known::band_names::{BY_COST_CENTRE, BY_INFO_TABLE, info_table_of},
    profiles::{
        bands::Band,
        totals::{Held, Times},
    },
    terms::{
        frame::Frame,
        table::Column,
        value::{Unit, Value},
    },
};
use alloc::string::ToString;
use core::ops;
use ghc_eventlog::Nanos;

pub(super) struct BandsTable;

/// A band, and what it held.
pub(super) struct BandRow {
    /// Its place in the profile.
    place: usize,
    band: Band,
    held: Held,
    /// The most that it held, and when.
    most: (u64, Nanos),
}

impl Listed for BandsTable {
    type Row = BandRow;
    const SECTION: &'static str = "heap_profile";
    const KEY: &'static str = "bands";
    const NAME: &'static str = "Bands";
    const ABOUT: &'static str = "The bands of the heap profile. A band is one type, one cost centre or the like, whatever the profile is \
        broken down by.";
    columns! {
        /// What the band is of: a type, a cost centre, a module or the like.
        Cells::new("name", "Band", Unit::Text, |scope, row| scope.band_name(row.place)),
        /// How its size changed over time, as a small picture.
        Cells::new("levels", "Trend", Unit::Levels, |scope, row| {
            scope.levels(row.place).map_or(Value::Unknown, |levels| Value::Levels(levels.to_vec()))
        }),
        /// The most that it held in a census, which is a count of all live data; or at an end of the range, on the straight line
        /// between two censuses.
        Cells::new("max_bytes", "Most", Unit::Bytes, |scope, row| of_censuses(scope, |_| Value::Bytes(row.most.0))),
        /// When it held the most.
        Cells::new("max_ns", "Most at", Unit::Time, |scope, row| {
            of_censuses(scope, |_| if row.most.0 > 0 { Value::Time(row.most.1) } else { Value::Unknown })
        }),
        /// How much it held in the last census, which is a count of all live data.
        Cells::new("last_bytes", "Last", Unit::Bytes, |scope, row| {
            of_censuses(scope, |times| Value::Bytes(row.held.last(times)))
        }),
        /// How much it held on average, over all censuses; over the time if the range ends between two.
        Cells::new("mean_bytes", "Mean", Unit::Bytes, |scope, row| {
            of_censuses(scope, |times| {
                let of_range = || row.held.mean_over_time(times).min(row.most.0);
                let cuts = scope.bands().is_some_and(|bands| !bands.ends.is_empty());
                Value::Bytes(if cuts { of_range() } else { row.held.mean(times) })
            })
        }),
        /// Its size multiplied by how long it had that size: 1 MiB for 10 seconds counts as much as 10 MiB for one
        /// second.
        Cells::new("integral_byte_ns", "Over time", Unit::ByteTime, |_, row| Value::ByteTime(row.held.integral())),
        /// Its size over time as a share of that of all bands.
        Cells::new("share", "Share", Unit::Share, |scope, row| {
            let all = scope.bands().map_or(0, |bands| bands.all.integral());
            if all == 0 { Value::Unknown } else { Value::Share(row.held.integral() as f64 / all as f64) }
        }),
        /// How much its size grows per second: the slope of the straight line that fits all censuses best. A band that
        /// keeps growing may be a leak.
        Cells::new("growth_bytes_per_s", "Growth", Unit::Growth, |scope, row| {
            let slope = scope.bands().and_then(|bands| row.held.slope(&bands.times));
            // What is half of one byte per second is none that anybody could see.
            slope.map_or(Value::Unknown, |slope| Value::Growth(slope as i64))
        }),
        /// From when on it counts on its own: there were too many bands, and others were kept until then. What it held before
        /// is among all others.
        Cells::new("since_ns", "On its own from", Unit::Time, |_, row| {
            row.band.since().map_or(Value::Unknown, Value::Time)
        }),
        /// The type of the values in the band.
        Cells::new("type", "Type", Unit::Text, |scope, row| of_table(scope, row, |table| table.type_name)),
        /// The module that defines what the band is of; of a stack, its innermost cost centre.
        Cells::new("module", "Module", Unit::Text, |scope, row| {
            let module = frame_of(scope, row).and_then(|frame| scope.known().stores.profiles.names.module_of(frame));
            module.map_or(Value::Unknown, |module| Value::words(module.to_string()))
        }),
        /// The place in the source of what the band is of; of a stack, of its innermost cost centre.
        Cells::new("source", "Source", Unit::Text, |scope, row| {
            let source = frame_of(scope, row).and_then(|frame| scope.known().stores.profiles.names.source_of(frame));
            source.map_or(Value::Unknown, Value::words)
        }),
        /// The info table that the band is of, as the log names it: it describes one kind of value in memory.
        Cells::new("info_table", "Info table", Unit::Text, |scope, row| {
            let label = scope.known().stores.profiles.heap.label_of(&row.band);
            label.map_or(Value::Unknown, Value::words)
        }),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.bands().map_or(0, |bands| bands.order.len())
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<BandRow> {
        let bands = scope.bands()?;
        let at = *bands.order.get(place)? as usize;
        let band = *scope.known().stores.profiles.heap.bands().get(at)?;
        let held = *bands.held.get(at)?;
        let most = bands.ends.get(at).copied().filter(|(bytes, _)| *bytes > held.most);
        Some(BandRow { place: at, band, held, most: most.unwrap_or((held.most, held.most_at)) })
    }

    /// Where it held the most.
    fn time(row: &BandRow) -> Option<Nanos> {
        (row.most.0 > 0).then_some(row.most.1)
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.bands().is_some()
    }

    fn shows(scope: &Scope<'_>, column: &Column) -> bool {
        let breakdown = scope.known().breakdown();
        match column.key {
            "since_ns" => scope.known().stores.profiles.heap.has_late_bands(),
            "type" | "info_table" => breakdown == Some(BY_INFO_TABLE),
            "module" | "source" => breakdown == Some(BY_INFO_TABLE) || breakdown == Some(BY_COST_CENTRE),
            _ => true,
        }
    }
}

/// What only censuses tell: not known of a range between two of them.
fn of_censuses(scope: &Scope<'_>, value: impl Fn(&Times) -> Value) -> Value {
    let times = scope.bands().map(|bands| &bands.times).filter(|times| times.count > 0);
    times.map_or(Value::Unknown, value)
}

/// A band's innermost cost centre, or its info table.
fn frame_of(scope: &Scope<'_>, row: &BandRow) -> Option<Frame> {
    let innermost = scope.known().stores.profiles.heap.stack_of(&row.band).first();
    let of_table = || info_table_of(scope.known(), &row.band).map(Frame::InfoTable);
    innermost.map(|id| Frame::CostCentre(*id)).or_else(of_table)
}

/// What the definition of a band's info table says.
fn of_table(scope: &Scope<'_>, row: &BandRow, text: fn(&crate::profiles::names::Info) -> TextId) -> Value {
    let names = &scope.known().stores.profiles.names;
    let table = info_table_of(scope.known(), &row.band).and_then(|address| names.table(address));
    table.map_or(Value::Unknown, |table| Value::words(names.text(text(table)).to_string()))
}
