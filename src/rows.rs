//! Rows of `N` words, as a snapshot has them: little-endian, used where they were received, without a copy.

/// Rows of `N` words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Rows<const N: usize>(Vec<u8>);

impl<const N: usize> Rows<N> {
    /// Rows that were received; bytes behind the last whole row count for none.
    pub(crate) fn received(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len() / (4 * N)
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<[u32; N]> {
        let start = at.checked_mul(4 * N)?;
        Some(words(self.0.get(start..start.checked_add(4 * N)?)?))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = [u32; N]> {
        self.0.chunks_exact(4 * N).map(words)
    }

    /// Number of rows before the first for which `is_before` is false; it is true for all rows up to there.
    pub(crate) fn partition_point(&self, is_before: impl Fn([u32; N]) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle).is_some_and(&is_before) { low = middle + 1 } else { high = middle }
        }
        low
    }
}

#[inline]
fn words<const N: usize>(row: &[u8]) -> [u32; N] {
    std::array::from_fn(|at| row[4 * at..].first_chunk::<4>().map_or(0, |word| u32::from_le_bytes(*word)))
}

impl<const N: usize> FromIterator<[u32; N]> for Rows<N> {
    fn from_iter<I: IntoIterator<Item = [u32; N]>>(rows: I) -> Self {
        let mut bytes: Vec<u8> = rows.into_iter().flatten().flat_map(u32::to_le_bytes).collect();
        bytes.shrink_to_fit();
        Self(bytes)
    }
}
