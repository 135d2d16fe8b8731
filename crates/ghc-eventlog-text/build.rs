//! Makes a short table of the characters that can be printed. The library's own table also has their categories, and
//! the page would have to load all of it.

use std::{env, error::Error, fmt::Write, fs, path::Path};
use unicode_properties::{GeneralCategory as C, UnicodeGeneralCategory};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let mut table = String::from("[\n");
    let mut before = false;
    for number in 0..=u32::from(char::MAX) {
        let printable = char::from_u32(number).is_some_and(is_printable);
        if printable != before {
            writeln!(table, "    {number},")?;
            before = printable;
        }
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("printable.rs"), table)?;
    Ok(())
}

/// Letters, marks, numbers, punctuation, symbols and spaces.
fn is_printable(letter: char) -> bool {
    !matches!(
        letter.general_category(),
        C::Control
            | C::Format
            | C::Surrogate
            | C::PrivateUse
            | C::Unassigned
            | C::LineSeparator
            | C::ParagraphSeparator
    )
}
