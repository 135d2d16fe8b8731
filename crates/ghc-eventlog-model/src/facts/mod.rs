//! Facts: what is said of a log in figures and tables. The page's panels, the command line and reports write them each in
//! their own way; what they say is made here.

pub(crate) mod value;
