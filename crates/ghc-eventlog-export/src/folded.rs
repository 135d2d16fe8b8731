//! Folded stacks: `main;parse;token 12`, a line for each stack, from the outermost frame to the innermost.

use ghc_eventlog_model::Model;

pub(crate) fn write(model: &Model, out: &mut String) {
    for (stack, samples) in model.profiled().stacks() {
        for (at, name) in stack.iter().enumerate() {
            if at > 0 {
                out.push(';');
            }
            if name.is_empty() {
                out.push('_');
            }
            // What parts names and lines is in no name.
            out.extend(name.chars().map(|letter| match letter {
                ';' => ':',
                letter if letter.is_control() => ' ',
                letter => letter,
            }));
        }
        out.push_str(&format!(" {samples}\n"));
    }
}
