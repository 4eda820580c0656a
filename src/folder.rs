//! Which folder governs which path, whatever way the path is written.

use crate::text;

/// Folders of a path that are compared; a rule for a deeper one holds from there on.
const DEEPEST: usize = 256;

/// A path in the one form that is compared: no `.`, no `..` inside, one kind of slash, no case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folder {
    pub(crate) parts: Vec<String>,
    /// Starts at a root, or above the place that relative paths start from.
    elsewhere: bool,
}

impl Folder {
    pub(crate) fn of(path: &str) -> Self {
        let path = path.trim().replace('\\', "/");
        let path = path.strip_prefix("file://").unwrap_or(&path);
        let drive = path.as_bytes().get(1) == Some(&b':');
        let mut elsewhere = path.starts_with('/') || path.starts_with('~') || drive;
        let mut parts: Vec<String> = Vec::new();
        let mut deeper = 0_usize;
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." if deeper > 0 => deeper -= 1,
                ".." => elsewhere |= parts.pop().is_none(),
                // Windows drops dots and blanks at the end of a name.
                _ => match part.trim_end_matches(['.', ' ']) {
                    "" => {}
                    _ if parts.len() == DEEPEST => deeper += 1,
                    part => parts.push(text::nfc(part).to_lowercase()),
                },
            }
        }
        Self { parts, elsewhere }
    }

    /// Whether what lies in this folder governs `path`. Where one of both is relative and the other is not, it is enough
    /// that they can mean the same: a rule too many does no harm, one too few does.
    pub(crate) fn governs(&self, path: &Self) -> bool {
        if self.parts.is_empty() {
            return true;
        }
        match (self.elsewhere, path.elsewhere) {
            (false, false) | (true, true) if path.parts.starts_with(&self.parts) => true,
            (false, true) => path.parts.windows(self.parts.len()).any(|window| window == self.parts),
            (true, false) => (1..=path.parts.len()).any(|length| self.parts.ends_with(&path.parts[..length])),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn governs(scope: &str, path: &str) -> bool {
        Folder::of(scope).governs(&Folder::of(path))
    }

    #[test]
    fn no_spelling_leaves_a_scope() {
        for path in [
            "src/a.rs",
            "./src/a.rs",
            "src",
            "src/x/../a.rs",
            "docs/../src/a.rs",
            "src\\a.rs",
            "SRC/a.rs",
            "src./a.rs",
            "src//a.rs",
            "/home/u/repo/src/a.rs",
            "C:\\repo\\src\\a.rs",
            "file:///repo/src/a.rs",
            "../repo/src/a.rs",
        ] {
            assert!(governs("src", path), "{path}");
            assert!(governs("", path) && governs(".", path) && governs("/", path), "{path}");
        }
    }

    #[test]
    fn neighbours_and_parents_are_not_governed() {
        for path in ["srcs/a.rs", "a/src/b", "src/../a.rs", "docs/a.md", "", "src/.."] {
            assert!(!governs("src", path), "{path}");
        }
        assert!(!governs("src/deep", "src/a.rs"));
        assert!(governs("/repo/src", "/repo/src/a") && !governs("/repo/src", "/repo/docs/a"));
        assert!(governs("/repo/src", "src/a") && !governs("/repo/src", "docs/a"));
    }
}
