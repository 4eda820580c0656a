//! Who may be seen: the one policy filter. Listing, search, suggestions, loading and reattaching all go through it.

use std::borrow::Cow;

use crate::catalog::Catalog;
use crate::json::{names, record};
use crate::options::{Action, Actor, Mode, Options, Rule, UserConfig};
use crate::skill::{Kind, Skill};
use crate::text;

/// Why a skill is not in the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Reason {
    /// There was no room.
    #[default]
    Budget,
    /// `maxSkills` was reached.
    Limit,
    /// The mode is off.
    Off,
    /// Switched off by its author or the user.
    Disabled,
    /// A rule denies it.
    Denied,
    /// Not for the one who asks.
    Hidden,
    /// In `exclude`.
    Excluded,
    /// Another skill has its id.
    Shadowed,
    /// It brings tools that the host lacks.
    Tools,
    /// A rule file; rules never enter a listing.
    Rule,
    /// No skill could be read.
    Invalid,
}

names!(Reason {
    Budget: "budget",
    Limit: "limit",
    Off: "off",
    Disabled: "disabled",
    Denied: "denied",
    Hidden: "hidden",
    Excluded: "excluded",
    Shadowed: "shadowed",
    Tools: "tools",
    Rule: "rule",
    Invalid: "invalid"
});

/// What decided who could be seen, kept in a pick's state.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Seen {
    /// Of the selection.
    pub mode: Mode,
    /// Who asked.
    pub actor: Actor,
    /// Rules on ids.
    pub rules: Vec<Rule>,
    /// Left out by the host.
    pub exclude: Vec<String>,
    /// The user's choice.
    pub user: Option<UserConfig>,
    /// What the host has.
    pub tools: Option<Vec<String>>,
    /// Whether `maxSkills` left anyone out.
    pub limited: bool,
    /// Those without room, where `maxSkills` left out others as well.
    pub without_room: Vec<String>,
}

record!(read Seen { mode: "mode", actor: "actor", rules: "rules", exclude: "exclude", user: "user", tools: "tools", limited: "limited", without_room: "withoutRoom" });
record!(write Seen { mode: "mode", actor: "actor", rules: "rules", exclude: "exclude", user: "user", tools: "tools", limited: "limited", without_room: "withoutRoom" });

impl Seen {
    pub(crate) fn of(options: &Options, tools: Option<&[String]>) -> Self {
        Self {
            mode: options.mode,
            actor: options.actor,
            rules: options.rules.clone(),
            exclude: options.exclude.clone(),
            user: options.user.clone(),
            tools: tools.map(<[String]>::to_vec),
            limited: false,
            without_room: Vec::new(),
        }
    }
}

/// Place in the catalog of one that may not be seen, and why.
pub(crate) type Refusal = (u32, Reason);

impl Catalog {
    /// Places of those that may be seen, ascending, and the others with their reason.
    pub(crate) fn divide(&self, policy: &Policy) -> (Cow<'_, [u32]>, Vec<Refusal>) {
        if !(policy.open && policy.actor == Actor::Model) {
            let (seen, refused) = policy.divide(&self.skills);
            return (seen.into(), refused);
        }
        let seen = &**self.memo.open.get_or_init(|| policy.divide(&self.skills).0.into());
        let mut next = seen.iter().peekable();
        let others = (0_u32..).zip(&self.skills).filter(|(at, _)| next.next_if_eq(&at).is_none());
        let refused = if seen.len() == self.skills.len() {
            Vec::new()
        } else {
            others.filter_map(|(at, skill)| Some((at, policy.refusal(skill)?))).collect()
        };
        (seen.into(), refused)
    }
}

/// The questions that policy asks, prepared once for a catalog.
pub(crate) struct Policy<'a> {
    actor: Actor,
    rules: Vec<(Vec<char>, Action)>,
    user: Vec<UserChoice<'a>>,
    /// Sorted, as all lists here: each is asked once for every skill of the catalog.
    exclude: Vec<String>,
    tools: Option<Vec<&'a str>>,
    /// Nobody but the authors of the skills has said anything.
    open: bool,
}

/// One level of a user's choice.
struct UserChoice<'a> {
    config: &'a UserConfig,
    enabled: Option<Vec<&'a str>>,
    disabled: Vec<&'a str>,
}

fn sorted(ids: &[String]) -> Vec<&str> {
    let mut ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    ids.sort_unstable();
    ids
}

fn has(sorted: &[&str], wanted: &str) -> bool {
    sorted.binary_search(&wanted).is_ok()
}

impl<'a> Policy<'a> {
    /// `tools`: what the host has; `None` where it doesn't say.
    pub(crate) fn new(options: &'a Options, tools: Option<&'a [String]>) -> Self {
        Self::of(options.actor, options.user.as_ref(), &options.rules, &options.exclude, tools)
    }

    pub(crate) fn of(
        actor: Actor,
        user: Option<&'a UserConfig>,
        rules: &[Rule],
        exclude: &[String],
        tools: Option<&'a [String]>,
    ) -> Self {
        let mut levels = Vec::new();
        let mut level = user;
        while let Some(config) = level {
            levels.push(UserChoice {
                config,
                enabled: config.enabled.as_deref().filter(|ids| !ids.is_empty()).map(sorted),
                disabled: config.disabled.as_deref().map(sorted).unwrap_or_default(),
            });
            level = config.skills.as_deref();
        }
        let mut exclude: Vec<String> = exclude.iter().map(|id| text::nfc(id).into_owned()).collect();
        exclude.sort_unstable();
        let open = levels.is_empty() && rules.is_empty() && exclude.is_empty() && tools.is_none();
        Self {
            open,
            actor,
            rules: rules.iter().map(|rule| (rule.pattern.chars().collect(), rule.action)).collect(),
            user: levels,
            exclude,
            tools: tools.map(sorted),
        }
    }

    /// Places of those that may be seen, and the others with their reason.
    fn divide(&self, skills: &[Skill]) -> (Vec<u32>, Vec<Refusal>) {
        let (mut seen, mut refused) = (Vec::with_capacity(skills.len()), Vec::new());
        for (at, skill) in (0..).zip(skills) {
            match self.refusal(skill) {
                None => seen.push(at),
                Some(reason) => refused.push((at, reason)),
            }
        }
        (seen, refused)
    }

    /// Why the asking actor may not see the skill; `None` where it may.
    pub(crate) fn refusal(&self, skill: &Skill) -> Option<Reason> {
        if self.open && skill.enabled && skill.kind == Kind::Skill && self.is_invocable(skill) {
            return None;
        }
        if skill.kind == Kind::Rule {
            Some(Reason::Rule)
        } else if !self.is_effective(skill) {
            Some(Reason::Disabled)
        } else if self.action(&skill.id) == Action::Deny {
            Some(Reason::Denied)
        } else if !self.is_invocable(skill) {
            Some(Reason::Hidden)
        } else if self.exclude.binary_search_by(|id| (**id).cmp(&skill.id)).is_ok() {
            Some(Reason::Excluded)
        } else if self.lacks_tools(skill) {
            Some(Reason::Tools)
        } else {
            None
        }
    }

    /// Enabled by its author and for this user.
    pub(crate) fn is_effective(&self, skill: &Skill) -> bool {
        skill.enabled && self.user_choice(&skill.id)
    }

    /// Whether a skill that was loaded before may stay so, whoever loaded it: on for this user and not denied.
    pub(crate) fn may_be_active(&self, skill: &Skill) -> bool {
        self.is_effective(skill) && self.action(&skill.id) != Action::Deny
    }

    /// Disabled, then the enabled list, then overrides, then legacy plugins: the first that decides.
    fn user_choice(&self, id: &str) -> bool {
        if self.user.iter().any(|level| has(&level.disabled, id)) {
            return false;
        }
        let mut only = self.user.iter().filter_map(|level| level.enabled.as_deref()).peekable();
        if only.peek().is_some() {
            return only.all(|ids| has(ids, id));
        }
        let overrides = self.user.iter().filter_map(|level| level.config.overrides.as_ref());
        let plugins = self.user.iter().filter_map(|level| level.config.plugins.as_ref());
        overrides.chain(plugins).find_map(|switches| switches.get(id)?.enabled).unwrap_or(true)
    }

    /// What the rules say of an id; the last one that matches wins.
    pub(crate) fn action(&self, id: &str) -> Action {
        if self.rules.is_empty() {
            return Action::Allow;
        }
        let id: Vec<char> = id.chars().collect();
        let matching = self.rules.iter().rev().find(|(pattern, _)| matches_wildcard(pattern, &id));
        matching.map_or(Action::Allow, |(_, action)| *action)
    }

    fn is_invocable(&self, skill: &Skill) -> bool {
        match self.actor {
            Actor::Model => skill.model_invocable,
            Actor::User => skill.user_invocable,
        }
    }

    fn lacks_tools(&self, skill: &Skill) -> bool {
        let Some(host) = self.tools.as_deref() else { return false };
        skill.details().tools.iter().any(|tool| !has(host, tool))
    }
}

/// Whether the whole `text` fits `pattern`, in which `*` is any run of characters and `?` any one.
/// Two fingers and one mark: never more than pattern × text steps.
fn matches_wildcard(pattern: &[char], text: &[char]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&c) if c == '?' || c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    p = at + 1;
                    t = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(id: &str) -> Skill {
        Skill {
            id: id.into(),
            name: id.into(),
            enabled: true,
            model_invocable: true,
            user_invocable: true,
            ..Skill::default()
        }
    }

    fn options(json: &str) -> Options {
        serde_json::from_str(json).expect("options")
    }

    #[test]
    fn the_last_matching_rule_wins() {
        let options = options(
            r#"{"rules":[{"match":"ops-*","action":"deny"},{"match":"ops-read*","action":"ask"},{"match":"*x","action":"deny"}]}"#,
        );
        let policy = Policy::new(&options, None);
        assert_eq!(policy.refusal(&skill("ops-wipe")), Some(Reason::Denied));
        assert_eq!(policy.refusal(&skill("ops-read")), None);
        assert_eq!(policy.action("ops-read"), Action::Ask);
        assert_eq!(policy.refusal(&skill("ops-readx")), Some(Reason::Denied));
        assert_eq!(policy.refusal(&skill("mail")), None);
    }

    #[test]
    fn a_wildcard_made_to_backtrack_stays_quick() {
        let pattern: Vec<char> = "*a".repeat(200).chars().collect();
        let text: Vec<char> = "a".repeat(5000).chars().chain(['b']).collect();
        assert!(!matches_wildcard(&pattern, &text));
    }

    #[test]
    fn user_configuration_decides_in_order() {
        let all = options(
            r#"{"user":{"skills":{"disabled":["a"],"overrides":{"b":{"enabled":false},"d":{"enabled":true}}},
                "plugins":{"c":{"enabled":false},"d":{"enabled":false}}}}"#,
        );
        let policy = Policy::new(&all, None);
        let seen: Vec<&str> =
            ["a", "b", "c", "d", "e"].into_iter().filter(|id| policy.refusal(&skill(id)).is_none()).collect();
        assert_eq!(seen, ["d", "e"]);
        let only = options(r#"{"user":{"enabled":["a","b"],"disabled":["b"]}}"#);
        let policy = Policy::new(&only, None);
        assert_eq!(policy.refusal(&skill("a")), None);
        assert_eq!(policy.refusal(&skill("b")), Some(Reason::Disabled));
        assert_eq!(policy.refusal(&skill("c")), Some(Reason::Disabled));
    }

    #[test]
    fn the_truth_table_of_actors() {
        for (model, user) in [(true, true), (true, false), (false, true), (false, false)] {
            let one = Skill { model_invocable: model, user_invocable: user, ..skill("a") };
            let as_model = options("{}");
            let as_user = options(r#"{"actor":"user"}"#);
            assert_eq!(Policy::new(&as_model, None).refusal(&one).is_none(), model);
            assert_eq!(Policy::new(&as_user, None).refusal(&one).is_none(), user);
        }
    }
}
