//! Prices of skills, remembered from call to call: they depend on the skill and on how a block is written, never on the
//! conversation.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Prices of one skill, in parts of a token.
#[derive(Debug, Clone, Default)]
pub(crate) struct Price {
    pub(crate) name: u32,
    pub(crate) described: Option<Described>,
}

/// Prices of the levels that have more than a name.
#[derive(Debug, Clone)]
pub(crate) struct Described {
    /// Text and price.
    pub(crate) summary: Option<(Arc<str>, u32)>,
    /// Where the description may be shown whole.
    pub(crate) description: Option<u32>,
    /// With the catalog's own body.
    pub(crate) body: Option<u32>,
}

/// Skills whose prices are kept; beyond, all are forgotten and asked for anew.
const MOST_KEPT: usize = 20_000;

/// What has been priced for one way of writing.
#[derive(Debug, Default)]
pub(crate) struct Known {
    key: u64,
    kept: usize,
    prices: Vec<Option<Box<Price>>>,
}

/// What is worked out of a catalog when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    pub(crate) prices: Prices,
    /// For each skill its place in the order before anything is asked.
    pub(crate) ties: OnceLock<Box<[u32]>>,
    /// Places of the skills that a model sees of which nobody but their authors says anything.
    pub(crate) open: OnceLock<Box<[u32]>>,
}

/// Prices of a catalog's skills.
#[derive(Debug, Default)]
pub(crate) struct Prices(Mutex<Known>);

impl Prices {
    /// What is known for the way of writing that `key` stands for, of so many skills.
    pub(crate) fn of(&self, key: u64, skills: usize) -> MutexGuard<'_, Known> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.key != key || known.prices.len() != skills {
            *known = Known { key, kept: 0, prices: Vec::new() };
            known.prices.resize_with(skills, || None);
        }
        known
    }
}

impl Known {
    /// The price of the skill at a place, which `name` gives where it isn't known.
    pub(crate) fn at(&mut self, place: usize, name: impl FnOnce() -> u32) -> &mut Price {
        if self.kept >= MOST_KEPT {
            self.prices.fill_with(|| None);
            self.kept = 0;
        }
        self.prices[place].get_or_insert_with(|| {
            self.kept += 1;
            Box::new(Price { name: name(), described: None })
        })
    }
}
