//! How much of everything there may be. All are generous: real catalogs and conversations stay far below them.

/// Bytes of a catalog's JSON. An error beyond: `catalog_too_large`.
pub const MAX_CATALOG_BYTES: usize = 128 << 20;
/// Entries of a catalog. An error beyond: `too_many_skills`.
pub const MAX_SKILLS: usize = 1_000_000;
/// Bytes of an id and of a name; a longer one costs the entry: `name_too_long`.
pub const MAX_NAME_BYTES: usize = 1024;
/// Nesting of arrays and objects inside one entry; deeper costs the entry: `too_deep`.
pub const MAX_NESTING: usize = 32;
/// Bytes of any other text of an entry but its body; the rest is cut off: `text_too_long`.
pub const MAX_TEXT_BYTES: usize = 64 << 10;
/// Items of a list of an entry; the rest is left out: `list_too_long`.
pub const MAX_ITEMS: usize = 10_000;
/// Bytes of one skill that are read for the index, its body apart, of which 20,000 characters are.
pub const MAX_INDEXED_BYTES: usize = 256 << 10;
/// Terms of all skills together that are indexed, 16 bytes each while the index is built. Skills that come later in the order of
/// ids are found by their names alone: `index_full`.
pub const MAX_POSTINGS: usize = 50_000_000;
/// Remarks on a catalog; of the rest only the number is given: `more_diagnostics`.
pub const MAX_DIAGNOSTICS: usize = 10_000;
/// Bytes of the message of a remark.
pub(crate) const MAX_MESSAGE_BYTES: usize = 2_000;
/// Scopes of a catalog. An error beyond: `invalid_option`.
pub const MAX_SCOPES: usize = 255;
/// Rules on ids, and bytes of one's pattern. An error beyond: `invalid_option`.
pub const MAX_RULES: usize = 1_000;
/// Bytes of the pattern of such a rule.
pub const MAX_PATTERN_BYTES: usize = 1024;
/// Bytes of the newest message that are read, half of them from its start and half from its end.
pub const MAX_REQUEST_BYTES: usize = 1 << 20;
