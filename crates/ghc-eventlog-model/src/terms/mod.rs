//! The words that several rooms of the model share: plain data, which needs only the decoder.

pub(crate) mod absence;
pub(crate) mod bands;
pub(crate) mod evidence;
pub(crate) mod explained;
pub(crate) mod frame;
pub(crate) mod grouped;
pub(crate) mod launcher;
pub(crate) mod machine;
pub(crate) mod messages;
pub(crate) mod nonmoving;
pub(crate) mod numbering;
pub(crate) mod op;
pub(crate) mod place;
pub(crate) mod progress;
pub(crate) mod range;
pub(crate) mod sample;
pub(crate) mod span;
pub(crate) mod stack;
pub(crate) mod table;
pub(crate) mod tags;
pub(crate) mod tally;
pub(crate) mod track;
pub(crate) mod value;
pub(crate) mod view;
pub(crate) mod window;
pub(crate) mod written_time;
