//! Lists of rows, each written while its rows are made.

use super::{
    super::Summary,
    keys::{CAPS, List, NESTED},
    values::{empty, generation, nested, numbers, plain, put},
};
use ghc_eventlog_model::{Section, TableInfo, TableOrder, TableQuery, Value};
use ghc_eventlog_report::each_page;
use serde::{Serialize, Serializer, ser::SerializeSeq};
use serde_json::{Value as Json, json};

/// The lists of a summary. The document has a mark in place of each, since all rows in memory at once may be a gigabyte.
#[derive(Default)]
pub(super) struct Lists(pub(super) Vec<LongList>);

pub(super) struct LongList {
    table: TableInfo,
    columns: &'static [&'static str],
    order: TableOrder,
    top: usize,
    /// How many rows are left out, as the list's last item.
    pub(super) truncated: Option<u64>,
}

/// The begin of a mark. No text of a log has this character in JSON: its door makes it visible.
const MARK: char = '\0';

impl Lists {
    /// A mark for a list.
    pub(super) fn add(&mut self, list: LongList) -> Json {
        self.0.push(list);
        format!("{MARK}{}", self.0.len() - 1).into()
    }
}

/// A document with lists in place of marks.
pub(super) struct Filled<'a> {
    pub(super) json: &'a Json,
    pub(super) lists: &'a [LongList],
    pub(super) summary: &'a Summary,
}

impl Serialize for Filled<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let inner = |json| Filled { json, ..*self };
        match self.json {
            Json::Object(object) => to.collect_map(object.iter().map(|(key, json)| (key, inner(json)))),
            Json::String(text) => {
                let place = text.strip_prefix(MARK).and_then(|place| place.parse::<usize>().ok());
                match place.and_then(|place| self.lists.get(place)) {
                    Some(list) => list.serialize(self.summary, to),
                    None => text.serialize(to),
                }
            }
            json => json.serialize(to),
        }
    }
}

impl LongList {
    /// Without the rows that have nothing in the column that it is sorted by: a thread that was never in foreign calls is not among those
    /// that were longest.
    pub(super) fn only_above_zero(mut self, most: &str, summary: &Summary) -> Self {
        let column = self.table.columns.iter().position(|column| column.key == most);
        let is_above = |row: &Vec<Value>| match column.and_then(|column| row.get(column)) {
            Some(Value::Duration(time)) => time.0 > 0,
            _ => false,
        };
        let page = summary.model.page(&self.order, summary.range.as_ref(), 0, self.top);
        self.top = page.rows.iter().take_while(|row| is_above(row)).count();
        self
    }

    fn serialize<S: Serializer>(&self, summary: &Summary, to: S) -> Result<S::Ok, S::Error> {
        let mut seq = to.serialize_seq(None)?;
        each_page(&summary.model, summary.range.as_ref(), &self.order, self.top, |page| {
            let rows = page.rows.iter().zip(page.from..);
            rows.into_iter().try_for_each(|(row, place)| seq.serialize_element(&self.item(row, place, summary)))
        })?;
        if let Some(left) = self.truncated {
            seq.serialize_element(&json!({ "truncated": left }))?;
        }
        seq.end()
    }

    fn item(&self, row: &[Value], place: usize, summary: &Summary) -> Json {
        let mut item = empty(self.columns);
        for (column, value) in self.table.columns.iter().zip(row).filter(|(column, _)| column.unit.has_words()) {
            let value = match value {
                // For people, the last one reads "5 and older".
                Value::Text(text) if column.key == "generation" => generation(&text.for_json()),
                _ if column.key == NESTED => nested(summary.model.nested_in_request(self.order.place(place))),
                Value::Text(caps) if column.key == CAPS => numbers(&caps.for_json()),
                // A column has numbers.
                Value::Between(..) => Json::Null,
                value => plain(value, summary.origin()),
            };
            put(&mut item, column.key, value);
        }
        item.into()
    }
}

/// The table that a list comes from; `None` if the section does not have it or is empty.
pub(super) fn table<'s>(section: &'s Section, list: &List) -> Option<&'s TableInfo> {
    section.tables.iter().find(|table| table.key == list.table)
}

/// The items of a list, and how many are left out.
pub(super) fn items(table: &TableInfo, list: &List, summary: &Summary, top: usize) -> (LongList, u64) {
    let (model, range) = (&summary.model, summary.range.as_ref());
    let order = model.order_for(query(table, list.most), top, range);
    let of = model.page(&order, range, 0, 0).of;
    // Not all rows are kept of some tables, so how many there are is found by looking.
    let is_there = |place: usize| !model.page(&order, range, place, 1).rows.is_empty();
    let (mut there, mut gone) = (0, top.min(usize::try_from(of).unwrap_or(usize::MAX)));
    while there < gone {
        let middle = there + (gone - there) / 2;
        if is_there(gone - 1) {
            there = gone;
        } else if is_there(middle) {
            there = middle + 1;
        } else {
            gone = middle;
        }
    }
    let left = of.saturating_sub(there as u64);
    (LongList { table: table.clone(), columns: list.columns, order, top, truncated: None }, left)
}

/// The `top` items with the largest values of one column.
pub(super) fn items_by(most: &str, table: &TableInfo, list: &List, summary: &Summary, top: usize) -> LongList {
    let order = summary.model.order(query(table, most), summary.range.as_ref());
    LongList { table: table.clone(), columns: list.columns, order, top, truncated: None }
}

/// All rows, with the largest values of one column first; in the table's own order without one.
fn query(table: &TableInfo, most: &str) -> TableQuery {
    let (table, sort) = (table.key.to_string(), most.to_string());
    TableQuery { table, sort, down: !most.is_empty(), ..TableQuery::default() }
}
