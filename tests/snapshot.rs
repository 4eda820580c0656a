//! Snapshots: the same catalog after a round trip, and a typed error for any bytes that are none.

use proptest::prelude::*;
use serde_json::{Value, json};
use skillpick::{Catalog, CatalogOptions, Context, Incoming, LoadOptions, Options, Pick};

fn read(skills: &Value) -> Catalog {
    Catalog::from_slice(&serde_json::to_vec(skills).expect("JSON"), CatalogOptions::default()).expect("a catalog")
}

fn again(bytes: &[u8]) -> Catalog {
    Catalog::from_snapshot(bytes, &CatalogOptions::default()).expect("a snapshot")
}

fn code(bytes: &[u8]) -> &'static str {
    match Catalog::from_snapshot(bytes, &CatalogOptions::default()) {
        Ok(_) => "none",
        Err(error) => error.code(),
    }
}

fn pick(catalog: &Catalog, query: &str, options: &Value) -> Pick {
    let context: Context =
        serde_json::from_value(json!({ "query": query, "files": ["forms/a.pdf"] })).expect("a context");
    let options: Options = serde_json::from_value(options.clone()).expect("options");
    catalog.select(&context, &options, None).expect("a pick")
}

/// Skills with everything that a record can hold, two with one id, one that is none, and hidden text.
fn skills() -> Value {
    json!([
        { "name": "pdf-forms", "description": "Fill in PDF forms.", "when_to_use": "A PDF has fields.", "paths": ["**/*.pdf"],
          "instructions": "# Forms\nOpen the form, read the field names, write values with qpdf.", "location": "/s/pdf-forms",
          "source": "project", "priority": -1.5, "triggers": ["fill the form"], "not_for": ["scanned pictures"],
          "allowed_tools": [], "metadata": { "a": [1, { "b": null }] }, "arguments": ["file"], "colour": "red" },
        { "name": "pdf-forms", "description": "Another one.", "source": "user", "location": "/u/pdf-forms" },
        { "id": "tune", "name": "sql-tuning", "description": "Makes slow SQL fast.", "instruction_tokens": 300, "vector": [0.5, 1],
          "examples": [{ "userInput": "why is this query slow", "title": "Slow" }] },
        { "id": "tune2", "name": "sql-tuning", "description": "The same name \u{202E} hidden.", "modelInvocable": false },
        { "name": "rules", "kind": "rule", "scope": "src", "instructions": "Write tests." },
        { "name": "周报", "description": "撰写周报。", "enabled": "perhaps" },
        { "description": "no name" },
        7,
    ])
}

#[test]
fn a_round_trip_changes_nothing() {
    let catalog = read(&skills());
    let bytes = catalog.to_snapshot(true).expect("bytes");
    let same = again(&bytes);
    assert_eq!(same.skills(), catalog.skills());
    assert_eq!(same.diagnostics(), catalog.diagnostics());
    assert_eq!(same.to_snapshot(true).expect("bytes"), bytes);
    for query in ["fill the form", "why is this query slow", "qpdf", "周报", "nothing of the kind"] {
        for mode in ["metadata", "full", "auto"] {
            let options = json!({ "mode": mode, "budget": 200 });
            assert_eq!(format!("{:?}", pick(&same, query, &options)), format!("{:?}", pick(&catalog, query, &options)));
        }
    }
    let changes = catalog.changed(&same);
    assert!(changes.added.is_empty() && changes.removed.is_empty() && changes.changed.is_empty());
}

#[test]
fn bodies_may_stay_out_and_still_count() {
    let catalog = read(&skills());
    let bytes = catalog.to_snapshot(false).expect("bytes");
    let lean = again(&bytes);
    assert!(bytes.windows(4).all(|window| window != b"qpdf"));
    let options = json!({ "budget": 200 });
    assert_eq!(format!("{:?}", pick(&lean, "qpdf", &options)), format!("{:?}", pick(&catalog, "qpdf", &options)));
    let forms = lean.get("pdf-forms").expect("the skill");
    assert!(forms.instructions.is_none() && forms.instruction_tokens.is_some_and(|tokens| tokens > 5));
    assert!(catalog.changed(&lean).changed.is_empty());
    // Also after the skills went through another resolution.
    assert!(catalog.changed(&lean.without(&["tune".to_owned()])).changed.is_empty());
    let load = |instructions: Option<&str>| {
        let options = LoadOptions { instructions: instructions.map(str::to_owned), ..LoadOptions::default() };
        format!("{:?}", lean.load("pdf-forms", &options, None).expect("a result"))
    };
    assert!(load(None).contains("instructions_not_loaded"));
    assert!(load(Some("the body")).contains("the body"));
}

#[test]
fn what_is_made_from_a_snapshot_is_what_is_made_from_the_catalog() {
    let (catalog, added) = (read(&skills()), json!([{ "name": "tune", "description": "New." }, { "name": "zip" }]));
    let same = again(&catalog.to_snapshot(true).expect("bytes"));
    let bytes = |catalog: &Catalog| catalog.to_snapshot(true).expect("bytes");
    assert_eq!(bytes(&same.with(read(&added))), bytes(&catalog.with(read(&added))));
    assert_eq!(bytes(&same.without(&["rules".into()])), bytes(&catalog.without(&["rules".into()])));
    let other = read(&added);
    assert_eq!(bytes(&Catalog::merge(&[&other, &same])), bytes(&Catalog::merge(&[&other, &catalog])));
    let options = Options::default();
    assert_eq!(same.tools(&options, None).expect("tools"), catalog.tools(&options, None).expect("tools"));
}

#[test]
fn scopes_are_those_of_the_catalog() {
    let options = CatalogOptions { scopes: vec!["user".into(), "project".into()], ..CatalogOptions::default() };
    let catalog = Catalog::from_slice(skills().to_string().as_bytes(), options).expect("a catalog");
    let same = again(&catalog.to_snapshot(true).expect("bytes"));
    assert_eq!(&*same.get("pdf-forms").expect("the skill").source, "user");
    assert_eq!(same.with(read(&skills())).get("tune"), catalog.with(read(&skills())).get("tune"));
}

#[test]
fn pieces_of_any_size_give_the_same() {
    let bytes = read(&skills()).to_snapshot(true).expect("bytes");
    for size in [1, 7, 63, 64, 65, 1000] {
        let mut incoming = Incoming::new(None);
        for piece in bytes.chunks(size) {
            incoming.push(piece).expect("bytes of the snapshot");
        }
        let catalog = incoming.finish(&CatalogOptions::default()).expect("a catalog");
        assert_eq!(catalog.to_snapshot(true).expect("bytes"), bytes);
    }
    let empty = read(&json!([])).to_snapshot(true).expect("bytes");
    assert_eq!(again(&empty).skills().len(), 0);
}

#[test]
fn every_truncation_and_every_flipped_bit_is_noticed() {
    let bytes = read(&skills()).to_snapshot(true).expect("bytes");
    for length in 0..bytes.len() {
        assert_eq!(code(&bytes[..length]), "snapshot_truncated", "{length} bytes");
    }
    let mut flipped = bytes.clone();
    for at in 0..bytes.len() {
        let bit = 1 << (at % 8);
        flipped[at] ^= bit;
        let wanted: &[&str] = match at {
            0..8 | 12..16 => &["snapshot_format"],
            8..12 => &["snapshot_version"],
            // A length that is wrong moves the end.
            24..64 => &["snapshot_truncated", "snapshot_format", "catalog_too_large"],
            _ => &["snapshot_checksum"],
        };
        let found = code(&flipped);
        assert!(wanted.contains(&found), "byte {at}: {found}");
        flipped[at] ^= bit;
    }
    assert_eq!(code(&bytes), "none");
}

/// A failure means that the bytes have changed: raise `VERSION` in src/snapshot.rs, then write both numbers anew here.
#[test]
fn the_bytes_belong_to_their_version() {
    let bytes = read(&skills()).to_snapshot(true).expect("bytes");
    let checksum = u64::from_le_bytes(bytes[16..24].try_into().expect("eight bytes"));
    assert_eq!((bytes[8], checksum), (2, 18_358_886_076_030_711_799));
}

#[test]
fn foreign_bytes_and_other_versions_are_refused_at_once() {
    assert_eq!(code(b""), "snapshot_truncated");
    assert_eq!(code(b"[{\"name\": \"a\"}]"), "snapshot_format");
    assert_eq!(code(b"\x89PNG\r\n\x1a\n and so on"), "snapshot_format");
    let mut bytes = read(&skills()).to_snapshot(true).expect("bytes");
    bytes.push(0);
    assert_eq!(code(&bytes), "snapshot_format");
    bytes[8] += 1;
    assert_eq!(code(&bytes), "snapshot_version");
    // The first piece is enough to say so.
    assert_eq!(Incoming::new(None).push(&bytes[..12]).expect_err("refused").code(), "snapshot_version");
    let mut huge = bytes[..64].to_vec();
    huge[8] -= 1;
    huge[24..64].fill(0xFF);
    assert_eq!(Incoming::new(None).push(&huge).expect_err("refused").code(), "catalog_too_large");
    assert_eq!(code(&huge), "snapshot_truncated");
}

/// The bytes with a checksum that is right again.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = xxhash_rust::xxh64::xxh64(&bytes[24..], 0);
    bytes[16..24].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Somebody writes what he likes and seals it: an error, or a catalog that works.
    #[test]
    fn no_contents_break_the_core(changes in prop::collection::vec((0.0..1.0_f64, any::<u8>()), 1..8), lean: bool) {
        let mut bytes = read(&skills()).to_snapshot(!lean).expect("bytes");
        for (place, byte) in changes {
            let at = 24 + ((bytes.len() - 24) as f64 * place) as usize;
            bytes[at] = byte;
        }
        match Catalog::from_snapshot(&sealed(bytes), &CatalogOptions::default()) {
            Err(error) => prop_assert!(error.code().starts_with("snapshot_") || error.code().ends_with("too_large") || error.code() == "too_many_skills"),
            Ok(catalog) => {
                for query in ["fill the form", "tune /pdf-forms", "qpdf slow sql", "周报"] {
                    pick(&catalog, query, &json!({ "mode": "auto", "budget": 300 }));
                    let _ = catalog.search(query, 10, None);
                }
                let _ = catalog.load("pdf-forms", &LoadOptions::default(), None);
                again(&catalog.to_snapshot(true).expect("bytes"));
                let _ = catalog.with(read(&skills()));
            }
        }
    }

    #[test]
    fn any_bytes_are_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert_ne!(code(&bytes), "none");
    }
}
