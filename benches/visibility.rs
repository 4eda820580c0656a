//! Is the skill that the task needs in the block? For catalogs of 120, 500 and all real skills and budgets of 500 to 4,000
//! tokens: the share of queries whose needed skill is shown with its description, or at least by name, by skillpick and by the
//! ways that agent hosts cut their listings. All count with the same estimator.
//!
//! `cargo bench --bench visibility [-- agentpool|agentskills|compact] [-- --every N] [-- --svg FILE]`

#[path = "quality/data.rs"]
#[allow(dead_code, reason = "shared with the bench of ranking quality")]
mod data;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

use skillpick::{Budget, Catalog, CatalogOptions, Context, Detail, Format, Options, Tokenizer, estimate};

const BUDGETS: [u32; 4] = [500, 1000, 2000, 4000];
/// Share of a description that must be left for it to count as shown.
const LEGIBLE: f64 = 0.6;

/// One skill as the policies see it.
struct Entry {
    id: String,
    description: String,
}

/// A catalog and the queries asked of it, with the ids that answer them.
struct Case {
    catalog: Catalog,
    /// In file order.
    entries: Vec<Entry>,
    queries: Vec<(String, HashSet<String>)>,
}

/// What a policy shows: with a description, and at all.
#[derive(Default)]
struct Shown {
    described: HashSet<String>,
    named: HashSet<String>,
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// An element as each format writes it; bare without a description.
fn element(format: Format, id: &str, description: Option<&str>) -> String {
    let (id, description) = (escape(id), description.map(escape));
    match format {
        Format::Agentskills => {
            let description = description.map_or(String::new(), |d| format!("<description>\n{d}\n</description>\n"));
            format!("<skill>\n<name>\n{id}\n</name>\n{description}</skill>\n")
        }
        Format::Compact => format!("{id}{}\n", description.map_or(String::new(), |d| format!(": {d}"))),
        _ => {
            let description = description.map_or(String::new(), |d| format!(" description=\"{d}\""));
            format!("  <skill id=\"{id}\" name=\"{id}\"{description} />\n")
        }
    }
}

fn price(text: &str) -> f64 {
    estimate(text, Tokenizer::O200k)
}

/// The longest prefix of full elements; later ones have no place.
fn prefix<'a>(entries: impl Iterator<Item = &'a Entry>, format: Format, mut room: f64) -> Shown {
    let mut shown = Shown::default();
    for entry in entries {
        room -= price(&element(format, &entry.id, Some(&entry.description)));
        if room < 0.0 {
            break;
        }
        shown.described.insert(entry.id.clone());
        shown.named.insert(entry.id.clone());
    }
    shown
}

fn alphabetical(entries: &[Entry], format: Format, room: f64) -> Shown {
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by(|a, b| a.id.cmp(&b.id));
    prefix(sorted.into_iter(), format, room)
}

fn first_overflow(entries: &[Entry], format: Format, room: f64) -> Shown {
    prefix(entries.iter(), format, room)
}

/// All descriptions cut to one share of their length, the largest that fits; without room for bare elements, a prefix of those.
fn even(entries: &[Entry], format: Format, room: f64) -> Shown {
    let cut = |entry: &Entry, share: f64| -> String {
        let keep = (entry.description.chars().count() as f64 * share) as usize;
        entry.description.chars().take(keep).collect()
    };
    let total = |share: f64| -> f64 {
        entries.iter().map(|e| price(&element(format, &e.id, (share > 0.0).then(|| cut(e, share)).as_deref()))).sum()
    };
    let mut shown = Shown::default();
    let mut left = room;
    for entry in entries {
        left -= price(&element(format, &entry.id, None));
        if left < 0.0 {
            return shown;
        }
        shown.named.insert(entry.id.clone());
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..12 {
        let middle = f64::midpoint(low, high);
        if total(middle) <= room { low = middle } else { high = middle }
    }
    if low >= LEGIBLE {
        shown.described.clone_from(&shown.named);
    }
    shown
}

/// Every name, then descriptions in order where they fit.
fn names_first(entries: &[Entry], format: Format, mut room: f64) -> Shown {
    let mut shown = Shown::default();
    for entry in entries {
        room -= price(&element(format, &entry.id, None));
        if room < 0.0 {
            return shown;
        }
        shown.named.insert(entry.id.clone());
    }
    for entry in entries {
        let bare = price(&element(format, &entry.id, None));
        let more = price(&element(format, &entry.id, Some(&entry.description))) - bare;
        if more <= room {
            room -= more;
            shown.described.insert(entry.id.clone());
        }
    }
    shown
}

fn ours(case: &Case, query: &str, format: Format, budget: u32) -> (Shown, f64) {
    let options =
        Options { format, budget: Budget::Tokens(f64::from(budget)), location: Some(false), ..Options::default() };
    let context = Context { query: Some(query.to_owned()), ..Context::default() };
    let pick = case.catalog.select(&context, &options, None).expect("a pick");
    assert!(pick.tokens <= budget);
    let ids = |least: Detail| pick.skills.iter().filter(|one| one.detail >= least).map(|one| one.id.clone()).collect();
    (Shown { described: ids(Detail::Description), named: ids(Detail::Name) }, pick.gap)
}

type Policy = fn(&[Entry], Format, f64) -> Shown;
const POLICIES: [(&str, Policy); 4] = [
    ("alphabetical prefix", alphabetical),
    ("stop at first overflow", first_overflow),
    ("even truncation", even),
    ("names, then descriptions", names_first),
];

/// Wrapper of a listing, about the same in every format.
const AROUND: f64 = 12.0;

/// Described, described or named, by policy; ours last.
fn measure(cases: &[Case], format: Format, budget: u32, gaps: &mut Vec<f64>) -> Vec<(&'static str, f64, f64)> {
    let mut hits: Vec<(usize, usize)> = vec![(0, 0); POLICIES.len() + 1];
    let mut asked = 0_u32;
    for case in cases {
        let fixed: Vec<Shown> =
            POLICIES.iter().map(|(_, policy)| policy(&case.entries, format, f64::from(budget) - AROUND)).collect();
        for (query, relevant) in &case.queries {
            let (mine, gap) = ours(case, query, format, budget);
            asked += 1;
            gaps.push(gap);
            for (place, shown) in fixed.iter().chain([&mine]).enumerate() {
                hits[place].0 += usize::from(!shown.described.is_disjoint(relevant));
                hits[place].1 += usize::from(!shown.named.is_disjoint(relevant));
            }
        }
    }
    let names = POLICIES.iter().map(|(name, _)| *name).chain(["skillpick"]);
    let share = |count: usize| count as f64 / f64::from(asked);
    names.zip(hits).map(|(name, (described, named))| (name, share(described), share(named))).collect()
}

/// A small generator, so that every run draws the same catalogs.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Ids are names, with -2, -3 … for repeats.
fn ids(set: &data::Set) -> Vec<String> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut order: Vec<usize> = (0..set.skills.len()).collect();
    order.sort_by_key(|&at| set.skills[at].position);
    let mut out = vec![String::new(); set.skills.len()];
    for at in order {
        let name = &*set.skills[at].name;
        let times = seen.entry(name).or_default();
        *times += 1;
        out[at] = if *times == 1 { name.to_owned() } else { format!("{name}-{times}") };
    }
    out
}

/// Draws catalogs of `size` of which about a third answer some query; each query is asked once.
fn cases(set: &data::Set, ids: &[String], size: usize, every: usize) -> Vec<Case> {
    let mut draw = Draw(size as u64);
    let mut queries: Vec<usize> = (0..set.queries.len()).filter(|at| at % every == 0).collect();
    for at in (1..queries.len()).rev() {
        queries.swap(at, draw.below(at + 1));
    }
    let mut out = Vec::new();
    let mut rest = &queries[..];
    while !rest.is_empty() {
        let mut members: HashSet<u32> = HashSet::new();
        let mut taken = 0;
        while taken < rest.len() && (size >= set.skills.len() || members.len() < size / 3) {
            members.extend(&set.queries[rest[taken]].relevant);
            taken += 1;
        }
        while members.len() < size.min(set.skills.len()) {
            members.insert(draw.below(set.skills.len()) as u32);
        }
        let mut order: Vec<u32> = members.into_iter().collect();
        order.sort_by_key(|&at| set.skills[at as usize].position);
        out.push(case(set, ids, &order, &rest[..taken]));
        rest = &rest[taken..];
    }
    out
}

fn case(set: &data::Set, ids: &[String], members: &[u32], queries: &[usize]) -> Case {
    let json: Vec<serde_json::Value> = members
        .iter()
        .map(|&at| {
            let skill = &set.skills[at as usize];
            serde_json::json!({ "id": ids[at as usize], "name": ids[at as usize], "description": skill.description,
                "instructions": skill.instructions.as_deref() })
        })
        .collect();
    let json = serde_json::to_vec(&json).expect("JSON");
    let entry = |&at: &u32| Entry {
        id: ids[at as usize].clone(),
        description: set.skills[at as usize].description.split_whitespace().collect::<Vec<_>>().join(" "),
    };
    let query = |&at: &usize| {
        let labelled = &set.queries[at];
        (labelled.query.clone(), labelled.relevant.iter().map(|&at| ids[at as usize].clone()).collect())
    };
    Case {
        catalog: Catalog::from_slice(&json, CatalogOptions::default()).expect("a catalog"),
        entries: members.iter().map(entry).collect(),
        queries: queries.iter().map(query).collect(),
    }
}

/// Share described at 500 skills by budget, a line for each policy.
fn plot(lines: &BTreeMap<&'static str, Vec<f64>>) -> String {
    let (width, height, left, bottom) = (640.0, 300.0, 48.0, 40.0);
    let x = |place: usize| left + (width - left - 190.0) * place as f64 / (BUDGETS.len() - 1) as f64;
    let y = |share: f64| 12.0 + (height - bottom - 12.0) * (1.0 - share);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>Share of queries whose needed skill is shown with its description, 500 skills</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for tick in 0..=4 {
        let share = f64::from(tick) / 4.0;
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {0}H{1}\" stroke=\"#ddd\"/><text x=\"{2}\" y=\"{3}\" text-anchor=\"end\">{4} %</text>",
            y(share),
            x(BUDGETS.len() - 1),
            left - 6.0,
            y(share) + 4.0,
            tick * 25
        );
    }
    for (place, budget) in BUDGETS.iter().enumerate() {
        let _ =
            writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{budget}</text>", x(place), height - 22.0);
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">budget in tokens</text>",
        x(1) + 60.0,
        height - 6.0
    );
    let colours = ["#888", "#b58900", "#2aa198", "#6c71c4", "#d33682"];
    let mut labels: Vec<(f64, &str, &str)> = Vec::new();
    for ((name, shares), colour) in lines.iter().zip(colours.iter().cycle()) {
        let colour = if *name == "skillpick" { "#d33682" } else { colour };
        let points: Vec<String> =
            shares.iter().enumerate().map(|(at, share)| format!("{:.1},{:.1}", x(at), y(*share))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
        labels.push((y(shares[shares.len() - 1]), name, colour));
    }
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut last = f64::NEG_INFINITY;
    for (at, name, colour) in labels {
        last = at.max(last + 15.0);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" fill=\"{colour}\">{name}</text>",
            x(BUDGETS.len() - 1) + 8.0,
            last + 4.0
        );
    }
    svg + "</svg>\n"
}

fn main() {
    if !data::folder().exists() {
        println!("no labelled sets at {}: set SKILLPICK_SHARED", data::folder().display());
        return;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| arguments.iter().position(|a| a == name).and_then(|at| arguments.get(at + 1));
    let every = value("--every").and_then(|n| n.parse().ok()).unwrap_or(1);
    let wanted =
        |name: &str| arguments.iter().any(|a| a == name) || !arguments.iter().any(|a| FORMATS.iter().any(|f| f.0 == a));
    let set = data::read("skill-evals-dev");
    let ids = ids(&set);
    let sizes: Vec<(String, Vec<Case>)> = [120, 500, usize::MAX]
        .iter()
        .map(|&size| {
            (if size > set.skills.len() { set.skills.len() } else { size }.to_string(), cases(&set, &ids, size, every))
        })
        .collect();
    println!("| format | skills | budget | policy | described % | described or named % |\n|---|--:|--:|---|--:|--:|");
    let mut lines: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
    let mut gaps = Vec::new();
    for (name, format) in FORMATS.iter().filter(|(name, _)| wanted(name)) {
        for (size, cases) in &sizes {
            for budget in BUDGETS {
                for (policy, described, named) in measure(cases, *format, budget, &mut gaps) {
                    println!(
                        "| {name} | {size} | {budget} | {policy} | {:.1} | {:.1} |",
                        described * 100.0,
                        named * 100.0
                    );
                    if *name == "agentpool" && size == "500" {
                        lines.entry(policy).or_default().push(described);
                    }
                }
            }
        }
    }
    let worst = gaps.iter().copied().fold(0.0, f64::max);
    let mean = gaps.iter().sum::<f64>() / gaps.len().max(1) as f64;
    println!(
        "\nreported distance from the optimum over {} blocks: mean {:.4} %, worst {:.4} %",
        gaps.len(),
        mean * 100.0,
        worst * 100.0
    );
    if let Some(file) = value("--svg") {
        std::fs::write(file, plot(&lines)).expect("the plot is written");
    }
}

const FORMATS: [(&str, Format); 3] =
    [("agentpool", Format::Agentpool), ("agentskills", Format::Agentskills), ("compact", Format::Compact)];
