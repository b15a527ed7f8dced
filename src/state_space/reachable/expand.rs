//! Successors of many positions at a time.
//!
//! A position has about three successors, and what they cost is mostly waiting: for branches that
//! cannot be predicted and for memory that is not at hand. So positions are collected, and a full
//! batch goes through phases, each a plain loop over a list: positions to moves, moves to numbers,
//! numbers to marks, where the memory of a mark is asked for as soon as its number is known. Under
//! the rules of checkers moves are found without a branch on whether there is one: every piece looks
//! in every direction, and what is no move is overwritten by the next.
//!
//! The successors come in no order and some come twice; who takes them takes sets.

use crate::games::draughts::board::{Direction, bits};
use crate::games::draughts::rules::{CaptureChoice, King, PassingPromotion};
use crate::games::draughts::{Board, Draughts, Move, Rules, Side, Word};
use crate::state_space::ranking::{Cursor, Placement, Ranking};

/// Positions that go through the phases together.
const BATCH: usize = 128;

/// Takes the successors of a batch.
pub(super) trait Sink<B: Board> {
    /// Asks for the memory in which a successor in the same slice is marked.
    fn announce(&self, number: u64);
    /// Takes a successor in the same slice.
    fn inside(&mut self, number: u64);
    /// Finds where a successor in another slice goes and asks for its memory.
    fn address(&mut self, leaving: &Leaving<B>) -> Address;
    /// Takes a successor in another slice.
    fn leaving(&mut self, to: Address);
}

/// A position in another slice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    /// Which slice; the sink knows.
    pub(super) place: u32,
    /// The number of the position there.
    pub(super) number: u32,
}

impl Address {
    /// What a sink gives when it has failed.
    pub(super) const NOWHERE: Self = Self { place: u32::MAX, number: 0 };
}

/// A position that a capture or a promotion has led to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaving<B: Board> {
    pub(super) placement: Placement<B>,
    /// Whether a man of the side that moved was promoted.
    pub(super) promotion: bool,
    /// Men that were captured.
    pub(super) men: u8,
    /// Kings that were captured.
    pub(super) kings: u8,
}

/// A quiet move, with the place of its position in the batch.
#[derive(Clone, Copy, Debug)]
struct Quiet<W> {
    parent: u32,
    from: W,
    to: W,
}

impl<W: Word> Quiet<W> {
    const BLANK: Self = Self { parent: 0, from: W::ZERO, to: W::ZERO };
}

/// A jump over one piece that may go on.
#[derive(Clone, Copy, Debug)]
struct Jump<W> {
    parent: u32,
    from: W,
    to: W,
    victim: W,
    is_man: bool,
}

impl<W: Word> Jump<W> {
    const BLANK: Self =
        Self { parent: 0, from: W::ZERO, to: W::ZERO, victim: W::ZERO, is_man: false };
}

impl<B: Board> Leaving<B> {
    fn blank(placement: &Placement<B>) -> Self {
        Self { placement: *placement, promotion: false, men: 0, kings: 0 }
    }
}

/// A list that keeps its room.
#[derive(Debug)]
struct List<T> {
    items: Vec<T>,
    len: usize,
}

impl<T: Copy> List<T> {
    const EMPTY: Self = Self { items: Vec::new(), len: 0 };

    /// The whole room, with at least `more` places after the items.
    fn room(&mut self, more: usize, blank: T) -> &mut [T] {
        if self.items.len() < self.len + more {
            self.items.resize(self.len + more, blank);
        }
        &mut self.items
    }

    fn push(&mut self, item: T) {
        let len = self.len;
        self.room(1, item)[len] = item;
        self.len += 1;
    }

    fn items(&self) -> &[T] {
        &self.items[..self.len]
    }
}

/// Writes `item` after the first `len` and keeps it when `wanted`, without a branch on that.
#[inline(always)]
fn put_if<T>(room: &mut [T], len: &mut usize, item: T, wanted: bool) {
    room[*len] = item;
    *len += usize::from(wanted);
}

/// Collects positions of a slice with one side to move and gives their successors.
pub(super) struct Expander<'a, R: Rules, B: Board> {
    game: &'a Draughts<R, B>,
    ranking: &'a Ranking<B>,
    cursor: Cursor<'a, B>,
    side: Side,
    parents: Vec<Placement<B>>,
    /// Places in the batch of positions without a capture.
    quiet: List<u32>,
    /// Places in the batch of positions with one.
    capturing: List<u32>,
    king_moves: List<Quiet<B::Word>>,
    man_moves: List<Quiet<B::Word>>,
    jumps: List<Jump<B::Word>>,
    /// Places in the batch of positions with longer captures.
    long: List<u32>,
    leaving: List<Leaving<B>>,
    numbers: List<u64>,
    addresses: List<Address>,
    scratch: Vec<Move<B>>,
}

impl<'a, R: Rules, B: Board> Expander<'a, R, B> {
    /// Short kings, men that only capture forward, free choice, no capture beyond the far row: what
    /// the loops without branches rely on.
    const SHORT: bool = matches!(R::KING, King::Short)
        && matches!(R::CAPTURE_CHOICE, CaptureChoice::Free)
        && matches!(R::PASSING_PROMOTION, PassingPromotion::Ends)
        && !R::MEN_CAPTURE_BACKWARDS;

    pub(super) fn new(game: &'a Draughts<R, B>, ranking: &'a Ranking<B>, side: Side) -> Self {
        Self {
            game,
            ranking,
            cursor: ranking.cursor(),
            side,
            parents: Vec::with_capacity(BATCH),
            quiet: List::EMPTY,
            capturing: List::EMPTY,
            king_moves: List::EMPTY,
            man_moves: List::EMPTY,
            jumps: List::EMPTY,
            long: List::EMPTY,
            leaving: List::EMPTY,
            numbers: List::EMPTY,
            addresses: List::EMPTY,
            scratch: Vec::new(),
        }
    }

    /// Takes the position with number `index`; a full batch is expanded into `sink`.
    #[inline(always)]
    pub(super) fn push(&mut self, index: u64, sink: &mut impl Sink<B>) {
        self.parents.push(self.cursor.placement(index));
        if self.parents.len() == BATCH {
            self.flush(sink);
        }
    }

    /// Expands what is left.
    pub(super) fn flush(&mut self, sink: &mut impl Sink<B>) {
        match self.side {
            Side::White => self.expand::<true>(sink),
            Side::Black => self.expand::<false>(sink),
        }
    }

    fn expand<const WHITE: bool>(&mut self, sink: &mut impl Sink<B>) {
        if self.parents.is_empty() {
            return;
        }
        self.king_moves.len = 0;
        self.man_moves.len = 0;
        self.leaving.len = 0;
        if Self::SHORT {
            self.split::<WHITE>();
            self.short_quiet::<WHITE>();
            self.short_jumps::<WHITE>();
        } else {
            for parent in 0..self.parents.len() as u32 {
                self.any_moves::<WHITE>(parent);
            }
        }
        self.stay::<WHITE>(sink);
        self.leave(sink);
        self.parents.clear();
    }

    /// Tells positions with a capture from others.
    #[inline(never)]
    fn split<const WHITE: bool>(&mut self) {
        self.quiet.len = 0;
        self.capturing.len = 0;
        let (mut quiets, mut captures) = (0, 0);
        let quiet = self.quiet.room(BATCH, 0);
        let capturing = self.capturing.room(BATCH, 0);
        for (place, placement) in self.parents.iter().enumerate() {
            let view = View::<B, WHITE>::new(placement);
            let any = view.jumps(view.men | view.kings, view.kings);
            put_if(quiet, &mut quiets, place as u32, any.is_empty());
            put_if(capturing, &mut captures, place as u32, !any.is_empty());
        }
        self.quiet.len = quiets;
        self.capturing.len = captures;
    }

    #[inline(never)]
    fn short_quiet<const WHITE: bool>(&mut self) {
        let (mut men, mut kings) = (0, 0);
        let most = self.quiet.len * View::<B, WHITE>::most_looks(&self.parents) + 1;
        let man_moves = self.man_moves.room(most, Quiet::BLANK);
        let king_moves = self.king_moves.room(most, Quiet::BLANK);
        for &parent in self.quiet.items() {
            let placement = &self.parents[parent as usize];
            let view = View::<B, WHITE>::new(placement);
            for from in squares(view.men) {
                for direction in View::<B, WHITE>::AHEAD {
                    let to = B::step(from, direction) & view.empty & !View::<B, WHITE>::FAR_ROW;
                    put_if(man_moves, &mut men, Quiet { parent, from, to }, !to.is_empty());
                }
            }
            for from in squares(view.kings) {
                for direction in Direction::ALL {
                    let to = B::step(from, direction) & view.empty;
                    put_if(king_moves, &mut kings, Quiet { parent, from, to }, !to.is_empty());
                }
            }
            for direction in View::<B, WHITE>::AHEAD {
                let promoting =
                    B::step(view.men, direction) & view.empty & View::<B, WHITE>::FAR_ROW;
                for to in squares(promoting) {
                    let from = B::step(to, direction.opposite());
                    self.leaving.push(view.moved(placement, from, to, B::Word::ZERO, true));
                }
            }
        }
        self.man_moves.len = men;
        self.king_moves.len = kings;
    }

    #[inline(never)]
    fn short_jumps<const WHITE: bool>(&mut self) {
        self.jumps.len = 0;
        let mut len = 0;
        let most = self.capturing.len * View::<B, WHITE>::most_looks(&self.parents) + 1;
        let jumps = self.jumps.room(most, Jump::BLANK);
        for &parent in self.capturing.items() {
            let view = View::<B, WHITE>::new(&self.parents[parent as usize]);
            let mut look = |from: B::Word, direction: Direction, is_man: bool| {
                let victim = B::step(from, direction) & view.victims;
                let to = B::step(victim, direction) & view.empty;
                put_if(jumps, &mut len, Jump { parent, from, to, victim, is_man }, !to.is_empty());
            };
            for from in squares(view.men) {
                View::<B, WHITE>::AHEAD.into_iter().for_each(|ahead| look(from, ahead, true));
            }
            for from in squares(view.kings) {
                Direction::ALL.into_iter().for_each(|direction| look(from, direction, false));
            }
        }
        self.jumps.len = len;
        self.long.len = 0;
        let (mut left, mut long) = (self.leaving.len, 0);
        let blank = Leaving::blank(&self.parents[0]);
        let leaving = self.leaving.room(len + 1, blank);
        let longer = self.long.room(len + 1, 0);
        for &Jump { parent, from, to, victim, is_man } in self.jumps.items() {
            let placement = &self.parents[parent as usize];
            let mut view = View::<B, WHITE>::new(placement);
            view.victims &= !victim;
            // A man on the far row has nothing ahead.
            let onward = view.jumps(to, if is_man { B::Word::ZERO } else { to });
            let moved = view.moved(placement, from, to, victim, is_man);
            put_if(leaving, &mut left, moved, onward.is_empty());
            put_if(longer, &mut long, parent, !onward.is_empty());
        }
        self.leaving.len = left;
        self.long.len = long;
        for place in 0..long {
            let parent = self.long.items[place];
            if place == 0 || parent != self.long.items[place - 1] {
                self.any_moves::<WHITE>(parent);
            }
        }
    }

    /// The moves of one position, from the generator of the rules.
    fn any_moves<const WHITE: bool>(&mut self, parent: u32) {
        let placement = &self.parents[parent as usize];
        let view = View::<B, WHITE>::new(placement);
        let position = placement.position(self.side);
        self.game.visit_moves(&position, &mut self.scratch, |mv| {
            let from = B::Word::bit(u32::from(mv.from));
            let to = B::Word::bit(u32::from(mv.to));
            let is_man = !(view.men & from).is_empty();
            let promotes = is_man && !(to & View::<B, WHITE>::FAR_ROW).is_empty();
            if !mv.captured.is_empty() || promotes {
                self.leaving.push(view.moved(placement, from, to, mv.captured, is_man));
            } else if is_man {
                self.man_moves.push(Quiet { parent, from, to });
            } else {
                self.king_moves.push(Quiet { parent, from, to });
            }
        });
    }

    /// Hands the successors in the slice to `sink`.
    #[inline(never)]
    fn stay<const WHITE: bool>(&mut self, sink: &mut impl Sink<B>) {
        let mine = usize::from(WHITE);
        let men = self.man_moves.len;
        let numbers = self.numbers.room(men + self.king_moves.len, 0);
        let (of_men, of_kings) = numbers.split_at_mut(men);
        for (number, &Quiet { parent, from, to }) in of_men.iter_mut().zip(self.man_moves.items()) {
            let placement = &self.parents[parent as usize];
            let mut men = placement.men;
            men[mine] = men[mine] & !from | to;
            *number = self.ranking.rank_pieces(men, placement.kings);
            sink.announce(*number);
        }
        let king_moves = self.king_moves.items();
        for (number, &Quiet { parent, from, to }) in of_kings.iter_mut().zip(king_moves) {
            let placement = &self.parents[parent as usize];
            let mut kings = placement.kings;
            kings[mine] = kings[mine] & !from | to;
            *number = self.ranking.rank_other_kings(placement, kings);
            sink.announce(*number);
        }
        for number in &numbers[..men + king_moves.len()] {
            sink.inside(*number);
        }
    }

    /// Hands the successors in other slices to `sink`.
    #[inline(never)]
    fn leave(&mut self, sink: &mut impl Sink<B>) {
        let leaving = self.leaving.items();
        let addresses = &mut self.addresses.room(leaving.len(), Address::NOWHERE)[..leaving.len()];
        for (address, leaving) in addresses.iter_mut().zip(leaving) {
            *address = sink.address(leaving);
        }
        for address in addresses {
            sink.leaving(*address);
        }
    }
}

/// A position as the side to move sees it; WHITE is that side.
struct View<B: Board, const WHITE: bool> {
    men: B::Word,
    kings: B::Word,
    victims: B::Word,
    empty: B::Word,
}

impl<B: Board, const WHITE: bool> View<B, WHITE> {
    /// Where men go.
    const AHEAD: [Direction; 2] = if WHITE { Direction::UP } else { Direction::DOWN };
    const BACK: [Direction; 2] = if WHITE { Direction::DOWN } else { Direction::UP };
    const FAR_ROW: B::Word = if WHITE { B::TOP } else { B::BOTTOM };

    #[inline(always)]
    fn new(placement: &Placement<B>) -> Self {
        let (mine, other) = (usize::from(WHITE), usize::from(!WHITE));
        let Placement { men, kings, .. } = placement;
        let victims = men[other] | kings[other];
        let empty = B::ALL & !(men[mine] | kings[mine] | victims);
        Self { men: men[mine], kings: kings[mine], victims, empty }
    }

    /// How often one of the positions of a slice looks in a direction.
    fn most_looks(placements: &[Placement<B>]) -> usize {
        let mine = usize::from(WHITE);
        placements.first().map_or(0, |placement| {
            (2 * placement.men[mine].count() + 4 * placement.kings[mine].count()) as usize
        })
    }

    /// Where `ahead` land when they jump forward, and `back` when they jump backward.
    #[inline(always)]
    fn jumps(&self, ahead: B::Word, back: B::Word) -> B::Word {
        let jump = |pieces, direction| {
            B::step(B::step(pieces, direction) & self.victims, direction) & self.empty
        };
        jump(ahead, Self::AHEAD[0])
            | jump(ahead, Self::AHEAD[1])
            | jump(back, Self::BACK[0])
            | jump(back, Self::BACK[1])
    }

    /// What `placement` becomes when a piece goes from `from` to `to` and takes `captured`.
    #[inline(always)]
    fn moved(
        &self,
        placement: &Placement<B>,
        from: B::Word,
        to: B::Word,
        captured: B::Word,
        is_man: bool,
    ) -> Leaving<B> {
        let (mine, other) = (usize::from(WHITE), usize::from(!WHITE));
        let promotion = is_man && !(to & Self::FAR_ROW).is_empty();
        let men = (captured & placement.men[other]).count() as u8;
        let kings = captured.count() as u8 - men;
        let mut placement = *placement;
        let either = |set, wanted| if wanted { set } else { B::Word::ZERO };
        placement.men[mine] = placement.men[mine] & !from | either(to, is_man && !promotion);
        placement.kings[mine] = placement.kings[mine] & !from | either(to, !is_man || promotion);
        placement.men[other] &= !captured;
        placement.kings[other] &= !captured;
        Leaving { placement, promotion, men, kings }
    }
}

/// The members of `set`, one by one.
#[inline(always)]
fn squares<W: Word>(set: W) -> impl Iterator<Item = W> {
    bits(set).map(W::bit)
}
