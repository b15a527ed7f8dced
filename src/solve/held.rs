//! A set of positions that proves that the attacker cannot win: each member on which the defender
//! moves has a move to another, from each on which the attacker moves all moves lead to others, and
//! positions known without the set may stand for members.

use rustc_hash::FxHashMap;

use crate::games::draughts::{Board, Position};

const NONE: u32 = u32::MAX;

struct Member<B: Board> {
    position: Position<B>,
    /// Whether it still belongs to the set.
    kept: bool,
    /// The last of the members that need this one.
    needed_by: u32,
}

/// A member that needs another, and the next that needs the same.
#[derive(Clone, Copy)]
struct Need {
    member: u32,
    next: u32,
}

/// The set while it is gathered: members that are not yet justified are pending.
pub(super) struct Held<B: Board> {
    members: Vec<Member<B>>,
    places: FxHashMap<Position<B>, u32>,
    needs: Vec<Need>,
    pending: Vec<u32>,
}

impl<B: Board> Held<B> {
    /// The set of `root` alone.
    pub(super) fn of(root: &Position<B>) -> Self {
        let (members, places) = (Vec::new(), FxHashMap::default());
        let mut held = Self { members, places, needs: Vec::new(), pending: Vec::new() };
        held.place(root);
        held
    }

    /// Where `position` is in the set, which takes it in if need be.
    fn place(&mut self, position: &Position<B>) -> u32 {
        let Self { members, places, pending, .. } = self;
        *places.entry(*position).or_insert_with(|| {
            let place = members.len() as u32;
            members.push(Member { position: *position, kept: true, needed_by: NONE });
            pending.push(place);
            place
        })
    }

    /// A member that is to be justified; `None` when all are.
    pub(super) fn next(&mut self) -> Option<(u32, Position<B>)> {
        while let Some(place) = self.pending.pop() {
            let member = &self.members[place as usize];
            if member.kept {
                return Some((place, member.position));
            }
        }
        None
    }

    pub(super) fn contains(&self, position: &Position<B>) -> bool {
        self.places.contains_key(position)
    }

    /// Notes that `member` needs `position`, which becomes a member.
    pub(super) fn need(&mut self, member: u32, position: &Position<B>) {
        let needed = self.place(position) as usize;
        let next = std::mem::replace(&mut self.members[needed].needed_by, self.needs.len() as u32);
        self.needs.push(Need { member, next });
    }

    /// Puts `member` back among those to be justified.
    pub(super) fn again(&mut self, member: u32) {
        self.pending.push(member);
    }

    /// Takes out `member`, which the attacker wins, and with it the members from which the attacker
    /// moves there. Members from which the defender moves there are to be justified again. `each` gets
    /// the positions taken out, and says of others whether the attacker moves.
    pub(super) fn lose(
        &mut self,
        member: u32,
        mut attacks: impl FnMut(&Position<B>) -> bool,
    ) -> Vec<Position<B>> {
        let mut lost = Vec::new();
        let mut losing = vec![member];
        while let Some(place) = losing.pop() {
            let member = &mut self.members[place as usize];
            if !std::mem::replace(&mut member.kept, false) {
                continue;
            }
            let mut at = member.needed_by;
            lost.push(member.position);
            self.places.remove(&member.position);
            while at != NONE {
                let Need { member, next } = self.needs[at as usize];
                let above = &self.members[member as usize];
                if above.kept {
                    let list =
                        if attacks(&above.position) { &mut losing } else { &mut self.pending };
                    list.push(member);
                }
                at = next;
            }
        }
        lost
    }

    /// The members.
    pub(super) fn positions(&self) -> impl Iterator<Item = &Position<B>> {
        self.places.keys()
    }

    /// The memory it takes.
    pub(super) fn bytes(&self) -> u64 {
        let place = size_of::<(Position<B>, u32)>() + 1;
        (self.members.capacity() * size_of::<Member<B>>()
            + self.places.capacity() * 8 / 7 * place
            + self.needs.capacity() * size_of::<Need>()) as u64
    }
}
