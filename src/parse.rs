//! Reads JSON.

use crate::value::{Number, Value};

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 128;

/// Where a text stops being JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed {
    /// Byte of the text.
    pub at: usize,
    /// What is wrong there.
    pub why: &'static str,
}

impl Value {
    /// Reads JSON. A surrogate that stands alone becomes U+FFFD; of equal keys the last one counts.
    ///
    /// # Errors
    /// Where the text is no JSON, or nested deeper than 128.
    pub fn parse(json: &str) -> Result<Value, Malformed> {
        let mut reader = Reader { json, at: 0 };
        let value = reader.value(0)?;
        reader.space();
        if reader.at == json.len() { Ok(value) } else { Err(reader.wrong("the value has ended")) }
    }
}

/// Where a piece of JSON starts, and the piece.
pub(crate) type Raw<'a> = (usize, &'a str);

/// The raw JSON of each element of the array at the start of `json`, and the byte behind the array.
pub(crate) fn elements(json: &str, from: usize) -> Result<(Vec<Raw<'_>>, usize), Malformed> {
    let mut reader = Reader { json, at: from };
    let mut found = Vec::new();
    reader.list(b'[', b']', |reader| {
        let start = reader.at;
        reader.skip();
        found.push((start, json[start..reader.at].trim_end()));
        Ok(())
    })?;
    Ok((found, reader.at))
}

/// Key and raw JSON of each field of the object at the start of `json`, and the byte behind the object.
pub(crate) fn members(json: &str, from: usize) -> Result<(Vec<(String, usize)>, usize), Malformed> {
    let mut reader = Reader { json, at: from };
    let mut found = Vec::new();
    reader.list(b'{', b'}', |reader| {
        let key = reader.key()?;
        found.push((key, reader.at));
        reader.skip();
        Ok(())
    })?;
    Ok((found, reader.at))
}

/// The JSON text that starts at `at`.
pub(crate) fn text_at(json: &str, at: usize) -> Option<String> {
    Reader { json, at }.string().ok()
}

struct Reader<'a> {
    json: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn wrong(&self, why: &'static str) -> Malformed {
        Malformed { at: self.at, why }
    }

    fn peek(&self) -> u8 {
        self.json.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn space(&mut self) {
        while matches!(self.peek(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, Malformed> {
        self.space();
        match self.peek() {
            b'"' => self.string().map(Value::String),
            b'[' | b'{' if depth >= MAX_DEPTH => Err(self.wrong("nested deeper than 128")),
            b'[' => {
                let mut items = Vec::new();
                self.list(b'[', b']', |reader| {
                    items.push(reader.value(depth + 1)?);
                    Ok(())
                })?;
                Ok(Value::Array(items))
            }
            b'{' => {
                let mut fields = Vec::new();
                self.list(b'{', b'}', |reader| {
                    let key = reader.key()?;
                    fields.push((key, reader.value(depth + 1)?));
                    Ok(())
                })?;
                Ok(Value::Object(fields.into_iter().collect()))
            }
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            b'n' => self.word("null", Value::Null),
            _ => self.number(),
        }
    }

    /// Elements between brackets, each read by `element`.
    fn list(
        &mut self,
        open: u8,
        close: u8,
        mut element: impl FnMut(&mut Self) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        if self.peek() != open {
            return Err(self.wrong("a bracket is missing"));
        }
        self.at += 1;
        self.space();
        if self.peek() == close {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.space();
            element(self)?;
            self.space();
            let next = self.peek();
            if next != b',' && next != close {
                return Err(self.wrong("a comma or a closing bracket is missing"));
            }
            self.at += 1;
            if next == close {
                return Ok(());
            }
        }
    }

    fn key(&mut self) -> Result<String, Malformed> {
        let key = self.string()?;
        self.space();
        if self.peek() != b':' {
            return Err(self.wrong("a colon is missing behind the key"));
        }
        self.at += 1;
        self.space();
        Ok(key)
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Malformed> {
        if !self.json[self.at..].starts_with(word) {
            return Err(self.wrong("not a JSON value"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self) -> Result<Value, Malformed> {
        let start = self.at;
        self.at += usize::from(self.peek() == b'-');
        let zero = self.peek() == b'0';
        let whole = self.digits();
        let mut good = whole == 1 || whole > 1 && !zero;
        if self.peek() == b'.' {
            self.at += 1;
            good &= self.digits() > 0;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), b'+' | b'-'));
            good &= self.digits() > 0;
        }
        if !good {
            self.at = start;
            return Err(self.wrong("not a JSON value"));
        }
        Ok(Value::Number(Number(self.json[start..self.at].into())))
    }

    fn string(&mut self) -> Result<String, Malformed> {
        if self.peek() != b'"' {
            return Err(self.wrong("a text in double quotes is missing"));
        }
        self.at += 1;
        let mut out = String::new();
        loop {
            let start = self.at;
            while !matches!(self.peek(), b'"' | b'\\' | 0..=0x1F) {
                self.at += 1;
            }
            out.push_str(&self.json[start..self.at]);
            match self.peek() {
                b'"' => {
                    self.at += 1;
                    return Ok(out);
                }
                b'\\' => out.push(self.escape()?),
                _ if self.at >= self.json.len() => return Err(self.wrong("the text does not end")),
                _ => return Err(self.wrong("a control character in a text must be escaped")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Malformed> {
        let letter = self.json.as_bytes().get(self.at + 1).copied().unwrap_or(0);
        let c = match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{C}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unit(),
            _ => return Err(self.wrong("unknown escape")),
        };
        self.at += 2;
        Ok(c)
    }

    /// `\uXXXX`, or two of them where they are a surrogate pair.
    fn unit(&mut self) -> Result<char, Malformed> {
        let high = self.hex(self.at).ok_or_else(|| self.wrong("four hexadecimal digits are missing"))?;
        self.at += 6;
        if (0xD800..0xDC00).contains(&high)
            && let Some(low @ 0xDC00..0xE000) = self.hex(self.at)
        {
            self.at += 6;
            return Ok(char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)).unwrap_or('\u{FFFD}'));
        }
        Ok(char::from_u32(high).unwrap_or('\u{FFFD}'))
    }

    fn hex(&self, at: usize) -> Option<u32> {
        let bytes = self.json.as_bytes().get(at..at + 6)?;
        if !bytes.starts_with(b"\\u") {
            return None;
        }
        bytes[2..].iter().try_fold(0, |sum, byte| Some(sum * 16 + char::from(*byte).to_digit(16)?))
    }

    /// Moves behind one value without checking it: brackets are counted, texts are stepped over.
    fn skip(&mut self) {
        let bytes = self.json.as_bytes();
        let mut depth = 0_usize;
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'"' => {
                    self.at += 1;
                    while self.at < bytes.len() && bytes[self.at] != b'"' {
                        self.at += 1 + usize::from(bytes[self.at] == b'\\');
                    }
                }
                b'[' | b'{' => depth += 1,
                b']' | b'}' | b',' if depth == 0 => return,
                b']' | b'}' => depth -= 1,
                _ => {}
            }
            self.at = (self.at + 1).min(bytes.len());
        }
    }
}
