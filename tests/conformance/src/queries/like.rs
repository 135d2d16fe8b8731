//! Texts to search for, each with what it means, worked out in the simplest way.

use regex_lite::RegexBuilder;

/// What a text must look like.
#[derive(Debug, Clone)]
pub(super) enum Like {
    Plain(String),
    Glob(String),
    Expression(String),
}

impl Like {
    /// A pattern that is made from a text of the log, so that it may be in others, too.
    pub(super) fn random(text: &str, random: &mut fastrand::Rng) -> Self {
        let letters: Vec<char> = text.chars().collect();
        let from = random.usize(..letters.len().max(1));
        let mut part: Vec<char> = letters.into_iter().skip(from).take(random.usize(1..14)).collect();
        if random.u8(..3) == 0 {
            part = part.iter().flat_map(|letter| letter.to_lowercase()).collect();
        }
        if random.u8(..8) == 0 {
            part = part.iter().flat_map(|letter| letter.to_uppercase()).collect();
        }
        match random.u8(..3) {
            0 => Self::Plain(part.into_iter().collect()),
            1 => Self::Glob(Self::glob(&part, random)),
            _ => Self::Expression(Self::expression(&part, random)),
        }
    }

    fn glob(part: &[char], random: &mut fastrand::Rng) -> String {
        // What begins with a star is no name, no quote and no minus.
        let mut glob = String::from("*");
        for letter in part {
            match random.u8(..10) {
                0 => glob.push('*'),
                1 => glob.push('?'),
                _ if letter.is_whitespace() => glob.push('?'),
                2 => glob.extend(['*', *letter]),
                _ => glob.push(*letter),
            }
        }
        glob
    }

    fn expression(part: &[char], random: &mut fastrand::Rng) -> String {
        const PIECES: [&str; 22] = [
            ".*",
            r"\d+",
            r"\d{1,3}",
            "(x|y)?",
            "[0-9]",
            "[^a-z]",
            r"\w*",
            r"\s",
            r"\b",
            "^",
            "$",
            "(?:ab)*",
            "(?i)",
            "z{0}",
            r"\x41?",
            "(a|e|i)",
            ".",
            "[]x]",
            "(thread)?",
            r"\S+",
            "#?",
            "(",
        ];
        let mut text = String::new();
        for letter in part {
            match random.u8(..9) {
                0 => text.push_str(random.choice(PIECES).unwrap_or(".")),
                1 => text.push('.'),
                2 if letter.is_ascii_alphanumeric() => {
                    text.extend([*letter, *random.choice(&['?', '*', '+']).unwrap_or(&'?')])
                }
                // A slash would end it.
                _ if *letter == '/' || letter.is_control() => text.push('.'),
                _ if letter.is_alphanumeric() || *letter == ' ' => text.push(*letter),
                _ if letter.is_ascii_punctuation() => text.extend(['\\', *letter]),
                _ => text.push('.'),
            }
        }
        text
    }

    /// As a query has it.
    pub(super) fn written(&self) -> String {
        match self {
            Self::Plain(text) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
            Self::Glob(text) => text.clone(),
            Self::Expression(text) => format!("/{text}/"),
        }
    }

    pub(super) fn is_readable(&self) -> bool {
        match self {
            Self::Plain(_) | Self::Glob(_) => true,
            Self::Expression(text) => regex(text).is_some(),
        }
    }

    /// Whether a text looks like it: anywhere, or the `whole` text. Of an expression, that is never said.
    pub(super) fn is_in(&self, text: &str, whole: bool) -> bool {
        match self {
            Self::Plain(part) => {
                let (part, text) = folded(part, text);
                if whole { text == part } else { text.contains(&part) }
            }
            Self::Glob(glob) => {
                let (glob, text) = folded(glob, text);
                let glob = if whole { glob } else { format!("*{glob}*") };
                looks_like(&glob.chars().collect::<Vec<_>>(), &text.chars().collect::<Vec<_>>())
            }
            Self::Expression(expression) => regex(expression).is_some_and(|regex| {
                let is_exact = has_capitals(expression) || expression.is_ascii();
                if is_exact { regex.is_match(text) } else { regex.is_match(&lower(text)) }
            }),
        }
    }
}

/// Both in small letters, unless capitals matter.
fn folded(part: &str, text: &str) -> (String, String) {
    if part.chars().any(char::is_uppercase) {
        (part.into(), text.into())
    } else if part.is_ascii() {
        // Characters whose small letters are ASCII stay what they are.
        (part.into(), text.to_ascii_lowercase())
    } else {
        (lower(part), lower(text))
    }
}

fn lower(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Whether it has capitals that are letters of the text.
fn has_capitals(expression: &str) -> bool {
    let mut escaped = false;
    expression.chars().any(|letter| {
        let counts = letter.is_uppercase() && !escaped;
        escaped = letter == '\\' && !escaped;
        counts
    })
}

fn regex(expression: &str) -> Option<regex_lite::Regex> {
    RegexBuilder::new(expression).case_insensitive(!has_capitals(expression)).build().ok()
}

/// Whether a text looks like a glob: by a table of which beginnings look like which.
fn looks_like(glob: &[char], text: &[char]) -> bool {
    let mut ends = vec![false; text.len() + 1];
    ends[0] = true;
    for letter in glob {
        let mut next = vec![false; text.len() + 1];
        for at in 0..=text.len() {
            next[at] = match letter {
                '*' => ends[at] || (at > 0 && next[at - 1]),
                '?' => at > 0 && ends[at - 1],
                letter => at > 0 && ends[at - 1] && text[at - 1] == *letter,
            };
        }
        ends = next;
    }
    ends[text.len()]
}
