//! Phrases that every description is searched for, by their first byte: one pass over a text however many there are.

pub(crate) struct Phrases {
    phrases: &'static [&'static str],
    /// For each byte: the first phrase that begins with it, and the end of those.
    places: [(u8, u8); 256],
}

impl Phrases {
    /// In any order in which those with the same first byte stand together.
    pub(crate) const fn new(phrases: &'static [&'static str]) -> Self {
        let mut places = [(0, 0); 256];
        let mut at = 0;
        while at < phrases.len() {
            let (start, end) = &mut places[phrases[at].as_bytes()[0] as usize];
            if *end == 0 {
                *start = at as u8;
            } else {
                assert!(*end == at as u8, "phrases with the same first byte stand together");
            }
            *end = at as u8 + 1;
            at += 1;
        }
        Self { phrases, places }
    }

    /// Those that begin with a byte.
    pub(crate) fn with_first(&self, byte: u8) -> &'static [&'static str] {
        let (start, end) = self.places[byte as usize];
        &self.phrases[start as usize..end as usize]
    }
}
