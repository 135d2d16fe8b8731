//! Names that do not fit their room, cut where they tell least; the page does the same (`web/js/qualified.js`).
//!
//! ```text
//! containers-0.6.7:Data.Map.Internal.balanceL        …Map.Internal.balanceL
//! |   package    |     module      |  name  |
//! ```

use ghc_eventlog_model::shortened;

/// A name of at most `most` letters: of a qualified name its end, without its package and then without the first of its
/// modules; of another text its two ends.
pub(crate) fn short(name: &str, most: usize) -> String {
    let fits = |text: &str| text.chars().count() <= most;
    if fits(name) {
        return name.to_string();
    }
    let ends: Vec<&str> = later_begins(name).into_iter().filter_map(|at| name.get(at..)).collect();
    let shorter = ends.iter().map(|end| format!("…{end}")).find(|end| fits(end));
    let last = ends.last().copied().unwrap_or(name);
    shorter.unwrap_or_else(|| shortened(last, most))
}

/// Where a qualified name may begin instead, in bytes: after its package, and after each of its modules.
fn later_begins(name: &str) -> Vec<usize> {
    let mut begins = Vec::new();
    let of_package = name.split_once(':').filter(|(package, rest)| {
        let package = package.strip_prefix('<').unwrap_or(package);
        let is_plain = |letter: char| letter.is_alphanumeric() || "_.-".contains(letter);
        package.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && package.chars().all(is_plain)
            && rest.starts_with(char::is_uppercase)
    });
    let mut at = of_package.map_or(0, |(package, _)| package.len() + 1);
    begins.extend(of_package.map(|_| at));
    while let Some((module, rest)) = name.get(at..).and_then(|rest| rest.split_once('.')) {
        let is_module = module.starts_with(char::is_uppercase) && module.chars().all(is_in_word);
        // The constants of a module differ by the module.
        if !is_module || rest.is_empty() || rest.starts_with(char::is_whitespace) || is_constants(rest) {
            break;
        }
        at += module.len() + 1;
        begins.push(at);
    }
    begins
}

fn is_constants(name: &str) -> bool {
    name.strip_prefix("CAF").is_some_and(|rest| !rest.starts_with(is_in_word))
}

fn is_in_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '\''
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_and_version_go_first_then_one_module_after_the_other() {
        let name = "containers-0.6.7:Data.Map.Internal.balanceL";
        let forms = [name, "…Data.Map.Internal.balanceL", "…Map.Internal.balanceL", "…Internal.balanceL", "…balanceL"];
        for form in forms {
            assert_eq!(short(name, form.chars().count()), form);
        }
        assert_eq!(short(name, 6), "bala…L");
    }

    #[test]
    fn the_constants_of_modules_keep_the_module() {
        assert_eq!(short("Data.Map.Internal.CAF", 13), "…Internal.CAF");
        assert_eq!(short("Data.Map.Internal.CAFE", 13), "…CAFE");
    }

    #[test]
    fn other_texts_keep_their_ends() {
        let texts = ["worker: All of them", "Done. And then some", "(all others of them)", "an umlaut is a lëtter"];
        assert_eq!(texts.map(|text| short(text, 9)), ["worker…em", "Done. …me", "(all o…m)", "an uml…er"]);
        assert_eq!(short("", 0), "");
    }
}
