//! Writes the block: one function a format for each piece, so that what is priced is what is written.

use std::borrow::Cow;

use crate::options::{Format, Options};
use crate::skill::Skill;
use crate::text::{fold, lines, push_attribute, push_text, strip};

/// What of one skill is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shown<'a> {
    pub(crate) skill: &'a Skill,
    /// Description or summary, unescaped.
    pub(crate) description: &'a str,
    /// The full body.
    pub(crate) body: Option<&'a str>,
}

/// The skills at level `name`, and how many have no place at all.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rest<'a> {
    pub(crate) names: &'a [&'a str],
    pub(crate) omitted: usize,
    pub(crate) search_tool: &'a str,
}

/// Which of the optional parts a block shows; the same for all its skills.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style<'a> {
    pub(crate) format: Format,
    pub(crate) location: bool,
    /// What the host calls the tool that loads.
    pub(crate) load_tool: &'a str,
}

impl<'a> Style<'a> {
    pub(crate) fn of(options: &'a Options) -> Self {
        let location = options.location.unwrap_or(options.format == Format::Agentskills);
        Self { format: options.format, location, load_tool: options.load_tool() }
    }
}

/// The whole description of a skill, as the format has it.
pub(crate) fn description<'s>(style: Style, skill: &'s Skill) -> Cow<'s, str> {
    match style.format {
        Format::Promethea if !skill.when_to_use.trim().is_empty() => skill.when_to_use.trim().into(),
        Format::Promethea => skill.description.trim().into(),
        _ => skill.text(),
    }
}

/// The whole block; empty where there is nothing to show.
pub(crate) fn block(style: Style, shown: &[Shown], rest: Rest) -> String {
    if shown.is_empty() && rest.names.is_empty() {
        return String::new();
    }
    let mut out = opening(style).into_owned();
    for one in shown {
        element(&mut out, style, *one);
    }
    more(&mut out, style.format, rest);
    out.push_str(closing(style.format));
    if matches!(style.format, Format::TwoLayer | Format::Promethea) {
        out.pop();
    }
    out
}

pub(crate) fn opening(style: Style) -> Cow<'static, str> {
    match style.format {
        Format::Agentpool => "<available-skills>\n".into(),
        Format::Agentskills | Format::Compact => "<available_skills>\n".into(),
        Format::TwoLayer => "".into(),
        Format::Promethea => {
            let tool = fold(style.load_tool);
            format!(
                "Skills are available via tool `{tool}`.\nUse `{tool}` only when the task clearly matches a listed \
                 skill.\nDo not assume skill internals before calling `{tool}`.\n\nAvailable skills:\n"
            )
            .into()
        }
    }
}

pub(crate) fn closing(format: Format) -> &'static str {
    match format {
        Format::Agentpool => "</available-skills>",
        Format::Agentskills | Format::Compact => "</available_skills>",
        Format::TwoLayer | Format::Promethea => "",
    }
}

/// One skill, ending in a line break.
pub(crate) fn element(out: &mut String, style: Style, shown: Shown) {
    match style.format {
        Format::Agentpool => agentpool(out, style, shown),
        Format::Agentskills => agentskills(out, style, shown),
        Format::Compact => compact(out, shown),
        Format::TwoLayer => row(out, "  - ", &key(shown.skill), shown),
        Format::Promethea => row(out, "- ", &fold(&shown.skill.id), shown),
    }
}

fn agentpool(out: &mut String, style: Style, shown: Shown) {
    let Shown { skill, description, body } = shown;
    out.push_str("  <skill");
    attribute(out, "id", &strip(&skill.id));
    attribute(out, "name", &fold(&skill.name));
    attribute(out, "description", &fold(description));
    if style.location && !skill.location.is_empty() {
        attribute(out, "location", &strip(&skill.location));
    }
    match body {
        None => out.push_str(" />\n"),
        Some(body) => {
            out.push_str(">\n    <instructions>\n      <skill-instruction>\n");
            let base = base_directory(&skill.location);
            if !base.is_empty() {
                out.push_str("      Base directory for this skill: ");
                push_text(out, &strip(base));
                out.push_str("/\n      File references (@path) are relative to this directory.\n\n");
            }
            out.push_str("      ");
            push_text(out, &lines(body));
            out.push_str(
                "\n      </skill-instruction>\n\n      <user-request>\n      $ARGUMENTS\n      </user-request>\n    \
                 </instructions>\n  </skill>\n",
            );
        }
    }
}

/// The folder of a location that may name the file itself.
pub(crate) fn base_directory(location: &str) -> &str {
    let folder = match location.rsplit_once(['/', '\\']) {
        Some((folder, file)) if file.eq_ignore_ascii_case("SKILL.md") => folder,
        None if location.eq_ignore_ascii_case("SKILL.md") => ".",
        _ => location,
    };
    folder.strip_suffix('/').unwrap_or(folder)
}

fn attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    push_attribute(out, value);
    out.push('"');
}

fn agentskills(out: &mut String, style: Style, shown: Shown) {
    let Shown { skill, description, body } = shown;
    out.push_str("<skill>\n");
    child(out, "name", &key(skill));
    let description = fold(description);
    if !description.is_empty() {
        child(out, "description", &description);
    }
    if style.location && !skill.location.is_empty() {
        child(out, "location", &strip(&skill.location));
    }
    if let Some(body) = body {
        child(out, "instructions", &lines(body));
    }
    out.push_str("</skill>\n");
}

/// What a one-key format calls a skill: its id, where this says more than the name.
fn key(skill: &Skill) -> Cow<'_, str> {
    fold(if skill.shares_name { &skill.id } else { &skill.name })
}

fn child(out: &mut String, name: &str, value: &str) {
    for part in ["<", name, ">\n"] {
        out.push_str(part);
    }
    push_text(out, value);
    for part in ["\n</", name, ">\n"] {
        out.push_str(part);
    }
}

fn compact(out: &mut String, shown: Shown) {
    push_text(out, &fold(&shown.skill.id));
    let description = fold(shown.description);
    if !description.is_empty() {
        out.push_str(": ");
        push_text(out, &description);
    }
    out.push('\n');
    if let Some(body) = shown.body {
        out.push_str("<instructions");
        attribute(out, "id", &strip(&shown.skill.id));
        out.push_str(">\n");
        push_text(out, &lines(body));
        out.push_str("\n</instructions>\n");
    }
}

fn row(out: &mut String, mark: &str, key: &str, shown: Shown) {
    out.push_str(mark);
    out.push_str(key);
    let description = fold(shown.description);
    // The original of `two-layer` writes the colon in any case, that of `promethea` only before a description.
    if mark == "  - " || !description.is_empty() {
        out.push_str(": ");
    }
    out.push_str(&description);
    out.push('\n');
    if let Some(body) = shown.body {
        for line in lines(body).lines() {
            out.push_str("    ");
            out.push_str(line);
            out.push('\n');
        }
    }
}

/// The skills at level `name` in one element, those that a list can't hold in elements of their own, and the note on
/// what was left out.
pub(crate) fn more(out: &mut String, format: Format, rest: Rest) {
    for name in rest.names.iter().filter(|name| !is_listable(name)) {
        lone_name(out, format, name);
    }
    let names: Vec<_> = rest.names.iter().filter(|name| is_listable(name)).map(|name| fold(name)).collect();
    if names.is_empty() && rest.omitted == 0 {
        return;
    }
    let names = names.join(", ");
    match format {
        Format::Agentpool => {
            out.push_str("  <more-skills");
            if !names.is_empty() {
                attribute(out, "ids", &names);
            }
            omitted(out, rest);
            out.push_str(" />\n");
        }
        Format::Agentskills | Format::Compact => {
            out.push_str("<more_skills");
            omitted(out, rest);
            if names.is_empty() {
                out.push_str("/>\n");
                return;
            }
            out.push('>');
            push_text(out, &names);
            out.push_str("</more_skills>\n");
        }
        Format::TwoLayer | Format::Promethea => more_rows(out, &names, rest),
    }
}

fn more_rows(out: &mut String, names: &str, rest: Rest) {
    if !names.is_empty() {
        out.push_str("  - also: ");
        out.push_str(names);
        out.push('\n');
    }
    if rest.omitted > 0 {
        for part in ["  (", &rest.omitted.to_string(), " more: ", &fold(rest.search_tool), ")\n"] {
            out.push_str(part);
        }
    }
}

fn omitted(out: &mut String, rest: Rest) {
    if rest.omitted > 0 {
        attribute(out, "omitted", &rest.omitted.to_string());
        attribute(out, "search", &fold(rest.search_tool));
    }
}

/// Whether a comma-separated list can hold the id.
pub(crate) fn is_listable(id: &str) -> bool {
    !id.is_empty() && !id.contains(|c: char| c == ',' || c.is_whitespace())
}

fn lone_name(out: &mut String, format: Format, id: &str) {
    match format {
        Format::Agentpool => {
            out.push_str("  <skill");
            attribute(out, "id", &strip(id));
            out.push_str(" />\n");
        }
        Format::Agentskills => {
            out.push_str("<skill>\n");
            child(out, "name", &fold(id));
            out.push_str("</skill>\n");
        }
        Format::Compact => {
            push_text(out, &fold(id));
            out.push('\n');
        }
        Format::TwoLayer | Format::Promethea => {
            out.push_str("  - ");
            out.push_str(&fold(id));
            out.push('\n');
        }
    }
}
