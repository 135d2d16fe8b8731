//! Where places in the source lead in a report. The page checks the same again (`web/js/sources/link.js`), since anybody can write a page.

use std::io;

/// The template of a link, and what stands for `{commit}` in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SourceLinks {
    pub(crate) template: Option<String>,
    pub(crate) commit: Option<String>,
}

/// What a link begins with: pages; and editors, which open a file then.
const SCHEMES: [&str; 8] = [
    "https://",
    "http://",
    "vscode://file/",
    "vscode-insiders://file/",
    "vscodium://file/",
    "cursor://file/",
    "zed://file/",
    "idea://open?",
];

/// What can stand in a template.
const PLACEHOLDERS: [&str; 5] = ["file", "line", "column", "module", "commit"];

/// A template, as an option of the command line.
///
/// # Errors
/// Why it is none.
pub(crate) fn template(text: &str) -> Result<String, String> {
    let Some(scheme) = SCHEMES.into_iter().find(|scheme| text.starts_with(scheme)) else {
        return Err(format!("a link begins with one of {}", SCHEMES.join(", ")));
    };
    if text.contains(|letter: char| letter <= ' ' || letter == '\\' || letter == '\x7f') {
        return Err("a link has no spaces and no backslashes".to_string());
    }
    let placed: Vec<&str> =
        text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect();
    if let Some(unknown) = placed.iter().find(|name| !PLACEHOLDERS.contains(name)) {
        return Err(format!(
            "there is no {{{unknown}}}: write {{file}}, {{line}}, {{column}}, {{module}} or {{commit}}"
        ));
    }
    if !placed.contains(&"file") && !placed.contains(&"module") {
        return Err("a link needs {file} or {module}".to_string());
    }
    let host = text.trim_start_matches(scheme).split(['/', '?', '#']).next().unwrap_or_default();
    if scheme.ends_with("://") && (host.is_empty() || host.contains(['{', '@'])) {
        return Err("the host's name must be there, without {…} and without a password".to_string());
    }
    Ok(text.to_string())
}

impl SourceLinks {
    /// Checks that nothing is missing.
    ///
    /// # Errors
    /// When the template has a commit, and none is given.
    pub(crate) fn check(&self) -> io::Result<()> {
        let needs = self.template.as_ref().is_some_and(|template| template.contains("{commit}"));
        match needs && self.commit.as_ref().is_none_or(String::is_empty) {
            true => {
                let text = "--source-url has {commit}: say which one with --commit";
                Err(io::Error::new(io::ErrorKind::InvalidInput, text))
            }
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages_and_editors_only() {
        for good in [
            "https://example.org/blob/{commit}/{file}#L{line}",
            "http://localhost:8080/{module}.html",
            "vscode://file/home/me/{file}:{line}:{column}",
            "idea://open?file={file}&line={line}",
        ] {
            assert_eq!(template(good), Ok(good.to_string()));
        }
        for bad in [
            "javascript:alert(1)//{file}",
            "JavaScript:{file}",
            " https://example.org/{file}",
            "data:text/html,{file}",
            "file:///{file}",
            "vscode://some.extension/{file}",
            "https://{file}",
            "https://{module}.example.org/",
            "https://me@example.org/{file}",
            "https:///{file}",
            "https://example.org/",
            "https://example.org/{path}/{file}",
            "https://example.org\\{file}",
        ] {
            assert!(template(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_commit_that_is_needed_must_be_given() {
        let links = |template: &str, commit: Option<&str>| SourceLinks {
            template: Some(template.into()),
            commit: commit.map(Into::into),
        };
        assert!(links("https://example.org/{commit}/{file}", None).check().is_err());
        assert!(links("https://example.org/{commit}/{file}", Some("")).check().is_err());
        assert!(links("https://example.org/{commit}/{file}", Some("1f2e")).check().is_ok());
        assert!(links("https://example.org/{file}", None).check().is_ok());
        assert!(SourceLinks::default().check().is_ok());
    }
}
