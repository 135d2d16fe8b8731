use super::*;
use crate::{keeping::places::shuffled, profiles::tree::Entered};
use alloc::collections::BTreeMap;
use ghc_eventlog::CostCentreId;

fn add(tree: &mut StackTree, stack: &[u32], more: u64) -> u32 {
    if !tree.has_room(stack.len()) {
        tree.prune();
    }
    let mut entered = Entered::begin();
    for id in stack {
        assert!(tree.enter(&mut entered, Frame::CostCentre(CostCentreId(*id))));
    }
    tree.end(&mut entered, Frame::Main, more);
    entered.node
}

/// Numbers by chance, each below a given one.
fn random() -> impl FnMut(u64) -> u64 {
    let mut drawn = 0;
    move |below| {
        drawn += 1;
        shuffled(drawn) % below
    }
}

/// Each stack with something of its own; the last frame of those that were not kept is 0.
fn drawn(tree: &StackTree) -> Vec<(Vec<u32>, u64)> {
    let id = |frame: Frame| if let Frame::CostCentre(id) = frame { id.0 } else { 0 };
    let own = (0..).zip(&tree.nodes).filter(|(_, node)| node.own > 0);
    own.map(|(at, node)| (tree.stack(at).into_iter().map(id).collect(), node.own)).collect()
}

/// What is heavy is kept whole, whenever it came; all others count for their outer part.
#[test]
fn the_heaviest_stacks_are_kept() {
    let mut tree = StackTree::default();
    add(&mut tree, &[1, 2, 3], 900);
    add(&mut tree, &[1, 2], 3);
    let many = limits::MAX_STACKS as u32;
    for id in 10..10 + many {
        add(&mut tree, &[1, 2, id], 1);
    }
    let late = add(&mut tree, &[7, 8, 9], 700);
    let kept = tree.nodes.len();
    assert!(kept > limits::MAX_STACKS / 2 && kept <= limits::MAX_STACKS, "{kept}");
    let lost = tree.deeper();
    assert!(lost > 0 && tree.lacks_up_to == 1, "{lost}");
    let places = tree.prune();
    assert_eq!(tree.stack(places[late as usize]).len(), 3);
    let all = drawn(&tree);
    assert_eq!(all[..2], [(alloc::vec![1, 2], 3), (alloc::vec![1, 2, 3], 900)]);
    assert!(all.contains(&(alloc::vec![7, 8, 9], 700)) && all.contains(&(alloc::vec![1, 2, 0], tree.deeper())));
    assert_eq!(all.iter().map(|(_, own)| own).sum::<u64>(), 900 + 3 + 700 + u64::from(many));
}

/// Stacks of any depth and weight, in an order by chance: none lacks more than is said, none has too much, and the sum is right. So does each
/// have what is around it.
#[test]
fn no_stack_lacks_more_than_is_said() {
    let mut random = random();
    let (mut tree, mut real) = (StackTree::default(), BTreeMap::<Vec<u32>, u64>::new());
    let heavy: Vec<Vec<u32>> = (0..50).map(|at| alloc::vec![1 + at % 3, 5000 + at, 6000 + at]).collect();
    for at in 0..300_000 {
        let depth = 1 + random(5) as u32;
        let light: Vec<u32> = (1..=depth).map(|at| 1 + random(10u64.pow(at)) as u32).collect();
        let stack = if at % 7 == 0 { heavy[random(50) as usize].clone() } else { light };
        add(&mut tree, &stack, 1);
        (1..=stack.len()).for_each(|end| *real.entry(stack[..end].to_vec()).or_default() += 1);
    }
    assert!(tree.nodes.len() <= limits::MAX_STACKS && tree.lacks_up_to > 0);
    assert!(tree.nodes.iter().enumerate().all(|(at, node)| node.parent == ROOT || (node.parent as usize) < at));
    let totals = tree.totals();
    let id = |frame: Frame| if let Frame::CostCentre(id) = frame { id.0 } else { 0 };
    let mut found = BTreeMap::<Vec<u32>, u64>::new();
    for (at, total) in (0..).zip(&totals) {
        assert_eq!(found.insert(tree.stack(at).into_iter().map(id).collect(), *total), None);
    }
    for (stack, real) in &real {
        let found = found.get(stack).copied().unwrap_or_default();
        assert!(found <= *real && real - found <= tree.lacks_up_to, "{stack:?}: {found} of {real}");
    }
    let least = heavy.iter().map(|stack| real[stack]).min().unwrap_or_default();
    assert!(least > 10 * tree.lacks_up_to, "{least} and {}", tree.lacks_up_to);
    assert_eq!(tree.own().iter().sum::<u64>(), 300_000);
}

/// A tree of which each stack has an inner one loses half of them, and gains room by that.
#[test]
fn what_was_further_in_needs_room_itself() {
    let mut tree = StackTree::default();
    for round in 0..3 {
        for id in 0..limits::MAX_STACKS as u32 {
            add(&mut tree, &[id, id + 1], 1 + round);
        }
    }
    assert!(tree.nodes.len() <= limits::MAX_STACKS, "{}", tree.nodes.len());
    assert_eq!(tree.own().iter().sum::<u64>(), 6 * limits::MAX_STACKS as u64);
}

/// A stack deeper than what is left free does not prune the tree each time: it is cut.
#[test]
fn a_very_deep_stack_does_not_prune_what_has_just_been_pruned() {
    let mut tree = StackTree::default();
    let deep = limits::MAX_STACKS / 3 * 2;
    let stack: Vec<u32> = (1..).take(deep).collect();
    for id in 0..limits::MAX_STACKS as u32 - 10 {
        add(&mut tree, &[id], 1);
    }
    assert!(!tree.has_room(deep));
    tree.prune();
    assert!(tree.has_room(deep), "it has not grown since");
    let mut entered = Entered::begin();
    let all_fit = stack.iter().all(|id| tree.enter(&mut entered, Frame::CostCentre(CostCentreId(*id))));
    assert!(!all_fit && entered.is_cut);
}

/// However few stacks are kept, of each frame it is known in how many it was, and in how many it was innermost: in the ones that are left, and
/// beyond. An interpreter has few functions, and a stack of its own for each sample.
#[test]
fn frames_count_all_stacks() {
    let mut random = random();
    let (mut tree, mut real) = (StackTree::default(), BTreeMap::<u32, (u64, u64)>::new());
    for at in 0..20_000 {
        let depth = 1 + random(60);
        let mut stack: Vec<u32> = (0..depth).map(|_| 1 + random(11) as u32).collect();
        // Most are in the same leaf function; main is around all of them, and innermost in some.
        stack.extend((at % 5 > 1).then_some(77));
        stack.insert(0, 88);
        stack.extend((at % 11 == 0).then_some(88));
        add(&mut tree, &stack, 1 + at % 3);
        real.entry(*stack.last().unwrap()).or_default().0 += 1 + at % 3;
        stack.sort_unstable();
        stack.dedup();
        stack.iter().for_each(|frame| real.entry(*frame).or_default().1 += 1 + at % 3);
    }
    assert!(tree.lacks_up_to > 0 && !tree.lacks_frames && tree.deeper() > 10_000);
    let mut found = tree.beyond().to_vec();
    found.resize(tree.met().len(), (0, 0));
    for (at, node) in (0..).zip(&tree.nodes).filter(|(_, node)| node.own > 0) {
        found[node.frame as usize].0 += node.own;
        let mut frames: Vec<u32> = tree.path(at).collect();
        frames.sort_unstable();
        frames.dedup();
        frames.iter().for_each(|frame| found[*frame as usize].1 += node.own);
    }
    let of = |id: u32| found[tree.find(Frame::CostCentre(CostCentreId(id))).unwrap() as usize];
    assert!(real.iter().all(|(id, real)| of(*id) == *real), "{found:?}, {real:?}");
    assert!(of(77).0 > 10_000);
    // Frames that turn out to be one, as those of a function, have all of their own, and no more in all than there is.
    let one = Frame::CostCentre(CostCentreId(1));
    let is_of_it = |frame: Frame| matches!(frame, Frame::CostCentre(id) if id.0 < 6);
    let before: u64 = (1..6).filter_map(|id| real.get(&id)).map(|(own, _)| own).sum();
    tree.replace(&|frame| if is_of_it(frame) { one } else { frame }).unwrap();
    let place = tree.find(one).unwrap();
    let own: u64 = tree.nodes.iter().filter(|node| node.frame == place).map(|node| node.own).sum();
    let (beyond, all) = tree.beyond()[place as usize];
    assert_eq!(own + beyond, before);
    assert!(all <= tree.deeper(), "{all}");
}
