//! A catalog: JSON bytes in, skills with unique ids out, everything else said in diagnostics. One that exists is valid.

use crate::collision::{self, Shadowed};
use crate::diagnostic::{Diagnostic, Remarks, Severity};
use crate::entry;
use crate::error::Error;
use crate::index::Index;
use crate::json::record;
use crate::limits::{MAX_CATALOG_BYTES, MAX_NESTING, MAX_POSTINGS, MAX_SCOPES, MAX_SKILLS};
use crate::parse::{self, Malformed, Raw};
use crate::prices::Memo;
use crate::prior;
use crate::skill::Skill;
use crate::text;
use crate::value::Value;

/// How a catalog is read.
#[derive(Debug, Clone)]
pub struct CatalogOptions {
    /// Precedence of `source`, strongest first; `plugin` stands for every `plugin:<id>`.
    /// Default: project, user, plugin, builtin.
    pub scopes: Vec<String>,
    /// Most bytes of JSON; default 128 MiB.
    pub max_bytes: usize,
    /// Most skills; default 1,000,000.
    pub max_skills: usize,
}

impl Default for CatalogOptions {
    fn default() -> Self {
        Self {
            scopes: ["project", "user", "plugin", "builtin"].map(String::from).to_vec(),
            max_bytes: MAX_CATALOG_BYTES,
            max_skills: MAX_SKILLS,
        }
    }
}

/// An entry that is no skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// Place in the input.
    pub position: u32,
    /// Its id, name, or place, whichever could be read.
    pub id: String,
}

/// Skills with unique ids in code point order, and the index for them. Immutable.
#[derive(Debug)]
pub struct Catalog {
    pub(crate) skills: Vec<Skill>,
    pub(crate) shadowed: Vec<Shadowed>,
    pub(crate) invalid: Vec<Invalid>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) options: CatalogOptions,
    pub(crate) index: Index,
    pub(crate) memo: Memo,
}

impl Catalog {
    /// Reads UTF-8 JSON: an array of skills, or an object with `skills`.
    ///
    /// # Errors
    /// `invalid_json`, `invalid_catalog` (neither array nor object with `skills`), `catalog_too_large`, `too_many_skills`.
    /// What is wrong with one skill is a diagnostic, and the others are kept.
    pub fn from_slice(json: &[u8], options: CatalogOptions) -> Result<Self, Error> {
        if json.len() > options.max_bytes {
            let message = format!("{} bytes, the limit is {}", json.len(), options.max_bytes);
            return Err(Error::new("catalog_too_large", message));
        }
        if options.scopes.len() > MAX_SCOPES {
            let message = format!("{} scopes, the limit is {MAX_SCOPES}", options.scopes.len());
            return Err(Error::at("invalid_option", "options.scopes", message));
        }
        let text = decoded(json)?;
        let entries = split_entries(text)?;
        if entries.len() > options.max_skills {
            let message = format!("{} skills, the limit is {}", entries.len(), options.max_skills);
            return Err(Error::at("too_many_skills", "skills", message));
        }
        let mut diagnostics = Remarks::default();
        let mut skills = Vec::with_capacity(entries.len());
        let mut invalid = Vec::new();
        for (position, (start, raw)) in entries.into_iter().enumerate() {
            let read = read_entry(raw, position, &mut diagnostics);
            match read.map_err(|error| invalid_json(text, Malformed { at: start + error.at, ..error }))? {
                Ok(skill) => skills.push(skill),
                Err(diagnostic) => {
                    let id = diagnostic.skill.clone().unwrap_or_else(|| format!("skills[{position}]"));
                    invalid.push(Invalid { position: position as u32, id });
                    diagnostics.push(diagnostic);
                }
            }
        }
        Ok(Self::resolve(skills, invalid, diagnostics, options))
    }

    /// Resolves collisions among `skills` and builds the index.
    fn resolve(skills: Vec<Skill>, invalid: Vec<Invalid>, mut diagnostics: Remarks, options: CatalogOptions) -> Self {
        for skill in &skills {
            remark_text(skill, &mut diagnostics);
        }
        let (skills, shadowed) = collision::resolve(skills, &options.scopes, &mut diagnostics);
        let (index, by_name_only) = Index::build_counting(&skills);
        if by_name_only > 0 {
            let message = format!("the index has {MAX_POSTINGS} terms; {by_name_only} skills are found by name only");
            diagnostics.push(Diagnostic::new("index_full", Severity::Warning, message));
        }
        Self { skills, shadowed, invalid, diagnostics: diagnostics.finish(), options, index, memo: Memo::default() }
    }

    /// A new catalog in which `added` replace the skills of the same id.
    #[must_use]
    pub fn with(&self, added: Self) -> Self {
        let kept = self.skills.iter().filter(|skill| added.position(&skill.id).is_none()).cloned();
        let mut skills = in_order(kept.collect());
        skills.extend(in_order(added.skills));
        let invalid = self.invalid.iter().cloned().chain(added.invalid).collect();
        let mut diagnostics = Remarks::default();
        added.diagnostics.into_iter().for_each(|remark| diagnostics.push(remark));
        Self::resolve(renumbered(skills), invalid, diagnostics, self.options.clone())
    }

    /// A new catalog without these ids.
    #[must_use]
    pub fn without(&self, ids: &[String]) -> Self {
        let gone: std::collections::HashSet<&str> = ids.iter().map(String::as_str).collect();
        let skills = self.skills.iter().filter(|skill| !gone.contains(&*skill.id)).cloned().collect();
        Self::resolve(skills, self.invalid.clone(), Remarks::default(), self.options.clone())
    }

    /// One catalog of all, with the usual rules for skills of one id.
    #[must_use]
    pub fn merge(catalogs: &[&Self]) -> Self {
        let skills = catalogs.iter().flat_map(|catalog| in_order(catalog.skills.clone())).collect();
        let invalid = catalogs.iter().flat_map(|catalog| catalog.invalid.iter().cloned()).collect();
        let options = catalogs.first().map(|catalog| catalog.options.clone()).unwrap_or_default();
        let mut merged = Self::resolve(renumbered(skills), invalid, Remarks::default(), options);
        let earlier = catalogs.iter().flat_map(|catalog| catalog.shadowed.iter().cloned());
        merged.shadowed.extend(earlier);
        merged
    }

    /// The skills, in the code point order of their ids.
    #[must_use]
    pub fn skills(&self) -> &[Skill] {
        &self.skills
    }

    /// Remarks about the input.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The order of the skills before anything is asked: for each its place.
    pub(crate) fn ties(&self) -> &[u32] {
        self.memo.ties.get_or_init(|| prior::ties(&self.skills).into())
    }

    /// Place in [`Catalog::skills`] of the skill with exactly this id (in normalisation form C).
    #[must_use]
    pub fn position(&self, id: &str) -> Option<usize> {
        let id = text::nfc(id);
        self.skills.binary_search_by(|skill| (*skill.id).cmp(&*id)).ok()
    }

    /// The skill with exactly this id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Skill> {
        self.position(id).map(|at| &self.skills[at])
    }

    /// Which ids differ in `newer`: the signal that a host's instructions changed.
    #[must_use]
    pub fn changed(&self, newer: &Self) -> Changes {
        let mut changes = Changes::default();
        for skill in &self.skills {
            match newer.get(&skill.id) {
                None => changes.removed.push(skill.id.to_string()),
                Some(other) if other.hash != skill.hash => changes.changed.push(skill.id.to_string()),
                Some(_) => {}
            }
        }
        let added = newer.skills.iter().filter(|skill| self.position(&skill.id).is_none());
        changes.added = added.map(|skill| skill.id.to_string()).collect();
        changes
    }
}

/// How one catalog differs from another, by id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// Only in the newer one.
    pub added: Vec<String>,
    /// Only in the older one.
    pub removed: Vec<String>,
    /// In both, and not the same.
    pub changed: Vec<String>,
}

record!(write Changes { added: "added", removed: "removed", changed: "changed" });

/// In the order of the input, and not of the ids.
fn in_order(mut skills: Vec<Skill>) -> Vec<Skill> {
    skills.sort_by_key(|skill| skill.position);
    skills
}

fn renumbered(mut skills: Vec<Skill>) -> Vec<Skill> {
    for (position, skill) in skills.iter_mut().enumerate() {
        skill.position = position as u32;
    }
    skills
}

fn decoded(json: &[u8]) -> Result<&str, Error> {
    let text = std::str::from_utf8(json).map_err(|error| {
        let place = format!("byte {}", error.valid_up_to());
        Error::at("invalid_json", place, "the catalog is not valid UTF-8 from here on")
    })?;
    Ok(text.strip_prefix('\u{FEFF}').unwrap_or(text))
}

/// The raw JSON of each entry and where it starts, so that one bad entry does not take the others with it.
fn split_entries(json: &str) -> Result<Vec<Raw<'_>>, Error> {
    let start = json.bytes().take_while(u8::is_ascii_whitespace).count();
    let malformed = |error| invalid_json(json, error);
    let (entries, end) = match json.as_bytes().get(start) {
        Some(b'[') => parse::elements(json, start).map_err(malformed)?,
        Some(b'{') => {
            let (fields, end) = parse::members(json, start).map_err(malformed)?;
            let skills = fields.iter().rev().find(|(key, _)| key == "skills");
            let (_, at) = skills.filter(|(_, at)| json[*at..].starts_with('[')).ok_or_else(|| {
                let message = "expected an array of skills, or an object such as {\"skills\": [ … ]}";
                Error::at("invalid_catalog", "skills", message)
            })?;
            (parse::elements(json, *at).map_err(malformed)?.0, end)
        }
        _ => {
            // Any other JSON value is a catalog of the wrong type; the rest is no JSON at all.
            Value::parse(json).map_err(malformed)?;
            let message = "expected an array of skills, or an object such as {\"skills\": [ … ]}";
            return Err(Error::new("invalid_catalog", message));
        }
    };
    if !json[end..].trim_end().is_empty() {
        return Err(malformed(Malformed { at: end, why: "the catalog has ended" }));
    }
    Ok(entries)
}

fn invalid_json(json: &str, error: Malformed) -> Error {
    let before = &json.as_bytes()[..error.at.min(json.len())];
    let line = before.split(|byte| *byte == b'\n').count();
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
    Error::at("invalid_json", format!("line {line} column {column}"), error.why)
}

fn read_entry(json: &str, position: usize, diagnostics: &mut Remarks) -> Result<Result<Skill, Diagnostic>, Malformed> {
    let place = format!("skills[{position}]");
    let nesting = nesting(json);
    if nesting > MAX_NESTING {
        let message = format!("nested {nesting} deep, the limit is {MAX_NESTING}");
        let diagnostic = Diagnostic::new("too_deep", Severity::Error, message).at(place);
        return Ok(Err(match shallow_name(json) {
            Some(name) => diagnostic.skill(&name),
            None => diagnostic,
        }));
    }
    let value = Value::parse(json)?;
    let from = diagnostics.list.len();
    let read = entry::read(value, position, &place, diagnostics);
    if let Ok(skill) = &read {
        for diagnostic in &mut diagnostics.list[from..] {
            diagnostic.skill = Some(skill.id.to_string());
        }
    }
    Ok(read)
}

/// Deepest nesting of arrays and objects in valid JSON, without recursion.
fn nesting(json: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Id or name of an entry that is nested too deep to be read.
fn shallow_name(json: &str) -> Option<String> {
    let (fields, _) = parse::members(json, 0).ok()?;
    let named = |wanted: &str| fields.iter().find(|(key, _)| key == wanted).map(|(_, at)| *at);
    parse::text_at(json, named("id").or_else(|| named("name"))?)
}

/// Most characters of a description that the Agent Skills specification allows.
const DESCRIPTION_CHARACTERS: usize = 1024;

/// Remarks about a skill's own texts.
fn remark_text(skill: &Skill, diagnostics: &mut Remarks) {
    for (field, value) in [
        ("id", &*skill.id),
        ("name", &*skill.name),
        ("description", &*skill.description),
        ("whenToUse", &*skill.when_to_use),
        ("location", &*skill.location),
    ] {
        if let Some(found) = text::hidden(value) {
            let message = format!("{field} hides {found}; it is removed from every listing");
            diagnostics.push(Diagnostic::new("hidden_text", Severity::Warning, message).skill(&skill.id));
        }
    }
    if skill.description.len() > DESCRIPTION_CHARACTERS {
        let length = text::fold(&skill.description).chars().count();
        if length > DESCRIPTION_CHARACTERS {
            let message = format!(
                "the description has {length} characters; the Agent Skills specification allows \
                 {DESCRIPTION_CHARACTERS}, and some hosts refuse the skill or cut it there"
            );
            diagnostics.push(Diagnostic::new("description_over_cap", Severity::Info, message).skill(&skill.id));
        }
    }
}
