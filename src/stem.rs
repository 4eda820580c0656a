//! English stems: the Snowball (Porter 2) algorithm on a byte buffer, with the known false friends kept apart.
//!
//! Snowball joins words that mean different things: `organization` and `organ`, `university` and `universe`, `importance` and
//! `import`. Those that occur in descriptions of skills keep their ending here (`APART`); British spellings join the American.

/// Longest word that is stemmed; longer runs are identifiers or noise and stay whole.
pub(crate) const LONGEST: usize = 48;

/// Words whose stem the rules get wrong.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("skis", "ski"),
    ("skies", "sky"),
    ("dying", "die"),
    ("lying", "lie"),
    ("tying", "tie"),
    ("idly", "idl"),
    ("gently", "gentl"),
    ("ugly", "ugli"),
    ("early", "earli"),
    ("only", "onli"),
    ("singly", "singl"),
    ("sky", "sky"),
    ("news", "news"),
    ("howe", "howe"),
    ("atlas", "atlas"),
    ("cosmos", "cosmos"),
    ("bias", "bias"),
    ("andes", "andes"),
    ("ios", "ios"),
    ("embed", "embed"),
    ("evening", "evening"),
    ("paste", "paste"),
    ("pastes", "paste"),
    ("pasted", "paste"),
    ("pasting", "paste"),
    ("analysis", "analyz"),
    ("analyses", "analyz"),
    ("analyse", "analyz"),
    ("analysed", "analyz"),
    ("analysing", "analyz"),
];

/// Words that are finished after the plural.
const FINISHED: [&str; 8] = ["inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"];

/// Words, after step 3, that are something else than what step 4 would leave; ascending.
const APART: &[&str] = &[
    "accessible",
    "accession",
    "animal",
    "authoriti",
    "authorize",
    "commitment",
    "container",
    "contention",
    "conversion",
    "customer",
    "department",
    "directive",
    "edition",
    "electronic",
    "emergence",
    "engineer",
    "executive",
    "experiment",
    "government",
    "humaniti",
    "humanize",
    "importance",
    "important",
    "initiative",
    "internal",
    "international",
    "lateral",
    "natural",
    "negotiate",
    "objection",
    "objective",
    "officer",
    "organic",
    "organism",
    "organize",
    "positive",
    "production",
    "productive",
    "relative",
    "remotion",
    "several",
    "terminal",
    "universal",
    "universiti",
];

/// Step 2: endings and what stands for them, the longest first among those with a common end.
const STEP_2: [(&str, &str); 22] = [
    ("ization", "ize"),
    ("ational", "ate"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("iveness", "ive"),
    ("tional", "tion"),
    ("biliti", "ble"),
    ("lessli", "less"),
    ("entli", "ent"),
    ("ation", "ate"),
    ("alism", "al"),
    ("aliti", "al"),
    ("ousli", "ous"),
    ("iviti", "ive"),
    ("fulli", "ful"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("abli", "able"),
    ("izer", "ize"),
    ("ator", "ate"),
    ("alli", "al"),
    ("bli", "ble"),
];

const STEP_3: [(&str, &str); 8] = [
    ("ational", "ate"),
    ("tional", "tion"),
    ("alize", "al"),
    ("icate", "ic"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ness", ""),
    ("ful", ""),
];

/// Step 4: endings that are taken off.
const STEP_4: [&str; 18] = [
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion",
    "al", "er", "ic",
];

struct Word<'a> {
    text: &'a mut Vec<u8>,
    r1: usize,
    r2: usize,
    root: Option<usize>,
}

fn vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// Replaces a lower-case ASCII word by its stem. Gives the length of what Snowball would leave of a word that is kept apart:
/// the background list counts by that.
pub(crate) fn stem(text: &mut Vec<u8>) -> Option<usize> {
    if text.len() <= 2 || text.len() > LONGEST {
        return None;
    }
    if let Some((_, stem)) =
        EXCEPTIONS.iter().find(|(word, _)| word.len() == text.len() && word.as_bytes() == text.as_slice())
    {
        text.clear();
        text.extend_from_slice(stem.as_bytes());
        return None;
    }
    american(text);
    mark_consonant_y(text);
    let (r1, r2) = regions(text);
    let mut word = Word { text, r1, r2, root: None };
    word.plural();
    if !FINISHED.iter().any(|finished| finished.as_bytes() == word.text.as_slice()) {
        word.participle();
        word.final_y();
        word.step_2();
        word.step_3();
        word.step_4();
        word.step_5();
    }
    word.text.make_ascii_lowercase();
    word.root.filter(|&root| root < word.text.len())
}

/// `-ise` and its forms are `-ize` after the endings of verbs that are made so.
fn american(text: &mut [u8]) {
    const FORMS: [&[u8]; 6] = [b"isation", b"isations", b"ising", b"ised", b"ises", b"ise"];
    const BEFORE: [&[u8]; 10] = [b"al", b"im", b"ar", b"an", b"or", b"it", b"er", b"on", b"gn", b"custom"];
    for form in FORMS {
        if let Some(base) = text.strip_suffix(form) {
            let at = base.len();
            if at >= 4 && BEFORE.iter().any(|before| base.ends_with(before)) {
                text[at + 1] = b'z';
            }
            return;
        }
    }
}

/// A `y` that starts the word or follows a vowel is a consonant: written `Y` meanwhile.
fn mark_consonant_y(text: &mut [u8]) {
    for i in 0..text.len() {
        if text[i] == b'y' && (i == 0 || vowel(text[i - 1])) {
            text[i] = b'Y';
        }
    }
}

fn after_vowel_consonant(text: &[u8], from: usize) -> usize {
    let mut seen = false;
    for (i, &byte) in text.iter().enumerate().skip(from) {
        if vowel(byte) {
            seen = true;
        } else if seen {
            return i + 1;
        }
    }
    text.len()
}

fn regions(text: &[u8]) -> (usize, usize) {
    let prefix = ["gener", "commun", "arsen"].iter().find(|prefix| text.starts_with(prefix.as_bytes()));
    let r1 = prefix.map_or_else(|| after_vowel_consonant(text, 0), |prefix| prefix.len());
    (r1, after_vowel_consonant(text, r1))
}

impl Word<'_> {
    fn ends(&self, suffix: &str) -> bool {
        self.text.last() == suffix.as_bytes().last() && self.text.ends_with(suffix.as_bytes())
    }

    fn cut(&mut self, n: usize) {
        self.text.truncate(self.text.len() - n);
    }

    fn replace(&mut self, old: &str, new: &str) {
        self.cut(old.len());
        self.text.extend_from_slice(new.as_bytes());
    }

    fn has_vowel(&self, end: usize) -> bool {
        self.text[..end].iter().any(|&byte| vowel(byte))
    }

    /// Whether the text up to `end` ends in a short syllable.
    fn short_syllable(&self, end: usize) -> bool {
        let text = &self.text[..end];
        match text {
            [first, second] => vowel(*first) && !vowel(*second),
            [.., a, b, c] => !vowel(*a) && vowel(*b) && !vowel(*c) && !matches!(c, b'w' | b'x' | b'Y'),
            _ => false,
        }
    }

    fn plural(&mut self) {
        let len = self.text.len();
        if self.ends("sses") {
            self.cut(2);
        } else if self.ends("ied") || self.ends("ies") {
            self.cut(if len > 4 { 2 } else { 1 });
        } else if self.ends("s") && !self.ends("us") && !self.ends("ss") && len >= 2 && self.has_vowel(len - 2) {
            self.cut(1);
        }
    }

    fn participle(&mut self) {
        for suffix in ["eedly", "eed"] {
            if self.ends(suffix) {
                if self.text.len() - suffix.len() >= self.r1 {
                    self.replace(suffix, "ee");
                }
                return;
            }
        }
        let Some(suffix) = ["ingly", "edly", "ing", "ed"].into_iter().find(|suffix| self.ends(suffix)) else {
            return;
        };
        if !self.has_vowel(self.text.len() - suffix.len()) {
            return;
        }
        self.cut(suffix.len());
        if self.ends("at") || self.ends("bl") || self.ends("iz") {
            self.text.push(b'e');
        } else if let [.., a, b] = self.text.as_slice()
            && a == b
            && b"bdfgmnprt".contains(b)
        {
            self.cut(1);
        } else if self.r1 >= self.text.len() && self.short_syllable(self.text.len()) {
            self.text.push(b'e');
        }
    }

    fn final_y(&mut self) {
        if let [_, .., before, last @ (b'y' | b'Y')] = self.text.as_mut_slice()
            && !vowel(*before)
        {
            *last = b'i';
        }
    }

    fn step_2(&mut self) {
        if let Some((suffix, new)) = STEP_2.into_iter().find(|(suffix, _)| self.ends(suffix)) {
            if self.text.len() - suffix.len() >= self.r1 {
                self.replace(suffix, new);
            }
        } else if self.ends("logi") {
            if self.text.len() - 3 >= self.r1 {
                self.cut(1);
            }
        } else if self.ends("li") && self.text.len() - 2 >= self.r1 {
            let before = self.text.len().checked_sub(3).map_or(0, |i| self.text[i]);
            if b"cdeghkmnrt".contains(&before) {
                self.cut(2);
            }
        }
    }

    fn step_3(&mut self) {
        if let Some((suffix, new)) = STEP_3.into_iter().find(|(suffix, _)| self.ends(suffix)) {
            if self.text.len() - suffix.len() >= self.r1 {
                self.replace(suffix, new);
            }
        } else if self.ends("ative") && self.text.len() - 5 >= self.r2 {
            self.cut(5);
        }
    }

    fn step_4(&mut self) {
        let Some(suffix) = STEP_4.into_iter().find(|suffix| self.ends(suffix)) else { return };
        let start = self.text.len() - suffix.len();
        let allowed = suffix != "ion" || (start > 0 && matches!(self.text[start - 1], b's' | b't'));
        let apart = APART.binary_search_by(|word| word.as_bytes().cmp(self.text)).is_ok();
        if start < self.r2 || !allowed {
            return;
        }
        if apart {
            self.root = Some(start);
        } else {
            self.cut(suffix.len());
        }
    }

    fn step_5(&mut self) {
        let end = self.text.len().saturating_sub(1);
        if self.ends("e") {
            if end >= self.r2 || (end >= self.r1 && !self.short_syllable(end)) {
                self.cut(1);
            }
        } else if self.ends("ll") && end >= self.r2 {
            self.cut(1);
        }
    }
}
