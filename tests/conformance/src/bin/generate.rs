//! `cargo xtask tile` and `cargo xtask synth`: make logs of any size, or of an odd shape.

use bytesize::ByteSize;
use clap::{Parser, builder::PossibleValuesParser};
use conformance::{SHAPES, Threads, Tile, project, shape};
use std::{
    error::Error,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Bytes that go to the file at once.
const BUFFER: usize = 1 << 20;

/// Make logs for tests; the same arguments always make the same bytes
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    /// Repeat a log's events, with later and later times, until the log has the wanted size
    Tile {
        /// The least size, such as 1GiB, 200MB or 5G (G is 10^9 bytes, Gi is 2^30); the log is longer by less than one
        /// repetition, since the last one is complete
        #[arg(long)]
        size: ByteSize,
        /// The log to repeat; it must be undamaged and have one stream [default: `threaded` of the corpus]
        #[arg(long, value_name = "LOG")]
        from: Option<PathBuf>,
        /// How the repetitions number their threads
        #[arg(long, value_enum, default_value = "keep")]
        threads: Threads,
        /// The file to write
        #[arg(short, value_name = "OUT")]
        out: PathBuf,
    },
    /// Write a log of a shape that no available real log has
    #[command(arg_required_else_help = true, after_help = shapes())]
    Synth {
        /// Which of the shapes below
        #[arg(value_parser = PossibleValuesParser::new(SHAPES.iter().map(|shape| shape.name)), hide_possible_values = true)]
        shape: String,
        /// The file to write
        #[arg(short, value_name = "OUT")]
        out: PathBuf,
    },
}

/// The shapes as text, a line each.
fn shapes() -> String {
    let lines = SHAPES.iter().map(|shape| format!("\n  {:<12} {}", shape.name, shape.what));
    format!("Shapes:{}", lines.collect::<String>())
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Tile { size, from, threads, out } => tile(size.as_u64(), from, threads, &out),
        Task::Synth { shape, out } => synth(&shape, &out),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn tile(size: u64, from: Option<PathBuf>, threads: Threads, out: &Path) -> Result<(), Box<dyn Error>> {
    let from = from.unwrap_or_else(|| project().join("tests/corpus/threaded/log.eventlog"));
    let log = fs::read(&from).map_err(|error| about(&from, &error))?;
    let tile = Tile::of(&log).map_err(|error| about(&from, &error))?;
    write(out, |to| tile.write(tile.times_for(size), threads, to))
}

fn synth(name: &str, out: &Path) -> Result<(), Box<dyn Error>> {
    let shape = shape(name).ok_or("no such shape")?;
    write(out, |to| (shape.write)(shape.count, to))
}

/// Writes a file and prints its size.
fn write(out: &Path, contents: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<(), Box<dyn Error>> {
    let written = || -> io::Result<u64> {
        let mut to = BufWriter::with_capacity(BUFFER, File::create(out)?);
        contents(&mut to)?;
        to.flush()?;
        Ok(fs::metadata(out)?.len())
    };
    let bytes = written().map_err(|error| about(out, &error))?;
    println!("{}: {}", out.display(), ByteSize(bytes).display().iec());
    Ok(())
}

fn about(file: &Path, error: &dyn Error) -> String {
    format!("{}: {error}", file.display())
}
