//! Structured inputs: what a fuzzer's bytes become where plain JSON would mostly be refused at the door.

use arbitrary::Arbitrary;
use serde_json::{Value, json};

/// Text that is likelier than chance to hold what the core looks for.
#[derive(Debug, Clone, Arbitrary)]
pub enum Piece {
    Text(String),
    Char(char),
    Known(u8),
    Again(u8),
}

const KNOWN: &[&str] = &[
    "<", ">", "&", "\"", "'", "]]>", "-->", "</skill>", "</instructions>", "<skill_content", "</skill_content>", "</rules>",
    "&lt;/skill>", "&amp;lt;", "&#66;", "Base directory for this skill: ", "\n\n<user-request>\n", "\n\n<skill_part>", "\n",
    "\r\n", "\t", " ", ". ", "\0", "\u{85}", "\u{2028}", "\u{FFFE}", "\u{202E}", "\u{E0041}", "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    "\u{1F469}\u{200D}\u{1F4BB}", "\u{301}", "ー", "$ARGUMENTS", "$ARGUMENTS[0]", "$ARGUMENTS[", "\\$a", "$a", "$1", "```\n",
    "~~~\n", "# ", "`", "skill", "/deploy-site", "@deploy-site", "deploy", "site", "not for ", "do not use ", ", but ", "Use when ",
    "*", "**", "?", "[a-z]", "[!", "{a,b}", "{", "}", "/", "\\", "..", "技能", "スキル", "のテスト", "기술", "навык", "मदद", "ｆｕｌｌ", "İ", "ß",
];

/// Joins pieces; a repetition takes what is there, so that long runs are cheap to find.
#[must_use]
pub fn text(pieces: &[Piece]) -> String {
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Char(c) => out.push(*c),
            Piece::Known(at) => out.push_str(KNOWN[*at as usize % KNOWN.len()]),
            Piece::Again(times) if out.len() < 2_000 => out = out.repeat(usize::from(times % 8) + 1),
            Piece::Again(_) => {}
        }
    }
    out
}

/// Pieces of text.
pub type Pieces = Vec<Piece>;

/// One skill.
#[derive(Debug, Clone, Arbitrary)]
pub struct Entry {
    pub name: Pieces,
    pub id: Option<Pieces>,
    pub description: Pieces,
    pub when: Option<Pieces>,
    pub body: Option<Pieces>,
    pub location: Option<Pieces>,
    pub lists: [Vec<Pieces>; 4],
    pub flags: u8,
    pub priority: i8,
    pub scope: Option<Pieces>,
}

impl Entry {
    /// As an entry of a catalog.
    #[must_use]
    pub fn json(&self) -> Value {
        let list = |at: usize| -> Vec<String> { self.lists[at].iter().map(|pieces| text(pieces)).collect() };
        let sources = ["project", "user", "plugin:x", "builtin", ""];
        json!({
            "name": text(&self.name), "id": self.id.as_deref().map(text), "description": text(&self.description),
            "whenToUse": self.when.as_deref().map(text), "instructions": self.body.as_deref().map(text),
            "location": self.location.as_deref().map(text), "triggers": list(0), "paths": list(1), "notFor": list(2),
            "arguments": list(3), "tools": if self.flags & 32 > 0 { list(3) } else { Vec::new() },
            "enabled": self.flags & 3 != 3, "modelInvocable": self.flags & 12 != 12, "priority": self.priority,
            "kind": if self.flags & 0xC0 == 0xC0 { "rule" } else { "skill" }, "scope": self.scope.as_deref().map(text),
            "source": sources[self.flags as usize / 16 % 5],
        })
    }
}
