//! Maps with some thousands of entries at most, each as one sorted list. The standard library's tree compiles to several
//! times as much code for each type, which the page would have to load.

pub(crate) use litemap::LiteMap as Sorted;

/// The bytes of a map's list, without what its entries hold elsewhere. The list does not report its capacity: it doubles.
pub(crate) fn bytes_held<K, V>(map: &Sorted<K, V>) -> usize {
    match map.len() {
        0 => 0,
        length => length.next_power_of_two() * size_of::<(K, V)>(),
    }
}
