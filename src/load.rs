//! One skill on demand: the tool result with the body, or a refusal that the model can act on.

use std::borrow::Cow;

use crate::arguments::{Arguments, substitute};
use crate::catalog::Catalog;
use crate::chunk;
use crate::cost::{Counter, HostCounter};
use crate::error::Error;
use crate::loaded::{LoadOptions, LoadResult, Loaded, Refused};
use crate::refuse::{quoted, refused, unknown};
use crate::repeat::holds;
use crate::skill::{Kind, Skill};
use crate::suggest::{self, Found};
use crate::value::Value;
use crate::wrapper::{Envelope, LoadFormat, Part, wrap};

/// A skill that may be loaded, with its body ready.
pub(crate) struct Prepared<'a> {
    pub(crate) skill: &'a Skill,
    pub(crate) asked: Option<&'a str>,
    /// The body as written.
    pub(crate) template: &'a str,
    /// The body with arguments.
    pub(crate) body: Cow<'a, str>,
    /// Arguments, as one text; empty for none.
    pub(crate) arguments: String,
    /// Arguments that the wrapper has to show.
    request: Option<String>,
}

impl Catalog {
    /// Loads a skill: its body in a wrapper that the body cannot close.
    ///
    /// # Errors
    /// `invalid_option` for options that make no sense, `invalid_count` and the host's own errors where its counter
    /// fails. What a model can ask is never an error but a [`Refused`].
    pub fn load(
        &self,
        id: &str,
        options: &LoadOptions,
        host_counter: Option<HostCounter>,
    ) -> Result<LoadResult, Error> {
        options.validate()?;
        match prepare(self, id, options) {
            Ok(prepared) => prepared.finish(options, &counter(options, host_counter)),
            Err(refused) => Ok(LoadResult::Refused(refused)),
        }
    }

    /// Where a listed file of a skill is: its path behind the skill's folder. Any other path is refused.
    ///
    /// # Errors
    /// `unknown_skill`; `not_available` for a skill that nobody may load; `resource_not_listed`.
    pub fn resource(&self, id: &str, path: &str, options: &LoadOptions) -> Result<String, Error> {
        let skill =
            self.get(id).ok_or_else(|| Error::at("unknown_skill", "id", format!("there is no skill {id:?}")))?;
        if !options.policy().may_be_active(skill) || skill.kind == Kind::Rule {
            return Err(Error::at("not_available", "id", "this skill is not available"));
        }
        let listed = skill.details().resources.iter().any(|listed| listed == path);
        if !listed || !is_inside(path) {
            let message = format!("{path:?} is no listed file of {id:?}");
            return Err(Error::at("resource_not_listed", "path", message));
        }
        Ok(match crate::render::base_directory(&skill.location) {
            "" => path.to_owned(),
            folder => format!("{folder}/{path}"),
        })
    }

    /// What to tell a model that called a skill as if it were a tool; `None` where no skill that it may load has this
    /// name.
    #[must_use]
    pub fn advise(&self, tool: &str, options: &LoadOptions) -> Option<String> {
        let policy = options.policy();
        let Found::Skill(at, _) = suggest::find(self, &policy, tool) else { return None };
        let skill = &self.skills[at];
        policy.refusal(skill).is_none().then(|| {
            let (id, load) = (quoted(&skill.id), options.tool_names.load_in(options.format.listing()));
            format!("Error: {id} is a skill, not a tool. Call {load} with id {id}, then follow its instructions.")
        })
    }
}

pub(crate) fn counter<'a>(options: &LoadOptions, host: Option<HostCounter<'a>>) -> Counter<'a> {
    Counter::new(options.tokenizer, options.safety, host)
}

/// A relative path that stays below its folder, in the one spelling that has no second reading.
fn is_inside(path: &str) -> bool {
    let plain = !path.contains(['\\', ':', '%', '\0']) && !path.starts_with(['/', '~']);
    plain && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// Finds the skill, asks policy, and puts the arguments in.
pub(crate) fn prepare<'a>(
    catalog: &'a Catalog,
    asked: &'a str,
    options: &'a LoadOptions,
) -> Result<Prepared<'a>, Refused> {
    let policy = options.policy();
    let (at, rest) = match suggest::find(catalog, &policy, asked) {
        Found::Skill(at, rest) => (at, rest),
        Found::Nothing(near) => return Err(unknown(catalog, &policy, asked, near)),
    };
    let skill = &catalog.skills[at];
    if let Some(reason) = policy.refusal(skill) {
        return Err(refused(asked, skill, reason, options.actor));
    }
    let Some(template) = options.instructions.as_deref().or(skill.instructions.as_deref()) else {
        let text = format!("Error: The instructions of {} are not loaded.", quoted(&skill.id));
        let resolved = Some(skill.id.to_string());
        return Err(Refused { resolved, ..Refused::new(asked, "instructions_not_loaded", text) });
    };
    let given = match (&options.arguments, rest) {
        (Arguments::None, Some(rest)) => Cow::Owned(Arguments::Text(rest.to_owned())),
        (arguments, _) => Cow::Borrowed(arguments),
    };
    let Some(substituted) = substitute(template, &given, &skill.details().arguments) else {
        let text = format!("Error: The arguments are too long for {}; shorten them.", quoted(&skill.id));
        return Err(Refused::new(asked, "arguments_too_large", text));
    };
    let arguments = given.whole();
    let shown = !given.is_empty() && (!substituted.complete || options.format == LoadFormat::Agentpool);
    Ok(Prepared {
        skill,
        asked: (*asked != *skill.id).then_some(asked),
        template,
        request: shown.then(|| arguments.clone()),
        body: substituted.text,
        arguments,
    })
}

impl Prepared<'_> {
    /// Hash of the body as written.
    pub(crate) fn hash(&self) -> String {
        body_hash(self.template)
    }

    fn finish(&self, options: &LoadOptions, counter: &Counter) -> Result<LoadResult, Error> {
        let whole = self.write(options.format, &self.body, None);
        let total_tokens = counter.count(&whole)?;
        let offset = options.offset.unwrap_or(0.0) as usize;
        if offset == 0 && !options.force && self.is_in(&options.messages) {
            return self.repeated(counter, total_tokens);
        }
        let most = options.max_tokens.filter(|most| most.is_finite()).map(|most| most as u32);
        if offset == 0 && most.is_none_or(|most| total_tokens <= most) {
            let loaded = self.loaded(whole, total_tokens, total_tokens);
            return Ok(LoadResult::Loaded(loaded));
        }
        self.part(options.format, offset, most, total_tokens, counter)
    }

    fn write(&self, format: LoadFormat, body: &str, part: Option<Part>) -> String {
        wrap(&Envelope { format, skill: self.skill, body, request: self.request.as_deref(), part })
    }

    fn loaded(&self, text: String, tokens: u32, total_tokens: u32) -> Loaded {
        let details = self.skill.details();
        Loaded {
            ok: true,
            id: self.skill.id.to_string(),
            asked: self.asked.map(str::to_owned),
            text,
            tokens,
            truncated: false,
            next_offset: None,
            total_tokens,
            hash: self.hash(),
            tools: details.tools.clone(),
            resources: details.resources.clone(),
            repeated: false,
        }
    }

    fn repeated(&self, counter: &Counter, total_tokens: u32) -> Result<LoadResult, Error> {
        let id = quoted(&self.skill.id);
        let text = format!("The instructions of {id} are in this conversation already, unchanged. Follow them.");
        let tokens = counter.count(&text)?;
        Ok(LoadResult::Loaded(Loaded { repeated: true, ..self.loaded(text, tokens, total_tokens) }))
    }

    /// Whether the messages hold the complete result, in any format.
    pub(crate) fn is_in(&self, messages: &[Value]) -> bool {
        use LoadFormat::{Agentpool, Agentskills, Promethea, SkillContent, TwoLayer};
        let formats = [Agentpool, Agentskills, TwoLayer, Promethea, SkillContent];
        !messages.is_empty() && holds(messages, &formats.map(|format| self.write(format, &self.body, None)))
    }

    /// The part of the body from `offset` on that fits.
    fn part(
        &self,
        format: LoadFormat,
        offset: usize,
        most: Option<u32>,
        total_tokens: u32,
        counter: &Counter,
    ) -> Result<LoadResult, Error> {
        let of = self.body.chars().count();
        let start = self.body.char_indices().nth(offset).map_or(self.body.len(), |(at, _)| at);
        let from = offset.min(of);
        let rest = &self.body[start..];
        let written = |end: usize| {
            let to = from + rest[..end].chars().count();
            let part = Part { from, to, of, total_tokens };
            (to, self.write(format, &rest[..end], Some(part)))
        };
        let fits = |end: usize| -> Result<bool, Error> {
            Ok(match most {
                Some(most) => counter.count(&written(end).1)? <= most,
                None => true,
            })
        };
        let Some(end) = last_fitting(rest, fits)? else {
            let needed = counter.count(&written(chunk::floor(rest, 4)).1)?;
            let text = format!("Error: {} tokens are too few; the wrapper alone takes {needed}.", most.unwrap_or(0));
            return Ok(LoadResult::Refused(Refused::new(&self.skill.id, "max_tokens_too_small", text)));
        };
        let (to, text) = written(end);
        let tokens = counter.count(&text)?;
        let truncated = to < of;
        let next_offset = truncated.then_some(to);
        Ok(LoadResult::Loaded(Loaded { truncated, next_offset, ..self.loaded(text, tokens, total_tokens) }))
    }
}

/// The best place to cut `text` such that what stands before it fits; `None` where not even a character does.
fn last_fitting(text: &str, fits: impl Fn(usize) -> Result<bool, Error>) -> Result<Option<usize>, Error> {
    if fits(text.len())? {
        return Ok(Some(text.len()));
    }
    let (mut low, mut high) = (0, text.len());
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if fits(chunk::floor(text, middle))? {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    // Counts don't grow evenly with the text: what the search has found is checked, and shortened where it must be.
    let mut end = chunk::cut(text, low);
    for _ in 0..64 {
        if end == 0 {
            return Ok(None);
        }
        if fits(end)? {
            return Ok(Some(end));
        }
        end = chunk::cut(text, end.saturating_sub(1 + end / 16));
    }
    Ok(None)
}

/// Short hash of a body.
pub(crate) fn body_hash(body: &str) -> String {
    format!("{:016x}", xxhash_rust::xxh64::xxh64(body.as_bytes(), 0))
}
