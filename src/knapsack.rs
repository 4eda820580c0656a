//! The multiple-choice knapsack problem: of each class at most one option, the most value within a capacity.
//!
//! First the linear relaxation: each class is reduced to the upper hull of its options, and the steps along all hulls are
//! taken in the order of value for cost up to the first that doesn't fit. What is left over is then settled exactly on the
//! classes near that point, by dynamic programming over undominated states, pruned by the bound of the relaxation (after
//! D. Pisinger, "A minimal algorithm for the multiple-choice knapsack problem", 1995). A few dozen classes decide.

/// One way to take a class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Choice {
    pub(crate) cost: u32,
    pub(crate) value: f64,
}

/// The best packing found: for each class the place of its option, or nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Packed {
    pub(crate) options: Vec<Option<usize>>,
    pub(crate) cost: u64,
    pub(crate) value: f64,
    /// No packing has more value than this.
    pub(crate) bound: f64,
}

/// States that the exact part may make before it settles for a bound.
const MAX_STATES: usize = 30_000;
/// States that the exact part may look at; of a thousand classes alike hardly any state is new, and all are looked at.
const MAX_WORK: usize = 200_000;
/// Gains below this share of the value are not searched for.
const TOLERANCE: f64 = 1e-5;

/// A step along the hull of a class, from one option to a dearer one.
#[derive(Debug, Clone, Copy)]
struct Step {
    class: usize,
    option: usize,
    cost: u32,
    value: f64,
    ratio: f64,
}

/// Packs `classes` into `capacity`. Values must be finite and 0 or more.
pub(crate) fn pack(classes: &[Vec<Choice>], capacity: u64) -> Packed {
    let mut steps: Vec<Step> = Vec::new();
    for (class, choices) in classes.iter().enumerate() {
        hull(class, choices, &mut steps);
    }
    steps.sort_by(|a, b| b.ratio.total_cmp(&a.ratio).then(a.class.cmp(&b.class)).then(a.cost.cmp(&b.cost)));
    let (start, split) = relaxed(classes.len(), &steps, capacity);
    if split == steps.len() {
        return start;
    }
    let best = filled(start.clone(), &steps[split..], capacity);
    Search::new(classes, &steps, split, capacity).run(&start, best)
}

/// Appends the steps along the upper hull of the options, which begins at nothing for nothing.
fn hull(class: usize, choices: &[Choice], steps: &mut Vec<Step>) {
    let mut order: Vec<usize> = (0..choices.len()).collect();
    order.sort_by(|&a, &b| choices[a].cost.cmp(&choices[b].cost).then(choices[b].value.total_cmp(&choices[a].value)));
    let mut corners: Vec<(Choice, usize)> = vec![(Choice { cost: 0, value: 0.0 }, usize::MAX)];
    for option in order {
        let choice = choices[option];
        if choice.value <= corners[corners.len() - 1].0.value {
            continue;
        }
        while let [.., before, last] = corners.as_slice() {
            if ratio(before.0, last.0) > ratio(last.0, choice) {
                break;
            }
            corners.pop();
        }
        corners.push((choice, option));
    }
    steps.extend(corners.windows(2).map(|pair| {
        let (from, (to, option)) = (pair[0].0, pair[1]);
        Step { class, option, cost: to.cost - from.cost, value: to.value - from.value, ratio: ratio(from, to) }
    }));
}

/// Value for cost from one choice to a dearer one.
fn ratio(from: Choice, to: Choice) -> f64 {
    let value = to.value - from.value;
    if to.cost == from.cost { f64::INFINITY } else { value / f64::from(to.cost - from.cost) }
}

/// Takes steps up to the first that doesn't fit, and says which that is.
fn relaxed(classes: usize, steps: &[Step], capacity: u64) -> (Packed, usize) {
    let mut start = Packed { options: vec![None; classes], ..Packed::default() };
    for (at, step) in steps.iter().enumerate() {
        if start.cost + u64::from(step.cost) > capacity {
            start.bound = start.value + step.ratio * (capacity - start.cost) as f64;
            return (start, at);
        }
        start.take(step);
    }
    start.bound = start.value;
    (start, steps.len())
}

impl Packed {
    fn take(&mut self, step: &Step) {
        self.options[step.class] = Some(step.option);
        self.cost += u64::from(step.cost);
        self.value += step.value;
    }
}

/// Takes of the remaining steps what still fits; a class whose step didn't fit goes no further.
fn filled(mut packed: Packed, steps: &[Step], capacity: u64) -> Packed {
    let mut blocked = vec![false; packed.options.len()];
    for step in steps {
        if blocked[step.class] || packed.cost + u64::from(step.cost) > capacity {
            blocked[step.class] = true;
        } else {
            packed.take(step);
        }
    }
    packed
}

/// A packing on the way: what it costs, what it is worth, and how it came about.
#[derive(Debug, Clone, Copy)]
struct State {
    cost: u64,
    value: f64,
    node: usize,
}

/// The exact part.
struct Search<'a> {
    classes: &'a [Vec<Choice>],
    capacity: u64,
    /// Classes, those nearest to the split first.
    order: Vec<usize>,
    /// From each place of `order` on: the best ratio upwards and the least ratio downwards.
    ahead: Vec<(f64, f64)>,
    /// Changes that lead to the states: the change before, the class, its option.
    nodes: Vec<(usize, usize, Option<usize>)>,
}

const ROOT: usize = usize::MAX;

impl<'a> Search<'a> {
    fn new(classes: &'a [Vec<Choice>], steps: &[Step], split: usize, capacity: u64) -> Self {
        let mut slopes = vec![(0.0_f64, f64::INFINITY); classes.len()];
        for (at, step) in steps.iter().enumerate() {
            let (up, down) = &mut slopes[step.class];
            if at < split {
                *down = down.min(step.ratio);
            } else {
                *up = up.max(step.ratio);
            }
        }
        let middle = steps[split].ratio;
        let nearness = |class: usize| {
            let (up, down) = slopes[class];
            if middle.is_finite() { (up / middle).max(middle / down) } else { up }
        };
        let open = (0..classes.len()).filter(|&class| !classes[class].is_empty());
        // What is 0 or more has bits in the order of its size.
        let mut keys: Vec<(u64, usize)> = open.map(|class| (!nearness(class).to_bits(), class)).collect();
        keys.sort_unstable();
        let order: Vec<usize> = keys.into_iter().map(|(_, class)| class).collect();
        let mut ahead = vec![(0.0, f64::INFINITY); order.len() + 1];
        for (place, &class) in order.iter().enumerate().rev() {
            let (up, down) = slopes[class];
            ahead[place] = (up.max(ahead[place + 1].0), down.min(ahead[place + 1].1));
        }
        Self { classes, capacity, order, ahead, nodes: Vec::new() }
    }

    /// The most that a state can still come to when only the classes from `place` on may change.
    fn bound(&self, state: &State, place: usize) -> f64 {
        let (up, down) = self.ahead[place];
        if state.cost <= self.capacity {
            state.value + if up > 0.0 { up * (self.capacity - state.cost) as f64 } else { 0.0 }
        } else {
            state.value - down * (state.cost - self.capacity) as f64
        }
    }

    fn run(mut self, start: &Packed, mut best: Packed) -> Packed {
        let mut states = vec![State { cost: start.cost, value: start.value, node: ROOT }];
        let mut best_node = None;
        let mut unsettled = 0.0_f64;
        let mut work = 0;
        for place in 0..self.order.len() {
            let least = best.value * (1.0 + TOLERANCE);
            states.retain(|state| self.bound(state, place) > least);
            if states.is_empty() {
                break;
            }
            let class = self.order[place];
            work += states.len() * (self.classes[class].len() + 1);
            if self.nodes.len() > MAX_STATES || work > MAX_WORK {
                unsettled = states.iter().map(|state| self.bound(state, place)).fold(0.0, f64::max);
                break;
            }
            states = self.expand(&states, class, start);
            for state in states.iter().filter(|state| state.cost <= self.capacity) {
                if state.value > best.value {
                    (best.cost, best.value) = (state.cost, state.value);
                    best_node = Some(state.node);
                }
            }
        }
        if let Some(node) = best_node {
            best.options.clone_from(&start.options);
            self.replay(node, &mut best.options);
        }
        best.bound = start.bound.min((best.value * (1.0 + TOLERANCE)).max(unsettled));
        best
    }

    /// Each state with each option of the class; of two, one that costs no less and is worth no more is dropped.
    fn expand(&mut self, states: &[State], class: usize, start: &Packed) -> Vec<State> {
        let choices = &self.classes[class];
        let current = start.options[class].map_or(Choice { cost: 0, value: 0.0 }, |option| choices[option]);
        let mut made: Vec<(State, Option<Option<usize>>)> = states.iter().map(|state| (*state, None)).collect();
        let options = (0..choices.len()).map(Some).chain([None]);
        for option in options.filter(|&option| option != start.options[class]) {
            let choice = option.map_or(Choice { cost: 0, value: 0.0 }, |option| choices[option]);
            made.extend(states.iter().map(|state| {
                let cost = state.cost - u64::from(current.cost) + u64::from(choice.cost);
                let value = state.value - current.value + choice.value;
                (State { cost, value, node: state.node }, Some(option))
            }));
        }
        made.sort_by(|(a, _), (b, _)| a.cost.cmp(&b.cost).then(b.value.total_cmp(&a.value)));
        let mut kept: Vec<State> = Vec::new();
        for (mut state, change) in made {
            if kept.last().is_some_and(|last| last.value >= state.value) {
                continue;
            }
            if let Some(option) = change {
                self.nodes.push((state.node, class, option));
                state.node = self.nodes.len() - 1;
            }
            kept.push(state);
        }
        kept
    }

    fn replay(&self, mut node: usize, options: &mut [Option<usize>]) {
        while node != ROOT {
            let (before, class, option) = self.nodes[node];
            options[class] = option;
            node = before;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The optimum by dynamic programming over every capacity.
    fn optimum(classes: &[Vec<Choice>], capacity: u32) -> f64 {
        let mut best = vec![0.0_f64; capacity as usize + 1];
        for class in classes {
            for room in (0..=capacity as usize).rev() {
                let fits = class.iter().filter(|choice| choice.cost as usize <= room);
                best[room] = fits.fold(best[room], |top, c| top.max(best[room - c.cost as usize] + c.value));
            }
        }
        best[capacity as usize]
    }

    fn check(classes: &[Vec<Choice>], capacity: u32) -> Packed {
        let packed = pack(classes, u64::from(capacity));
        let taken = || classes.iter().zip(&packed.options).filter_map(|(class, option)| Some(class[(*option)?]));
        let cost: u64 = taken().map(|choice| u64::from(choice.cost)).sum();
        let value: f64 = taken().map(|choice| choice.value).sum();
        assert_eq!(cost, packed.cost);
        assert!(cost <= u64::from(capacity));
        assert!((value - packed.value).abs() < 1e-9);
        packed
    }

    fn classes() -> impl Strategy<Value = Vec<Vec<Choice>>> {
        let choice = (0_u32..120, 0_u32..1000).prop_map(|(cost, value)| Choice { cost, value: f64::from(value) / 1e3 });
        proptest::collection::vec(proptest::collection::vec(choice, 0..5), 0..24)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn finds_the_optimum_of_random_instances(classes in classes(), capacity in 0_u32..1200) {
            let packed = check(&classes, capacity);
            let optimum = optimum(&classes, capacity);
            prop_assert!(packed.value >= optimum * (1.0 - 2.0 * TOLERANCE) - 1e-9, "{} of {optimum}", packed.value);
            prop_assert!(packed.bound >= optimum - 1e-9, "bound {} under {optimum}", packed.bound);
        }

        #[test]
        fn more_room_is_never_worth_less(classes in classes(), capacity in 0_u32..1200, more in 0_u32..200) {
            let (less, more) = (check(&classes, capacity), check(&classes, capacity + more));
            prop_assert!(more.bound >= less.value - 1e-9);
            prop_assert!(more.value >= less.value * (1.0 - 2.0 * TOLERANCE) - 1e-9);
        }
    }

    #[test]
    fn a_giant_that_wins_by_ratio_does_not_shut_out_a_better_pair() {
        let giant = vec![Choice { cost: 90, value: 0.95 }];
        let small = vec![Choice { cost: 50, value: 0.5 }];
        let packed = check(&[giant, small.clone(), small], 100);
        assert_eq!(packed.options, [None, Some(0), Some(0)]);
    }

    #[test]
    fn takes_an_option_off_the_hull_where_it_fills_the_room() {
        let class =
            vec![Choice { cost: 10, value: 0.1 }, Choice { cost: 40, value: 0.2 }, Choice { cost: 60, value: 1.0 }];
        assert_eq!(check(&[class], 50).options, [Some(1)]);
    }

    #[test]
    fn free_and_worthless_options_are_harmless() {
        let free = vec![Choice { cost: 0, value: 0.3 }, Choice { cost: 0, value: 0.1 }];
        let worthless = vec![Choice { cost: 5, value: 0.0 }];
        assert_eq!(check(&[free, worthless, vec![]], 0).options, [Some(0), None, None]);
    }
}
