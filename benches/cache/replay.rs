//! Conversations made of labelled requests, and the prompts that a host sends for them.

use serde_json::{Value, json};
use skillpick::{Catalog, Context, Detail, Options, Pick, Tokenizer, estimate};

/// A request and the skills that it needs.
pub struct Labelled {
    pub query: String,
    pub relevant: Vec<String>,
}

/// How a host places the block.
#[derive(Clone, Copy, PartialEq)]
pub enum Policy {
    /// A fresh choice at the front of every prompt.
    Naive,
    /// The same with `previous`.
    Sticky,
    /// The stable part at the front, the turn's with the newest message.
    Split,
}

impl Policy {
    pub fn name(self) -> &'static str {
        match self {
            Self::Naive => "fresh",
            Self::Sticky => "sticky",
            Self::Split => "split",
        }
    }
}

/// Sums over all turns; tokens by the estimate.
#[derive(Default)]
pub struct Sums {
    pub turns: f64,
    pub later_turns: f64,
    /// Tokens of the prompts before, and those of them that start the prompt after.
    pub before: f64,
    pub kept: f64,
    /// Tokens of a prompt behind what it shares with the one before.
    pub sent: f64,
    /// Turns whose front is the same as before.
    pub same: f64,
    /// Turns in which a skill that is needed is shown, now or in an earlier message; and with more than its name.
    pub visible: f64,
    pub described: f64,
}

const SYSTEM: &str = "You are an assistant in a team's workspace. Answer briefly, say what you did, ask when something is \
                      unclear, and load a skill before you start a task that it covers.\n\n";
const ANSWER: &str = "I have looked into it and done the first part; the details are below. Tell me whether this is what you \
                      had in mind, then I will go on with the rest, or change what does not suit you yet.";
const FOLLOW_UPS: [&str; 10] = [
    "Thanks, go on.",
    "Yes, please.",
    "And once more, a little shorter.",
    "Why?",
    "Looks good. What is next?",
    "No, the other one.",
    "Can you say that in simpler words?",
    "ok",
    "Wait, let me check that with my colleague first.",
    "Good, continue with the rest.",
];

/// A generator of numbers that are the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % most
    }
}

/// Users stay with a subject for some turns: one turn in six opens another, and of the others one in three repeats words
/// of the request.
fn conversation<'q>(queries: &'q [Labelled], numbers: &mut Numbers, turns: usize) -> Vec<(String, &'q Labelled)> {
    let mut subject = &queries[numbers.below(queries.len())];
    (0..turns)
        .map(|turn| {
            if turn == 0 || numbers.below(6) == 0 {
                subject = &queries[numbers.below(queries.len())];
                return (subject.query.clone(), subject);
            }
            let follow_up = FOLLOW_UPS[numbers.below(FOLLOW_UPS.len())];
            if numbers.below(3) > 0 {
                return (follow_up.to_owned(), subject);
            }
            let words: Vec<&str> = subject.query.split_whitespace().take(40).collect();
            let from = numbers.below(words.len().max(1));
            let some = words.iter().skip(from).take(4).copied().collect::<Vec<_>>().join(" ");
            (format!("{follow_up} About {some}"), subject)
        })
        .collect()
}

pub fn replay(
    catalog: &Catalog,
    queries: &[Labelled],
    policy: Policy,
    budget: u32,
    conversations: usize,
    turns: usize,
) -> Sums {
    let mut sums = Sums::default();
    let placement = if policy == Policy::Split { "split" } else { "single" };
    let options: Options = serde_json::from_value(json!({"budget": budget, "placement": placement})).expect("options");
    for seed in 0..conversations {
        let talk = conversation(queries, &mut Numbers(seed as u64 * 7919 + 17), turns);
        one(catalog, &options, policy, &talk, &mut sums);
    }
    sums
}

fn one(catalog: &Catalog, options: &Options, policy: Policy, talk: &[(String, &Labelled)], sums: &mut Sums) {
    let (mut messages, mut history, mut previous) = (Vec::<Value>::new(), String::new(), None);
    let (mut before, mut front_before) = (String::new(), String::new());
    let mut turns_given = String::new();
    for (turn, (text, subject)) in talk.iter().enumerate() {
        messages.push(json!({"role": "user", "content": text}));
        let context: Context =
            serde_json::from_value(json!({ "messages": messages, "previous": previous.take() })).expect("a context");
        let pick = catalog.select(&context, options, None).expect("a pick");
        let front = pick.stable.clone().unwrap_or_else(|| pick.xml.clone());
        let added = pick.turn.as_deref().filter(|turn| !turn.is_empty()).map(|turn| format!("\n\n{turn}"));
        history.extend(["User: ", text, added.as_deref().unwrap_or_default(), "\n"]);
        turns_given.push_str(added.as_deref().unwrap_or_default());
        let prompt = format!("{SYSTEM}{front}\n\n{history}");
        count(&prompt, &before, sums);
        if turn > 0 {
            sums.later_turns += 1.0;
            sums.same += f64::from(u8::from(front == front_before));
        }
        seen(&pick, &turns_given, subject, sums);
        history.extend(["Assistant: ", ANSWER, "\n"]);
        messages.push(json!({"role": "assistant", "content": ANSWER}));
        if policy != Policy::Naive {
            previous = Some(serde_json::to_value(&pick.state).expect("json"));
        }
        (before, front_before) = (prompt, front);
    }
}

fn count(prompt: &str, before: &str, sums: &mut Sums) {
    let tokens = |text: &str| estimate(text, Tokenizer::O200k);
    let mut common = prompt.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count();
    while !prompt.is_char_boundary(common) {
        common -= 1;
    }
    let kept = tokens(&prompt[..common]);
    sums.kept += kept;
    sums.before += tokens(before);
    sums.sent += tokens(prompt) - kept;
    sums.turns += 1.0;
}

fn seen(pick: &Pick, turns: &str, subject: &Labelled, sums: &mut Sums) {
    let needed = |id: &str| subject.relevant.iter().any(|other| other == id);
    let earlier = subject.relevant.iter().any(|id| turns.contains(&format!("<skill id=\"{id}\"")));
    let shown = |least: Detail| pick.skills.iter().any(|one| one.detail >= least && needed(&one.id));
    sums.visible += f64::from(u8::from(earlier || shown(Detail::Name)));
    sums.described += f64::from(u8::from(earlier || shown(Detail::Summary)));
}
