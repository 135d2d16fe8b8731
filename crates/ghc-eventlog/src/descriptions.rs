//! The descriptions that GHC writes for its event types. They identify a damaged declaration (FORMAT 5.3). Collected
//! from logs of GHC 7.0 to 9.10; GHC has changed the wording over time.

/// Number and description.
const DESCRIPTIONS: &[(u16, &str)] = &[
    (0, "Create thread"),
    (1, "Run thread"),
    (2, "Stop thread"),
    (3, "Thread runnable"),
    (4, "Migrate thread"),
    (5, "Run spark"),
    (6, "Steal spark"),
    (7, "Shutdown"),
    (8, "Wakeup thread"),
    (9, "Starting GC"),
    (10, "Finished GC"),
    (11, "Request sequential GC"),
    (12, "Request parallel GC"),
    (13, "Create spark"),
    (14, "Spark to thread"),
    (15, "Create spark thread"),
    (16, "Log message"),
    (17, "Startup"),
    (18, "Block marker"),
    (19, "User message"),
    (20, "GC idle"),
    (21, "GC working"),
    (22, "GC done"),
    (25, "Create capability set"),
    (26, "Delete capability set"),
    (27, "Add capability to capability set"),
    (28, "Remove capability from capability set"),
    (29, "RTS name and version"),
    (30, "Program arguments"),
    (31, "Program environment variables"),
    (32, "Process ID"),
    (33, "Parent process ID"),
    (34, "Spark counters"),
    (35, "Spark create"),
    (36, "Spark dud"),
    (37, "Spark overflow"),
    (38, "Spark run"),
    (39, "Spark steal"),
    (40, "Spark fizzle"),
    (41, "Spark GC"),
    (42, "Intern string"),
    (43, "Wall clock time"),
    (44, "Thread label"),
    (45, "Create capability"),
    (46, "Delete capability"),
    (47, "Disable capability"),
    (48, "Enable capability"),
    (49, "Total heap mem ever allocated"),
    (49, "Total heap memory ever allocated"),
    (50, "Current heap size"),
    (50, "Current heap size (number of allocated mblocks)"),
    (50, "Current heap size (size of allocated mblocks)"),
    (51, "Current heap live data"),
    (52, "Heap static parameters"),
    (53, "GC statistics"),
    (54, "Synchronise stop-the-world GC"),
    (55, "Task create"),
    (56, "Task migrate"),
    (57, "Task delete"),
    (58, "User marker"),
    (59, "Empty event for bug #9003"),
    (90, "The RTS attempted to return heap memory to the OS"),
    (90, "Memory return statistics"),
    (91, "Report the size of the heap in blocks"),
    (91, "Current heap size (size of allocated blocks)"),
    (160, "Start of heap profile"),
    (161, "Cost center definition"),
    (161, "Cost-centre definition"),
    (162, "Start of heap profile sample"),
    (163, "Heap profile cost-centre sample"),
    (164, "Heap profile string sample"),
    (165, "End of heap profile sample"),
    (166, "Start of heap profile (biographical) sample"),
    (167, "Time profile cost-centre stack"),
    (168, "Start of a time profile"),
    (169, "An IPE entry"),
    (169, "Info Table Source Position"),
    (181, "User binary message"),
    (200, "Begin concurrent mark phase"),
    (201, "End concurrent mark phase"),
    (202, "Begin concurrent GC synchronisation"),
    (203, "End concurrent GC synchronisation"),
    (203, "End concurrent mark synchronisation"),
    (204, "Begin concurrent sweep"),
    (204, "Begin concurrent sweep phase"),
    (205, "End concurrent sweep"),
    (205, "End concurrent sweep phase"),
    (206, "Update remembered set flushed"),
    (207, "Nonmoving heap census"),
    (208, "Report the amount of segments pruned and remaining on the free list."),
    (210, "Ticky-ticky entry counter definition"),
    (211, "Ticky-ticky entry counter sample"),
    (212, "Ticky-ticky entry counter begin sample"),
];

/// The description of GHC's that `description` equals but for at most one byte, under any number. `None` for other
/// texts, which may say anything.
#[must_use]
pub fn ghcs_description(description: &[u8]) -> Option<&'static str> {
    let with = |most: usize| DESCRIPTIONS.iter().find(|(_, text)| differs(text, description) <= most);
    with(0).or_else(|| with(1)).map(|(_, text)| *text)
}

/// The number that GHC gives to the event type with this description. One byte of the description may be wrong.
pub(crate) fn tag_of(description: &[u8]) -> Option<u16> {
    let with = |most: usize| DESCRIPTIONS.iter().find(|(_, text)| differs(text, description) <= most);
    with(0).or_else(|| with(1)).map(|(tag, _)| *tag)
}

/// Whether this is GHC's description of this number.
pub(crate) fn is_known(tag: u16, description: &[u8]) -> bool {
    DESCRIPTIONS.iter().any(|(of, text)| *of == tag && differs(text, description) <= 1)
}

/// Whether GHC has this number, and gives this description to another of its numbers that is still in use.
pub(crate) fn contradicts(tag: u16, description: &[u8]) -> bool {
    let in_use = |tag: u16| DESCRIPTIONS.iter().any(|(of, _)| *of == tag) && crate::info(tag).is_some();
    in_use(tag) && !is_known(tag, description) && tag_of(description).is_some_and(in_use)
}

/// How many bytes differ, for texts of the same length.
fn differs(text: &str, description: &[u8]) -> usize {
    if text.len() != description.len() {
        return usize::MAX;
    }
    text.bytes().zip(description).filter(|(one, other)| one != *other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_description_gives_its_number() {
        for (tag, text) in DESCRIPTIONS {
            assert_eq!(tag_of(text.as_bytes()), Some(*tag), "{text}");
            assert!(is_known(*tag, text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn one_byte_of_a_description_may_be_wrong() {
        for (text, tag) in
            [("Run thread", Some(1)), ("Run_thread", Some(1)), ("run thread", Some(1)), ("run_thread", None)]
        {
            assert_eq!(tag_of(text.as_bytes()), tag, "{text}");
            assert_eq!(is_known(1, text.as_bytes()), tag.is_some(), "{text}");
        }
    }

    #[test]
    fn no_byte_of_a_description_may_be_missing() {
        for text in ["Run threa", "un thread", "Run threads", "", "No such thing"] {
            assert_eq!(tag_of(text.as_bytes()), None, "{text}");
            assert!(!is_known(1, text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_damaged_description_is_returned_in_ghcs_own_words() {
        for (text, words) in [
            ("Run thread", Some("Run thread")),
            ("Run_thread", Some("Run thread")),
            ("run_thread", None),
            ("", None),
            ("TOKEN=S3CR3Tt0ken", None),
        ] {
            assert_eq!(ghcs_description(text.as_bytes()), words, "{text}");
        }
    }

    #[test]
    fn a_description_is_known_for_its_own_number_only() {
        assert!(!is_known(2, b"Run thread") && !is_known(500, b"Run thread"));
        assert!(is_known(49, b"Total heap mem ever allocated") && is_known(49, b"Total heap memory ever allocated"));
    }
}
