//! The recipe that the ranking started from, as vectors: terms and scores that a plain reference computed.

use serde::Deserialize;

use crate::context::Context;
use crate::index::Index;
use crate::query::Query;
use crate::score::strengths;
use crate::skill::Skill;
use crate::stem::stem;
use crate::terms::{Reader, Role, hash};

#[derive(Deserialize)]
struct Words {
    text: String,
    main: Vec<String>,
    parts: Vec<String>,
}

#[derive(Deserialize)]
struct Scores {
    docs: Vec<[String; 3]>,
    golden: Vec<Golden>,
}

#[derive(Deserialize)]
struct Golden {
    query: String,
    scores: Vec<f64>,
}

/// Texts whose terms differ on purpose: accents are folded, Japanese is read by script, `PDFs` is a plural of PDF.
const OTHER_TERMS: &[&str] = &["日本語のテスト", "naïve café résumé"];

#[test]
fn terms_are_those_of_the_recipe() {
    let vectors: Vec<Words> = serde_json::from_str(include_str!("../tests/vectors/ranking/terms.json")).unwrap();
    let mut reader = Reader::new(64);
    for vector in vectors.iter().filter(|vector| !OTHER_TERMS.contains(&vector.text.as_str())) {
        let mut terms = Vec::new();
        reader.read(&vector.text, &mut terms);
        let of = |role| terms.iter().filter(|term| term.role == role).map(|term| term.hash).collect::<Vec<_>>();
        let hashes = |words: &[String]| words.iter().map(|word| hash(word.as_bytes())).collect::<Vec<_>>();
        assert_eq!(of(Role::Main), hashes(&vector.main), "{}", vector.text);
        assert_eq!(of(Role::Part), hashes(&vector.parts), "{}", vector.text);
    }
}

#[test]
fn scores_are_those_of_the_recipe() {
    let vectors: Scores = serde_json::from_str(include_str!("../tests/vectors/ranking/scores.json")).unwrap();
    let skill = |[name, description, body]: &[String; 3]| Skill {
        id: name.as_str().into(),
        name: name.as_str().into(),
        description: description.as_str().into(),
        instructions: Some(body.as_str().into()),
        ..Skill::default()
    };
    let skills: Vec<Skill> = vectors.docs.iter().map(skill).collect();
    let index = Index::build(&skills);
    let all: Vec<u32> = (0..skills.len() as u32).collect();
    for golden in &vectors.golden {
        let context = Context { query: Some(golden.query.clone()), ..Context::default() };
        let query = Query::read(&context, &skills, &index);
        for (ours, wanted) in strengths(&index, &query, &all).iter().zip(&golden.scores) {
            assert!((ours - wanted).abs() < 1e-6, "{}: {ours} for {wanted}", golden.query);
        }
    }
}

#[test]
fn stems() {
    let stems =
        [("running", "run"), ("policies", "polici"), ("deploying", "deploy"), ("news", "news"), ("boxes", "box")];
    for (word, wanted) in stems {
        let mut text = word.as_bytes().to_vec();
        stem(&mut text);
        assert_eq!(String::from_utf8_lossy(&text), wanted);
    }
}
