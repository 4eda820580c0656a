//! A catalog: JSON bytes in, skills with unique ids out, everything else said in diagnostics. One that exists is valid.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::collision::{self, Shadowed};
use crate::diagnostic::{Diagnostic, Severity};
use crate::entry::{self, MAX_NESTING};
use crate::error::Error;
use crate::index::Index;
use crate::json::record;
use crate::skill::Skill;
use crate::text;

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
            max_bytes: 128 << 20,
            max_skills: 1_000_000,
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
        let entries = split_entries(json)?;
        if entries.len() > options.max_skills {
            let message = format!("{} skills, the limit is {}", entries.len(), options.max_skills);
            return Err(Error::at("too_many_skills", "skills", message));
        }
        let mut diagnostics = Vec::new();
        let mut skills = Vec::with_capacity(entries.len());
        let mut invalid = Vec::new();
        for (position, raw) in entries.into_iter().enumerate() {
            match read_entry(raw, position, &mut diagnostics) {
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
    fn resolve(
        skills: Vec<Skill>,
        invalid: Vec<Invalid>,
        mut diagnostics: Vec<Diagnostic>,
        options: CatalogOptions,
    ) -> Self {
        for skill in &skills {
            remark_text(skill, &mut diagnostics);
        }
        let (skills, shadowed) = collision::resolve(skills, &options.scopes, &mut diagnostics);
        let index = Index::build(&skills);
        Self { skills, shadowed, invalid, diagnostics, options, index }
    }

    /// A new catalog in which `added` replace the skills of the same id.
    #[must_use]
    pub fn with(&self, added: Self) -> Self {
        let kept = self.skills.iter().filter(|skill| added.position(&skill.id).is_none()).cloned();
        let mut skills: Vec<Skill> = kept.collect();
        skills.extend(added.skills);
        let invalid = self.invalid.iter().cloned().chain(added.invalid).collect();
        Self::resolve(renumbered(skills), invalid, added.diagnostics, self.options.clone())
    }

    /// A new catalog without these ids.
    #[must_use]
    pub fn without(&self, ids: &[String]) -> Self {
        let gone: std::collections::HashSet<&str> = ids.iter().map(String::as_str).collect();
        let skills = self.skills.iter().filter(|skill| !gone.contains(&*skill.id)).cloned().collect();
        Self::resolve(skills, self.invalid.clone(), Vec::new(), self.options.clone())
    }

    /// One catalog of all, with the usual rules for skills of one id.
    #[must_use]
    pub fn merge(catalogs: &[&Self]) -> Self {
        let skills = catalogs.iter().flat_map(|catalog| catalog.skills.iter().cloned()).collect();
        let invalid = catalogs.iter().flat_map(|catalog| catalog.invalid.iter().cloned()).collect();
        let options = catalogs.first().map(|catalog| catalog.options.clone()).unwrap_or_default();
        let mut merged = Self::resolve(renumbered(skills), invalid, Vec::new(), options);
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

fn renumbered(mut skills: Vec<Skill>) -> Vec<Skill> {
    for (position, skill) in skills.iter_mut().enumerate() {
        skill.position = position as u32;
    }
    skills
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    skills: Vec<&'a RawValue>,
}

/// The raw JSON of each entry, so that one bad entry does not take the others with it.
fn split_entries(json: &[u8]) -> Result<Vec<&RawValue>, Error> {
    let json = std::str::from_utf8(json).map_err(|error| {
        let place = format!("byte {}", error.valid_up_to());
        Error::at("invalid_json", place, "the catalog is not valid UTF-8 from here on")
    })?;
    let json = json.strip_prefix('\u{FEFF}').unwrap_or(json);
    let first = json.bytes().find(|byte| !byte.is_ascii_whitespace());
    match first {
        Some(b'[') => serde_json::from_str(json).map_err(|error| invalid_json(&error)),
        Some(b'{') => match serde_json::from_str::<Envelope>(json) {
            Ok(envelope) => Ok(envelope.skills),
            Err(error) if error.is_data() => {
                let message = "expected an array of skills, or an object such as {\"skills\": [ … ]}";
                Err(Error::at("invalid_catalog", "skills", message))
            }
            Err(error) => Err(invalid_json(&error)),
        },
        _ => {
            // Any other JSON value is a catalog of the wrong type; the rest is no JSON at all.
            serde_json::from_str::<serde::de::IgnoredAny>(json).map_err(|error| invalid_json(&error))?;
            let message = "expected an array of skills, or an object such as {\"skills\": [ … ]}";
            Err(Error::new("invalid_catalog", message))
        }
    }
}

fn invalid_json(error: &serde_json::Error) -> Error {
    Error::at("invalid_json", format!("line {} column {}", error.line(), error.column()), error.to_string())
}

fn read_entry(raw: &RawValue, position: usize, diagnostics: &mut Vec<Diagnostic>) -> Result<Skill, Diagnostic> {
    let place = format!("skills[{position}]");
    let json = raw.get();
    let nesting = nesting(json);
    if nesting > MAX_NESTING {
        let message = format!("nested {nesting} deep, the limit is {MAX_NESTING}");
        let diagnostic = Diagnostic::new("too_deep", Severity::Error, message).at(place);
        return Err(match shallow_name(json) {
            Some(name) => diagnostic.skill(&name),
            None => diagnostic,
        });
    }
    let value = match serde_json::from_str(json) {
        Ok(value) => value,
        Err(_) => serde_json::from_str(&text::without_lone_surrogates(json))
            .map_err(|error| Diagnostic::new("invalid_skill", Severity::Error, error.to_string()).at(place.clone()))?,
    };
    let from = diagnostics.len();
    let read = entry::read(value, position, &place, diagnostics);
    if let Ok(skill) = &read {
        for diagnostic in &mut diagnostics[from..] {
            diagnostic.skill = Some(skill.id.to_string());
        }
    }
    read
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
    #[derive(Deserialize)]
    struct Named<'a> {
        #[serde(borrow)]
        id: Option<&'a RawValue>,
        #[serde(borrow)]
        name: Option<&'a RawValue>,
    }
    let named: Named = serde_json::from_str(json).ok()?;
    let raw = named.id.or(named.name)?;
    serde_json::from_str(raw.get()).ok()
}

/// Most characters of a description that the Agent Skills specification allows.
const DESCRIPTION_CHARACTERS: usize = 1024;

/// Remarks about a skill's own texts.
fn remark_text(skill: &Skill, diagnostics: &mut Vec<Diagnostic>) {
    for (field, value) in [
        ("id", &skill.id),
        ("name", &skill.name),
        ("description", &skill.description),
        ("whenToUse", &skill.when_to_use),
        ("location", &skill.location),
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
