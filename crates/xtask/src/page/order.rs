//! Puts functions of a wasm module that resemble each other next to each other: gzip looks back 32 KiB, and finds there
//! what they have in common.

use anyhow::Result;
use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use walrus::Module;
use wasmparser::{Parser, Payload};

/// Two functions resemble each other by the strings of this many bytes that both have.
const PIECE: usize = 5;

/// Pieces that more functions have say little about which of these resemble each other.
const COMMON: usize = 40;

/// How far gzip looks back.
const WINDOW: usize = 32 << 10;

/// Added to a function's size, so that the smallest ones do not come first for the few pieces that they consist of.
const ADDED_TO_SIZE: usize = 60;

/// The module with names of functions whose alphabetical order is the one for gzip. wasm-opt sorts by name.
///
/// # Errors
/// When it is not wasm.
pub(super) fn named_in_order(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut bodies = Vec::new();
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::CodeSectionEntry(body) = payload? {
            bodies.push(body.as_bytes());
        }
    }
    let mut places = vec![0; bodies.len()];
    for (place, function) in alike_beside(&bodies).into_iter().enumerate() {
        places[function] = place;
    }
    let mut module = Module::from_buffer(wasm)?;
    let ids: Vec<_> = module.funcs.iter_local().map(|(id, _)| id).collect();
    for (id, place) in ids.into_iter().zip(places) {
        let function = module.funcs.get_mut(id);
        // The name stays readable, for profiles of a module that keeps its names.
        let name = function.name.take().unwrap_or_default();
        function.name = Some(format!("{place:06} {name}"));
    }
    Ok(module.emit_wasm())
}

/// The functions in an order in which each resembles those just before it: the largest first, then always the one
/// that has most in common with those in gzip's window, for its size.
fn alike_beside(bodies: &[&[u8]]) -> Vec<usize> {
    let mut window = Window::new(bodies);
    let mut order: Vec<usize> = Vec::new();
    let mut is_left = vec![true; bodies.len()];
    let mut largest_first: Vec<usize> = (0..bodies.len()).collect();
    largest_first.sort_by_key(|&function| Reverse(bodies[function].len()));
    for start in largest_first {
        let mut next = Some(start).filter(|&function| is_left[function]);
        while let Some(function) = next {
            is_left[function] = false;
            order.push(function);
            window.push(function);
            let left = (0..bodies.len()).filter(|&function| is_left[function] && window.in_common[function] > 0);
            // The first of equals.
            next = left.rev().max_by_key(|&function| window.likeness(function));
        }
    }
    order
}

/// The functions that gzip can still see, and what each function has in common with them.
struct Window<'b> {
    bodies: &'b [&'b [u8]],
    shared: Vec<Shared>,
    /// Which of the shared pieces each function has.
    pieces: Vec<Vec<usize>>,
    functions: VecDeque<usize>,
    bytes: usize,
    /// In whole numbers: their sums do not depend on the order of the hash map, which is by chance.
    in_common: Vec<usize>,
}

impl<'b> Window<'b> {
    fn new(bodies: &'b [&'b [u8]]) -> Self {
        let (shared, pieces) = shared_pieces(bodies);
        Self { bodies, shared, pieces, functions: VecDeque::new(), bytes: 0, in_common: vec![0; bodies.len()] }
    }

    fn push(&mut self, function: usize) {
        self.functions.push_back(function);
        self.bytes += self.bodies[function].len();
        self.for_each_alike(function, |in_common, weight| *in_common += weight);
        while self.bytes > WINDOW && self.functions.len() > 1 {
            let Some(gone) = self.functions.pop_front() else { break };
            self.bytes -= self.bodies[gone].len();
            self.for_each_alike(gone, |in_common, weight| *in_common -= weight);
        }
    }

    fn for_each_alike(&mut self, function: usize, change: impl Fn(&mut usize, usize)) {
        for &piece in &self.pieces[function] {
            let Shared { functions, weight } = &self.shared[piece];
            functions.iter().for_each(|&other| change(&mut self.in_common[other], *weight));
        }
    }

    fn likeness(&self, function: usize) -> usize {
        self.in_common[function] * 1000 / (self.bodies[function].len() + ADDED_TO_SIZE)
    }
}

/// A piece that several functions have: these, and how much it says about them, which is more if they are few.
struct Shared {
    functions: Vec<usize>,
    weight: usize,
}

/// The pieces that several functions have, and which of them each function has.
fn shared_pieces(bodies: &[&[u8]]) -> (Vec<Shared>, Vec<Vec<usize>>) {
    let mut functions: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (function, body) in bodies.iter().enumerate() {
        for piece in body.windows(PIECE) {
            let those = functions.entry(piece).or_default();
            if those.last() != Some(&function) {
                those.push(function);
            }
        }
    }
    functions.retain(|_, those| (2..=COMMON).contains(&those.len()));
    let mut pieces = vec![Vec::new(); bodies.len()];
    let shared = functions.into_values().enumerate().map(|(piece, functions)| {
        functions.iter().for_each(|&function| pieces[function].push(piece));
        let weight = (1_000_000 / functions.len()).isqrt();
        Shared { functions, weight }
    });
    (shared.collect(), pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_resemble_each_other_become_neighbours() {
        let bodies: [&[u8]; 5] =
            [b"what the one says", b"0123456789 and more", b"what the other says", b"xy", b"0123456789 and less"];
        assert_eq!(alike_beside(&bodies), [1, 4, 2, 0, 3]);
    }
}
