//! Every bound on what the model keeps, each with its reason. Together they keep the page's budget: 256 MB for a log of any
//! size. The read buffers and the page itself take about a third of that.

mod caps;
mod file;
mod pictures;
mod profiles;
mod questions;
mod spans;
#[cfg(test)]
mod tests;
mod texts;
mod threads;

pub use caps::*;
pub use file::*;
pub use pictures::*;
pub use profiles::*;
pub use questions::*;
pub use spans::*;
pub use texts::*;
pub use threads::*;
