//! Every skill against the prompts that its author says must, or must not, call for it: which are found, who takes the others.

use std::collections::BTreeMap;

use crate::catalog::Catalog;
use crate::context::Context;
use crate::index::Index;
use crate::json::record;
use crate::query::Query;
use crate::score::relevance;
use crate::skill::{Details, Kind, Skill};

/// A prompt with the skill that it must, or must not, call for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationPrompt {
    /// The skill.
    pub skill: String,
    /// What the user says.
    pub prompt: String,
    /// False: the skill must not be a strong pick.
    pub expected: bool,
}

record!(read EvaluationPrompt { skill: "skill", prompt: "prompt", expected: "expected" });

impl Default for EvaluationPrompt {
    fn default() -> Self {
        Self { skill: String::new(), prompt: String::new(), expected: true }
    }
}

/// How one skill did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SkillEvaluation {
    /// The skill.
    pub skill: String,
    /// Prompts that must call for it.
    pub prompts: u32,
    /// Of these: it was first, among the first five.
    pub first: u32,
    /// Of these: it was among the first five.
    pub first_five: u32,
    /// Prompts that must not call for it.
    pub refusals: u32,
    /// Of these: it was the first and a strong pick all the same.
    pub wrongly_strong: u32,
}

record!(write SkillEvaluation { skill: "skill", prompts: "prompts", first: "first", first_five: "firstFive", refusals: "refusals", wrongly_strong: "wronglyStrong" });

/// A prompt that another skill took.
#[derive(Debug, Clone, PartialEq)]
pub struct Confusion {
    /// The skill that should have been first.
    pub skill: String,
    /// The skill that was.
    pub taken_by: String,
    /// The prompts.
    pub prompts: Vec<String>,
}

record!(write Confusion { skill: "skill", taken_by: "takenBy", prompts: "prompts" });

/// How a catalog did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Evaluation {
    /// Share of prompts whose skill was first; 1 without prompts.
    pub hit_at_1: f64,
    /// Share of prompts whose skill was among the first five; 1 without prompts.
    pub hit_at_5: f64,
    /// Prompts that must call for a skill.
    pub prompts: u32,
    /// Prompts that must not.
    pub refusals: u32,
    /// Of these: strong picks all the same.
    pub wrongly_strong: u32,
    /// One entry a skill with prompts, by id.
    pub skills: Vec<SkillEvaluation>,
    /// Who takes whose prompts, the most prompts first.
    pub confusions: Vec<Confusion>,
    /// Ids in prompts that the catalog does not have.
    pub unknown: Vec<String>,
}

record!(write Evaluation { hit_at_1: "hitAt1", hit_at_5: "hitAt5", prompts: "prompts", refusals: "refusals", wrongly_strong: "wronglyStrong", skills: "skills", confusions: "confusions", unknown: "unknown" });

/// From here on a pick is strong.
const STRONG: f64 = 0.5;

impl Catalog {
    /// Runs the examples and evaluation cases of all skills, and `more` prompts. The examples are not indexed meanwhile, so that
    /// no skill is found by the very prompt that it is tested with.
    #[must_use]
    pub fn evaluate(&self, more: &[EvaluationPrompt]) -> Evaluation {
        let mut prompts: Vec<EvaluationPrompt> = self.skills.iter().flat_map(own_prompts).collect();
        prompts.extend(more.iter().filter(|prompt| !prompt.prompt.trim().is_empty()).cloned());
        let skills: Vec<Skill> = self.skills.iter().map(without_prompts).collect();
        let index = Index::build(&skills);
        let eligible: Vec<u32> = (0_u32..)
            .zip(&skills)
            .filter(|(_, skill)| skill.kind == Kind::Skill && skill.enabled)
            .map(|(at, _)| at)
            .collect();
        let mut tally = Tally::default();
        for prompt in &prompts {
            let Some(at) = self.position(&prompt.skill).and_then(|at| eligible.binary_search(&(at as u32)).ok()) else {
                tally.unknown.push(prompt.skill.clone());
                continue;
            };
            let context = Context { query: Some(prompt.prompt.clone()), ..Context::default() };
            let query = Query::read(&context, &skills, &index);
            let scores: Vec<f64> =
                relevance(&skills, &index, &query, &context, &eligible).iter().map(|skill| skill.score).collect();
            let best = (0..scores.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a))).unwrap_or(at);
            let before = |(other, &score): (usize, &f64)| score > scores[at] || (score >= scores[at] && other < at);
            let place = scores.iter().enumerate().filter(|&other| before(other)).count();
            tally.add(prompt, place, scores[at], &skills[eligible[best] as usize].id);
        }
        tally.finish()
    }
}

fn own_prompts(skill: &Skill) -> Vec<EvaluationPrompt> {
    let details = skill.details();
    let examples = details.examples.iter().map(|example| &example.user_input);
    let cases = details.evaluation_cases.iter().map(|case| &case.input);
    let prompt = |text: &String| EvaluationPrompt { skill: skill.id.to_string(), prompt: text.clone(), expected: true };
    examples.chain(cases).filter(|text| !text.trim().is_empty()).map(prompt).collect()
}

fn without_prompts(skill: &Skill) -> Skill {
    let mut skill = skill.clone();
    if let Some(details) = &mut skill.details {
        **details = Details { examples: Vec::new(), evaluation_cases: Vec::new(), ..std::mem::take(&mut **details) };
    }
    skill
}

#[derive(Default)]
struct Tally {
    skills: BTreeMap<String, SkillEvaluation>,
    taken: BTreeMap<(String, String), Vec<String>>,
    unknown: Vec<String>,
}

impl Tally {
    fn add(&mut self, prompt: &EvaluationPrompt, place: usize, score: f64, best: &str) {
        let skill = self.skills.entry(prompt.skill.clone()).or_default();
        if !prompt.expected {
            skill.refusals += 1;
            skill.wrongly_strong += u32::from(place == 0 && score >= STRONG);
            return;
        }
        skill.prompts += 1;
        skill.first += u32::from(place == 0);
        skill.first_five += u32::from(place < 5);
        if place > 0 {
            self.taken.entry((prompt.skill.clone(), best.to_owned())).or_default().push(prompt.prompt.clone());
        }
    }

    fn finish(mut self) -> Evaluation {
        let named = |(id, skill): (String, SkillEvaluation)| SkillEvaluation { skill: id, ..skill };
        let skills: Vec<SkillEvaluation> = self.skills.into_iter().map(named).collect();
        let sum = |of: fn(&SkillEvaluation) -> u32| skills.iter().map(of).sum::<u32>();
        let prompts = sum(|skill| skill.prompts);
        let share = |hits: u32| if prompts == 0 { 1.0 } else { f64::from(hits) / f64::from(prompts) };
        let mut confusions: Vec<Confusion> =
            self.taken.into_iter().map(|((skill, taken_by), prompts)| Confusion { skill, taken_by, prompts }).collect();
        confusions.sort_by_key(|confusion| std::cmp::Reverse(confusion.prompts.len()));
        self.unknown.sort();
        self.unknown.dedup();
        Evaluation {
            hit_at_1: share(sum(|skill| skill.first)),
            hit_at_5: share(sum(|skill| skill.first_five)),
            prompts,
            refusals: sum(|skill| skill.refusals),
            wrongly_strong: sum(|skill| skill.wrongly_strong),
            skills,
            confusions,
            unknown: self.unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EvaluationPrompt;
    use crate::catalog::{Catalog, CatalogOptions};

    #[test]
    fn finds_who_takes_whose_prompts() {
        let json = br#"[
            {"name": "bread", "description": "Bake bread and rolls.", "examples": [{"userInput": "bake rolls for Sunday"}]},
            {"name": "cake", "description": "Make birthday cakes.", "examples": [{"userInput": "bake something with candles"}]}
        ]"#;
        let catalog = Catalog::from_slice(json, CatalogOptions::default()).unwrap();
        let more = [("cake", "a birthday cake", true), ("bread", "a cake", false), ("tart", "x", true)]
            .map(|(skill, prompt, expected)| EvaluationPrompt { skill: skill.into(), prompt: prompt.into(), expected });
        let found = catalog.evaluate(&more);
        assert_eq!((found.prompts, found.refusals, found.wrongly_strong), (3, 1, 0));
        assert_eq!(found.unknown, ["tart"]);
        assert_eq!(found.confusions.len(), 1);
        assert_eq!((&*found.confusions[0].skill, &*found.confusions[0].taken_by), ("cake", "bread"));
        assert!((found.hit_at_1 - 2.0 / 3.0).abs() < 1e-9);
    }
}
