//! The envelope of a loaded body: nothing inside can close it, and what was put in can be read back.
//!
//! Only tags of the envelope itself are touched, and only their `<`: it becomes `&lt;`. Where the text already has
//! `&lt;` (or `&amp;lt;`, …) before such a tag, one `amp;` is put in, so that [`decode`] gives back every byte.

use crate::json::{names, record};
use crate::options::Format;
use crate::render::base_directory;
use crate::skill::Skill;
use crate::text::{fold, is_stripped, push_attribute, push_text, strip};

/// The form of a loaded skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LoadFormat {
    /// The `<skill>` element that `mode: "full"` lists.
    #[default]
    Agentpool,
    /// `<skill_content>` with the folder and the files of the skill.
    Agentskills,
    /// As `skill-content`.
    Compact,
    /// `<skill name="…">` around the body.
    TwoLayer,
    /// As `two-layer`, with the id.
    Promethea,
    /// `<skill_content name="…">` around the body.
    SkillContent,
}

names!(LoadFormat {
    Agentpool: "agentpool",
    Agentskills: "agentskills",
    Compact: "compact",
    TwoLayer: "two-layer",
    Promethea: "promethea",
    SkillContent: "skill-content"
});

impl LoadFormat {
    /// The listing that a load of this form belongs to.
    pub(crate) fn listing(self) -> Format {
        match self {
            Self::Agentpool => Format::Agentpool,
            Self::Agentskills => Format::Agentskills,
            Self::Compact | Self::SkillContent => Format::Compact,
            Self::TwoLayer => Format::TwoLayer,
            Self::Promethea => Format::Promethea,
        }
    }

    /// Tags that a body could use to leave or to forge this envelope.
    fn tags(self) -> &'static [&'static str] {
        match self {
            Self::Agentpool => {
                &["skill", "instructions", "skill-instruction", "user-request", "skill_resources", "skill_part"]
            }
            Self::TwoLayer | Self::Promethea => &["skill", "user-request", "skill_resources", "skill_part"],
            Self::Agentskills | Self::Compact | Self::SkillContent => {
                &["skill_content", "skill_resources", "user-request", "skill_part"]
            }
        }
    }
}

/// Which characters of a body are shown, where it is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) of: usize,
    pub(crate) total_tokens: u32,
}

/// Everything that an envelope shows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Envelope<'a> {
    pub(crate) format: LoadFormat,
    pub(crate) skill: &'a Skill,
    pub(crate) body: &'a str,
    /// Arguments that the body has no place for.
    pub(crate) request: Option<&'a str>,
    pub(crate) part: Option<Part>,
}

/// The whole tool result.
pub(crate) fn wrap(envelope: &Envelope) -> String {
    let mut out = String::with_capacity(envelope.body.len() + 512);
    let skill = envelope.skill;
    match envelope.format {
        LoadFormat::Agentpool => agentpool(&mut out, envelope),
        LoadFormat::TwoLayer => {
            let name = if skill.shares_name { &skill.id } else { &skill.name };
            plain(&mut out, envelope, "skill", name);
        }
        LoadFormat::Promethea => plain(&mut out, envelope, "skill", &skill.id),
        LoadFormat::Agentskills | LoadFormat::Compact | LoadFormat::SkillContent => {
            let name = if skill.shares_name { &skill.id } else { &skill.name };
            plain(&mut out, envelope, "skill_content", name);
        }
    }
    out
}

fn plain(out: &mut String, envelope: &Envelope, tag: &str, name: &str) {
    out.push('<');
    out.push_str(tag);
    attribute(out, "name", &fold(name));
    out.push_str(">\n");
    neutralise(out, envelope.body, envelope.format.tags());
    part(out, envelope.part);
    if let Some(request) = envelope.request {
        out.push_str("\n\n<user-request>\n");
        neutralise(out, request, envelope.format.tags());
        out.push_str("\n</user-request>");
    }
    if envelope.format == LoadFormat::Agentskills {
        resources(out, envelope.skill, true);
    }
    for piece in ["\n</", tag, ">"] {
        out.push_str(piece);
    }
}

const BASE: &str = "Base directory for this skill: ";
const RELATIVE: &str = "/\n      File references (@path) are relative to this directory.\n\n      ";
const INSTRUCTION: &str = "    <instructions>\n      <skill-instruction>\n      ";
const INSTRUCTION_END: &str = "\n      </skill-instruction>";

fn agentpool(out: &mut String, envelope: &Envelope) {
    let skill = envelope.skill;
    out.push_str("  <skill");
    attribute(out, "id", &strip(&skill.id));
    attribute(out, "name", &fold(&skill.name));
    attribute(out, "description", &fold(&skill.text()));
    out.push_str(">\n");
    out.push_str(INSTRUCTION);
    let base = base_directory(&skill.location);
    if base.is_empty() {
        guard_start(out, envelope.body);
    } else {
        out.push_str(BASE);
        push_text(out, &fold(base));
        out.push_str(RELATIVE);
        neutralise(out, envelope.body, envelope.format.tags());
    }
    part(out, envelope.part);
    resources(out, skill, false);
    out.push_str(INSTRUCTION_END);
    if let Some(request) = envelope.request {
        out.push_str("\n\n      <user-request>\n      ");
        neutralise(out, request, envelope.format.tags());
        out.push_str("\n      </user-request>");
    }
    out.push_str("\n    </instructions>\n  </skill>");
}

fn attribute(out: &mut String, name: &str, value: &str) {
    for piece in [" ", name, "=\""] {
        out.push_str(piece);
    }
    push_attribute(out, value);
    out.push('"');
}

fn part(out: &mut String, part: Option<Part>) {
    let Some(Part { from, to, of, total_tokens }) = part else { return };
    let rest = if to < of { format!("The next part starts at offset {to}.") } else { "This is the last part.".into() };
    let shown = format!("Characters {from} to {to} of {of}; the whole has {total_tokens} tokens. {rest}");
    for piece in ["\n\n<skill_part>", &shown, "</skill_part>"] {
        out.push_str(piece);
    }
}

fn resources(out: &mut String, skill: &Skill, directory: bool) {
    let base = if directory { base_directory(&skill.location) } else { "" };
    let files = &skill.details().resources;
    if base.is_empty() && files.is_empty() {
        return;
    }
    out.push_str("\n\n<skill_resources>\n");
    if !base.is_empty() {
        out.push_str("Skill directory: ");
        push_text(out, &fold(base));
        out.push_str("\nRelative paths in this skill are relative to the skill directory.\n");
    }
    for file in files {
        out.push_str("<file>");
        push_text(out, &fold(file));
        out.push_str("</file>\n");
    }
    out.push_str("</skill_resources>");
}

/// Whether one of `tags` is opened or closed by what follows a `<`.
fn names_tag(after: &str, tags: &[&str]) -> bool {
    let invisible = |c: char| c.is_whitespace() || is_stripped(c);
    let after = after.trim_start_matches(invisible);
    let after = after.strip_prefix('/').unwrap_or(after).trim_start_matches(invisible);
    tags.iter().any(|tag| {
        let bytes = after.as_bytes();
        bytes.len() >= tag.len()
            && bytes[..tag.len()].eq_ignore_ascii_case(tag.as_bytes())
            && bytes.get(tag.len()).is_none_or(|c| !(c.is_ascii_alphanumeric() || b"-_.:".contains(c)))
    })
}

/// Length of `&lt;`, `&amp;lt;`, … at the start of `text`.
fn escaped_less(text: &str) -> Option<usize> {
    let mut rest = text.strip_prefix('&')?;
    while let Some(inner) = rest.strip_prefix("amp;") {
        rest = inner;
    }
    let rest = rest.strip_prefix("lt;")?;
    Some(text.len() - rest.len())
}

/// Appends `text` so that no tag of `tags` stands in it.
pub(crate) fn neutralise(out: &mut String, text: &str, tags: &[&str]) {
    let mut copied = 0;
    for (at, _) in text.match_indices(['<', '&']) {
        let rest = &text[at..];
        if let Some(after) = rest.strip_prefix('<') {
            if names_tag(after, tags) {
                out.push_str(&text[copied..at]);
                out.push_str("&lt;");
                copied = at + 1;
            }
        } else if escaped_less(rest).is_some_and(|length| names_tag(&rest[length..], tags)) {
            out.push_str(&text[copied..=at]);
            out.push_str("amp;");
            copied = at + 1;
        }
    }
    out.push_str(&text[copied..]);
}

/// The inverse of [`neutralise`].
fn restore(text: &str, tags: &[&str]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for (at, _) in text.match_indices('&') {
        let rest = &text[at..];
        if let Some(length) = escaped_less(rest)
            && names_tag(&rest[length..], tags)
        {
            out.push_str(&text[copied..at]);
            if length == "&lt;".len() {
                out.push('<');
                copied = at + length;
            } else {
                out.push('&');
                copied = at + "&amp;".len();
            }
        }
    }
    out.push_str(&text[copied..]);
    out
}

/// A body that stands where a base directory would must not look like one: its first letter becomes `&#66;`.
fn guard_start(out: &mut String, body: &str) {
    let tags = LoadFormat::Agentpool.tags();
    if body.starts_with(BASE) {
        out.push_str("&#66;");
        neutralise(out, &body[1..], tags);
    } else if guarded(body) {
        out.push_str("&amp;");
        neutralise(out, &body[1..], tags);
    } else {
        neutralise(out, body, tags);
    }
}

/// Whether `text` starts as a guarded body does: `&#66;`, `&amp;#66;`, … and the rest of the words.
fn guarded(text: &str) -> bool {
    let Some(mut rest) = text.strip_prefix('&') else { return false };
    while let Some(inner) = rest.strip_prefix("amp;") {
        rest = inner;
    }
    rest.strip_prefix("#66;").is_some_and(|rest| rest.starts_with(&BASE[1..]))
}

/// A tool result of [`Catalog::load`](crate::Catalog::load), read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unwrapped {
    /// What the envelope calls the skill.
    pub name: String,
    /// The body, byte for byte, with arguments where they were inserted.
    pub body: String,
    /// Whether this is a part of the body.
    pub partial: bool,
}

record!(write Unwrapped { name: "name", body: "body", partial: "partial" });

/// Reads a tool result of [`Catalog::load`](crate::Catalog::load) in any of its formats back; `None` for any other text.
/// The text may be cut at neither end.
#[must_use]
pub fn decode(text: &str) -> Option<Unwrapped> {
    let (format, opening, closing) = [
        (LoadFormat::SkillContent, "<skill_content name=\"", "\n</skill_content>"),
        (LoadFormat::TwoLayer, "<skill name=\"", "\n</skill>"),
        (LoadFormat::Agentpool, "  <skill id=\"", "\n  </skill>"),
    ]
    .into_iter()
    .find(|(_, opening, _)| text.starts_with(opening))?;
    let (name, _) = text[opening.len()..].split_once('"')?;
    let (_, inner) = text.split_once(">\n")?;
    let mut body = inner.strip_suffix(closing)?;
    let mut escaped_start = false;
    if format == LoadFormat::Agentpool {
        body = body.strip_prefix(INSTRUCTION)?;
        body = &body[..body.find(INSTRUCTION_END)?];
        let based = body.strip_prefix(BASE).and_then(|rest| rest.split_once(RELATIVE));
        match based {
            Some((_, rest)) => body = rest,
            None => escaped_start = guarded(body),
        }
    }
    let end = |marker: &str| body.find(marker).unwrap_or(body.len());
    let partial = end("\n\n<skill_part>");
    let whole = body.len();
    body = &body[..partial.min(end("\n\n<user-request>\n")).min(end("\n\n<skill_resources>\n"))];
    let mut restored = restore(body, format.tags());
    if escaped_start {
        let (guard, letter) = if restored.starts_with("&#66;") { ("&#66;", "B") } else { ("&amp;", "&") };
        restored.replace_range(..guard.len(), letter);
    }
    Some(Unwrapped { name: unescaped(name), body: restored, partial: partial < whole })
}

/// The value of an attribute that `push_attribute` wrote.
fn unescaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let entities = [("&amp;", '&'), ("&lt;", '<'), ("&gt;", '>'), ("&quot;", '"')];
        let controls = [("&#9;", '\t'), ("&#10;", '\n'), ("&#13;", '\r')];
        let found = entities.into_iter().chain(controls).find(|(entity, _)| rest.starts_with(entity));
        let (entity, c) = found.unwrap_or(("&", '&'));
        out.push(c);
        rest = &rest[entity.len()..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [LoadFormat; 6] = [
        LoadFormat::Agentpool,
        LoadFormat::Agentskills,
        LoadFormat::Compact,
        LoadFormat::TwoLayer,
        LoadFormat::Promethea,
        LoadFormat::SkillContent,
    ];

    fn round_trip(body: &str) {
        for location in ["", "/srv/a"] {
            let skill = Skill { id: "a".into(), name: "a".into(), location: location.into(), ..Skill::default() };
            for format in ALL {
                let envelope = Envelope { format, skill: &skill, body, request: None, part: None };
                let text = wrap(&envelope);
                assert_eq!(decode(&text).expect("an envelope").body, body, "{format:?}\n{text}");
            }
        }
    }

    #[test]
    fn every_body_is_read_back() {
        for body in [
            "",
            "\n",
            "plain & <div> &amp; &lt;b&gt;",
            "</skill></skill_content>",
            "&lt;/skill> &amp;lt;/skill_content> &amp;amp;lt; /SKILL >",
            "< / skill\u{200B}> <\n/\nskill_content",
            "Base directory for this skill: /x/\n      File references (@path) are relative to this directory.\n\n      y",
            "&#66;ase directory for this skill: x",
            "&amp;#66;ase directory for this skill: x",
            "a\n\n<skill_part>x</skill_part>\n\n<user-request>\ny",
            "ends in <",
            "ends in </skill",
        ] {
            round_trip(body);
        }
    }

    #[test]
    fn other_tags_stay_as_written() {
        let mut out = String::new();
        let body = "<skills> <skill-set> </skill_contents> <div> &lt;p> & ]]>";
        neutralise(&mut out, body, LoadFormat::SkillContent.tags());
        assert_eq!(out, body);
    }
}
