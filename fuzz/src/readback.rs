//! Reads a block back with quick-xml, as a strict reader would.

use quick_xml::Reader;
use quick_xml::events::Event;

/// The values of all attributes and all texts of a document with one root.
///
/// # Panics
/// Where it is not well-formed.
#[must_use]
pub fn values(xml: &str) -> Vec<String> {
    let mut reader = Reader::from_str(xml);
    let (mut values, mut text) = (Vec::new(), String::new());
    let (mut depth, mut roots) = (0_u32, 0_u32);
    loop {
        let event = reader.read_event().unwrap_or_else(|error| panic!("{error} in {xml:?}"));
        if let Event::Start(element) | Event::Empty(element) = &event {
            roots += u32::from(depth == 0);
            for attribute in element.attributes() {
                let attribute = attribute.unwrap_or_else(|error| panic!("{error} in {xml:?}"));
                let value = attribute.unescape_value().unwrap_or_else(|error| panic!("{error} in {xml:?}"));
                values.push(value.into_owned());
            }
        }
        match event {
            Event::Start(_) => {
                depth += 1;
                values.push(std::mem::take(&mut text));
            }
            Event::End(_) => {
                depth = depth.checked_sub(1).expect("an end without a start");
                values.push(std::mem::take(&mut text));
            }
            Event::Text(raw) => text.push_str(&raw.decode().expect("UTF-8")),
            Event::GeneralRef(reference) => text.push_str(match &*reference.decode().expect("UTF-8") {
                "amp" => "&",
                "lt" => "<",
                "gt" => ">",
                "#13" => "\r",
                other => panic!("unexpected &{other}; in {xml:?}"),
            }),
            Event::Empty(_) => {}
            Event::Eof => break,
            other => panic!("unexpected {other:?} in {xml:?}"),
        }
    }
    assert!(depth == 0 && roots <= 1, "{roots} roots, depth {depth} in {xml:?}");
    let forbidden = |c: char| matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}');
    assert!(!xml.contains(forbidden), "a character that XML forbids in {xml:?}");
    values
}

/// What a reader may expect of an author's text: no control or hidden characters, white space folded.
#[must_use]
pub fn visible(text: &str) -> String {
    let kept: String = text.chars().filter(|&c| (!c.is_control() || c.is_whitespace()) && !hidden(c)).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn hidden(c: char) -> bool {
    matches!(u32::from(c), 0xB | 0xC | 0x1C..=0x1F | 0xFFFE | 0xFFFF | 0x200B | 0x2060 | 0xFEFF | 0x202A..=0x202E
        | 0x2066..=0x2069 | 0xE0000..=0xE007F)
}
