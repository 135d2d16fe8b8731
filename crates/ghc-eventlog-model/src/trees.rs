//! How much memory the standard library's trees take: they do not report it.

/// How many entries a node has room for. There are about half as many for each leaf, plus one above it.
const ROOM: usize = 11;
const FOR_LEAF: usize = 7;

/// About the bytes that a tree of `entries` entries takes.
pub(crate) const fn tree_bytes<K, V>(entries: usize) -> usize {
    // Besides its entries, a leaf has its length and its place; a branch has its children, too.
    let leaf = ROOM * (size_of::<K>() + size_of::<V>()) + size_of::<usize>() + 2 * size_of::<u16>();
    let leaf = leaf.next_multiple_of(size_of::<usize>());
    let branch = leaf + (ROOM + 1) * size_of::<usize>();
    entries * (leaf + branch / (FOR_LEAF - 1)) / FOR_LEAF
}
