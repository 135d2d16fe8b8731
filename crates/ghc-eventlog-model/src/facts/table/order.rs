//! Which rows of a table a query finds, and in which order.

use super::Table;
use crate::{
    facts::scope::Scope,
    sorting::{sort_pairs, sort_places},
    terms::{
        small_letters::small_letters,
        table::{Column, TableQuery, Within},
        value::{Unit, Value},
    },
};
use alloc::{string::String, vec, vec::Vec};
use core::ops::ControlFlow;
use ghc_eventlog::Nanos;
use ghc_eventlog_text::LogText;

/// The rows that a query finds, in its order; `None` if it is all of them as they are.
pub(super) fn order_of(table: &dyn Table, scope: &Scope<'_>, query: &TableQuery) -> Option<Vec<u32>> {
    let shown = table.shown(scope);
    let sort = shown.iter().find(|(_, column)| column.key == query.sort && column.unit.has_words());
    if query.filter.is_empty() && query.within.is_none() && sort.is_none() {
        return None;
    }
    Some(chosen(table, scope, query, &shown, sort.copied()))
}

/// What weighs most in the tables whose own order is by something else, as that of eras is by their numbers: table and column; the later
/// ones where nothing has any of the first.
const WEIGHTS: [(&str, &str); 3] = [("bands", "integral_byte_ns"), ("bands", "max_bytes"), ("events", "count")];

/// How many rows are collected before the lighter ones are left out.
const AT_ONCE: usize = 1000;

/// The rows of a query for a list that has room for `most`, in its order; `None` if it is all of them as they are. If they are more, they
/// are the first ones, or the heaviest by [`WEIGHTS`]; but a quarter of the room, or at least a row for each, have those that are the
/// heaviest by another column that [weighs](Column::weighs).
pub(super) fn cut(table: &dyn Table, scope: &Scope<'_>, query: &TableQuery, most: usize) -> Option<Vec<u32>> {
    let kept = table.places(scope);
    let mut all = match order_of(table, scope, query) {
        Some(order) if order.len() > most => order,
        None if kept.len() > most => kept.map(|place| place as u32).collect(),
        order => return order,
    };
    let shown = table.shown(scope).into_iter().filter(|(_, column)| column.weighs());
    let (columns, keys): (Vec<usize>, Vec<&str>) = shown.map(|(at, column)| (at, column.key)).unzip();
    let weights = WEIGHTS.iter().filter(|(of, _)| query.sort.is_empty() && *of == table.key());
    let weights: Vec<usize> = weights.filter_map(|(_, most)| keys.iter().position(|key| key == most)).collect();
    let each = (most / 4 / columns.len().max(1)).max(1);
    // For each column the heaviest rows, by their places in `all`.
    let mut heaviest: Vec<Vec<(u64, u32)>> = vec![Vec::new(); columns.len()];
    let count = |column| if weights.contains(&column) { most } else { each };
    for (at, place) in (0..).zip(&all) {
        let mut lists = heaviest.iter_mut().enumerate();
        let mut take = |value: Value| {
            if let (Some((column, list)), Some(weight)) = (lists.next(), weight(&value)) {
                list.push((!weight, at));
                if list.len() >= count(column) + AT_ONCE {
                    keep_first(list, count(column));
                }
            }
            ControlFlow::Continue(())
        };
        let _ = table.row(scope, *place as usize, &columns, &mut take);
    }
    heaviest.iter_mut().enumerate().for_each(|(column, list)| keep_first(list, count(column)));
    let by_weight = weights.iter().filter_map(|column| heaviest.get(*column)).find(|list| !list.is_empty());
    let first = || by_weight.into_iter().flatten().map(|(_, at)| *at).chain(0..all.len() as u32);
    let of_columns = (0..each).flat_map(|rank| heaviest.iter().filter_map(move |list| Some(list.get(rank)?.1)));
    let (mut stays, mut room) = (vec![false; all.len()], most);
    for at in first().take(1).chain(of_columns).chain(first()) {
        if let Some(stays) = stays.get_mut(at as usize).filter(|stays| room > 0 && !**stays) {
            *stays = true;
            room -= 1;
        }
    }
    let mut stays = stays.into_iter();
    all.retain(|_| stays.next().unwrap_or(false));
    Some(all)
}

/// Leaves the first `count` pairs, sorted.
fn keep_first(pairs: &mut Vec<(u64, u32)>, count: usize) {
    sort_pairs(pairs);
    pairs.truncate(count);
}

/// What a value weighs; `None` if it is nothing, or less.
fn weight(value: &Value) -> Option<u64> {
    let nothing = if matches!(value, Value::Growth(_) | Value::Change(_) | Value::Integer(_)) { 1 << 63 } else { 0 };
    number(value).filter(|number| *number > nothing)
}

/// The rows that are asked for.
fn chosen(
    table: &dyn Table,
    scope: &Scope<'_>,
    query: &TableQuery,
    shown: &[(usize, Column)],
    sort: Option<(usize, Column)>,
) -> Vec<u32> {
    let mut places = filtered(table, scope, shown, &query.filter);
    if let Some(within) = &query.within {
        keep_within(table, scope, shown, within, &mut places);
    }
    if let Some(column) = sort {
        sort_by(table, scope, column, query.down, &mut places);
    }
    places
}

/// What a row has in a column; unknown if there is no such row.
fn value_at(table: &dyn Table, scope: &Scope<'_>, place: u32, column: usize) -> Value {
    let mut found = Value::Unknown;
    let mut take = |value: Value| {
        found = value;
        ControlFlow::Continue(())
    };
    let _ = table.row(scope, place as usize, &[column], &mut take);
    found
}

/// The places of the rows that show a text in one of their columns.
fn filtered(table: &dyn Table, scope: &Scope<'_>, shown: &[(usize, Column)], filter: &str) -> Vec<u32> {
    let places = table.places(scope).map(|place| place as u32);
    if filter.is_empty() {
        return places.collect();
    }
    let wanted = shown.iter().map(|(at, column)| (*at, (column.unit, plain(filter, column.unit))));
    let (columns, wanted): (Vec<usize>, Vec<(Unit, String)>) =
        wanted.filter(|(_, (unit, wanted))| may_show(*unit, wanted)).unzip();
    let origin = scope.model.extent().map_or(Nanos(0), |(first, _)| first);
    let mut text = String::new();
    let mut shows = |place: &u32| {
        let (mut rest, mut found) = (wanted.iter(), false);
        let mut take = |value: Value| {
            found = rest.next().is_some_and(|(unit, wanted)| has(&value, *unit, wanted, origin, &mut text));
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let _ = table.row(scope, *place as usize, &columns, &mut take);
        found
    };
    places.filter(|place| shows(place)).collect()
}

/// Whether a value has a text in it, in words as the page shows them. `text` is room for the words.
fn has(value: &Value, unit: Unit, wanted: &str, origin: Nanos, text: &mut String) -> bool {
    text.clear();
    // Writing into a string cannot fail.
    let _ = value.write(origin, LogText::write_for_page, text);
    text.make_ascii_lowercase();
    if text.is_ascii() { text.contains(wanted) } else { plain(text, unit).contains(wanted) }
}

/// Leaves those places whose rows have what is wanted in a column; none if there is no such column.
fn keep_within(
    table: &dyn Table,
    scope: &Scope<'_>,
    shown: &[(usize, Column)],
    within: &Within,
    places: &mut Vec<u32>,
) {
    let Within { column, from, to } = within;
    let Some((column, _)) = shown.iter().find(|(_, shown)| shown.key == column) else { return places.clear() };
    let is_within = |place: &u32| {
        number(&value_at(table, scope, *place, *column)).is_some_and(|number| (*from..*to).contains(&number))
    };
    places.retain(is_within);
}

/// A text as it is compared with others: in small letters, without the thin spaces between groups of digits, and with the micro
/// sign for the Greek mu, which looks the same. In times, both are the u that people type.
fn plain(text: &str, unit: Unit) -> String {
    let micro = if matches!(unit, Unit::Time | Unit::Duration) { "u" } else { "\u{b5}" };
    small_letters(&text.replace('\u{202f}', "")).replace(['\u{b5}', '\u{3bc}'], micro)
}

/// Whether a value of some unit can have a text in it, by its letters: most columns are of numbers, and most filters are not.
fn may_show(unit: Unit, wanted: &str) -> bool {
    let others = match unit {
        Unit::Text => return true,
        Unit::Levels => return false,
        Unit::Time | Unit::Duration => ". :nsumhi",
        // It may be between two sizes.
        Unit::Bytes => ". bkmgtiewnad",
        Unit::BytesPerSecond => ". bkmgti/s",
        Unit::PerSecond => "/s",
        Unit::Share => ". <>%",
        Unit::Capability => " hec",
        Unit::ByteTime => ". bkmgti·s",
        Unit::Growth => ". bkmgti/s+−",
        Unit::Change => ". bkmgti+−",
        Unit::Integer => "−",
        Unit::Count | Unit::Thread | Unit::Offset => "",
    };
    wanted.chars().all(|letter| letter.is_ascii_digit() || others.contains(letter))
}

/// Sorts places, which are in the table's own order, by the values of a column, equal ones as they were; what is not known comes
/// last either way.
fn sort_by(table: &dyn Table, scope: &Scope<'_>, (at, column): (usize, Column), down: bool, places: &mut [u32]) {
    let value = |place: u32| value_at(table, scope, place, at);
    if column.unit == Unit::Text {
        let texts: Vec<Option<String>> = places.iter().map(|place| letters(value(*place))).collect();
        let text = |at: u32| texts.get(at as usize).and_then(Option::as_deref);
        let mut order: Vec<u32> = (0..places.len() as u32).collect();
        // What has no text comes last either way.
        sort_places(&mut order, &|one, other| match (text(one), text(other)) {
            (Some(one), Some(other)) if down => other.cmp(one),
            (Some(one), Some(other)) => one.cmp(other),
            (one, other) => one.is_none().cmp(&other.is_none()),
        });
        let sorted: Vec<u32> = order.into_iter().filter_map(|at| places.get(at as usize).copied()).collect();
        places.copy_from_slice(&sorted);
        return;
    }
    // Numbers are sorted by far more often, and there may be a hundred thousand.
    let (mut known, mut unknown) = (Vec::with_capacity(places.len()), Vec::new());
    for place in places.iter().copied() {
        match number(&value(place)) {
            Some(number) => known.push((if down { !number } else { number }, place)),
            None => unknown.push(place),
        }
    }
    sort_pairs(&mut known);
    let sorted = known.into_iter().map(|(_, place)| place).chain(unknown);
    places.iter_mut().zip(sorted).for_each(|(place, sorted)| *place = sorted);
}

/// What texts are sorted by.
fn letters(value: Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(small_letters(text.for_comparing())),
        Value::Stack(names) => Some(small_letters(LogText::joined(&names, " ").for_comparing())),
        _ => None,
    }
}

/// What all other values are sorted by.
fn number(value: &Value) -> Option<u64> {
    Some(match value {
        Value::Unknown | Value::Between(..) | Value::Text(_) | Value::Stack(_) | Value::Levels(_) => return None,
        Value::Time(time) | Value::Duration(time) => time.0,
        Value::Bytes(number) | Value::Count(number) | Value::Offset(number) => *number,
        Value::BytesPerSecond(number) | Value::PerSecond(number) => *number,
        // The bits of numbers that are not negative are in the order of the numbers.
        Value::Share(share) => share.max(0.0).to_bits(),
        Value::ByteTime(area) => (*area as f64).to_bits(),
        // Negative ones before the others.
        Value::Growth(bytes) | Value::Change(bytes) | Value::Integer(bytes) => (*bytes as u64) ^ (1 << 63),
        Value::Thread(thread) => thread.0.into(),
        Value::Capability(cap) => cap.0.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_micro_sign_may_be_typed_in_several_ways() {
        // The micro sign, the Greek letter, small and capital, and what there is on every keyboard.
        for typed in ["595.3 \u{b5}s", "595.3 \u{3bc}s", "595.3 \u{39c}S", "595.3 us", "595.3 US"] {
            for unit in [Unit::Time, Unit::Duration] {
                assert_eq!(plain(typed, unit), "595.3 us", "{typed}");
                assert!(may_show(unit, &plain(typed, unit)), "{typed}");
            }
        }
    }

    #[test]
    fn in_words_mu_is_no_u() {
        assert_eq!(plain("\u{3bc}-Worker", Unit::Text), plain("\u{b5}-worker", Unit::Text));
        assert_ne!(plain("\u{3bc}-worker", Unit::Text), plain("u-worker", Unit::Text));
    }

    #[test]
    fn groups_of_digits_need_no_spaces() {
        assert_eq!(plain("12\u{202f}345", Unit::Count), "12345");
    }
}
