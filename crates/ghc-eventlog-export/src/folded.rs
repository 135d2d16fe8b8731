//! Folded stacks: a line for each stack, such as `main;parse;token 12`, from the outermost frame to the innermost.

use ghc_eventlog_model::Model;

pub(crate) fn write(model: &Model, out: &mut String) {
    for (stack, samples) in model.profiled().stacks() {
        for (at, name) in stack.iter().enumerate() {
            if at > 0 {
                out.push(';');
            }
            out.push_str(&name.for_folded());
        }
        out.push_str(&format!(" {samples}\n"));
    }
}
