//! Maps of some thousands of things at most, each in one sorted list: the standard library's tree is several times as much code for
//! each type of things, and the page would have to load that.

pub(crate) use litemap::LiteMap as Sorted;

/// The bytes of a map's list, without what its things hold elsewhere. The list does not tell how many it has room for: it doubles.
pub(crate) fn bytes_held<K, V>(map: &Sorted<K, V>) -> usize {
    match map.len() {
        0 => 0,
        length => length.next_power_of_two() * size_of::<(K, V)>(),
    }
}
