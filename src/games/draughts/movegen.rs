//! Legal moves: counted, chosen by number, or listed.
//!
//! All three share one scan of the position. The scan finds, for whole sets of pieces at once, the
//! captures of one piece and which of them go on; only those that go on (and the captures of flying
//! kings) are followed one by one, depth first. What is done with a finished capture is a [`Sink`]:
//! a counter or a list.
//!
//! While a piece captures, its origin counts as empty and the captured pieces stay: they block and
//! are not jumped twice (FMJD 4.8, 4.11). A flying king may rest on any free square behind a
//! captured piece; going straight on from a later one finds nothing new, so only the first looks
//! straight ahead and no path is walked twice.

use super::board::{Direction, bits};
use super::rules::{CaptureChoice, King, PassingPromotion, Rules};
use super::{Board, Duplicates, Move, Position, Side, Word};

/// The block once for each direction in canonical order, with the direction a constant: loops over
/// [`Direction::ALL`] are not always unrolled, and a step in an unknown direction costs branches.
macro_rules! each_direction {
    ($direction:ident, $index:ident => $body:block) => {
        each_direction!(@ $direction, $index, $body, 0 UpLeft 1 UpRight 2 DownLeft 3 DownRight)
    };
    (@ $direction:ident, $index:ident, $body:block, $($n:literal $name:ident)*) => {
        $({
            const $index: usize = $n;
            const $direction: Direction = Direction::$name;
            $body
        })*
    };
}

/// Two paths with equal origin, destination and captured set go round a closed diamond, which takes
/// four captures at least.
const SHORTEST_DUPLICATE: u32 = 4;

/// Receives finished captures.
trait Sink<B: Board> {
    /// Captures from bit `from` of the pieces `captured`, `pieces` in number, one for each bit of
    /// `landings`.
    fn captures(&mut self, from: u32, landings: B::Word, captured: B::Word, pieces: u32);

    /// Captures of one adjacent piece in `direction` that end on each bit of `landings`.
    fn single_captures(&mut self, landings: B::Word, direction: Direction);
}

/// How many captures there are, and the most pieces that one takes.
struct Counter {
    majority: bool,
    captures: usize,
    most: u32,
}

impl<B: Board> Sink<B> for Counter {
    #[inline(always)]
    fn captures(&mut self, _from: u32, landings: B::Word, _captured: B::Word, pieces: u32) {
        if pieces > self.most {
            self.most = pieces;
            if self.majority {
                self.captures = 0;
            }
        }
        if !self.majority || pieces == self.most {
            self.captures += landings.count() as usize;
        }
    }

    #[inline(always)]
    fn single_captures(&mut self, landings: B::Word, _direction: Direction) {
        Sink::<B>::captures(self, 0, landings, B::Word::ZERO, 1);
    }
}

/// The captures themselves, in no order, once per path.
struct Lister<'a, B: Board> {
    majority: bool,
    most: u32,
    moves: &'a mut Vec<Move<B>>,
}

impl<B: Board> Sink<B> for Lister<'_, B> {
    #[inline(always)]
    fn captures(&mut self, from: u32, landings: B::Word, captured: B::Word, pieces: u32) {
        if pieces > self.most {
            self.most = pieces;
            if self.majority {
                self.moves.clear();
            }
        }
        if !self.majority || pieces == self.most {
            let from = from as u8;
            self.moves.extend(bits(landings).map(|to| Move { from, to: to as u8, captured }));
        }
    }

    #[inline(always)]
    fn single_captures(&mut self, landings: B::Word, direction: Direction) {
        let back = direction.opposite();
        for landing in bits(landings) {
            let landing = B::Word::bit(landing);
            let victim = B::step(landing, back);
            self.captures(B::step(victim, back).lowest(), landing, victim, 1);
        }
    }
}

/// The position as the side to move sees it; WHITE is that side.
struct Scan<R, B: Board, const WHITE: bool> {
    men: B::Word,
    kings: B::Word,
    victims: B::Word,
    empty: B::Word,
    rules: std::marker::PhantomData<R>,
}

impl<R: Rules, B: Board, const WHITE: bool> Scan<R, B, WHITE> {
    #[inline(always)]
    fn new(position: &Position<B>) -> Self {
        let side = if WHITE { Side::White } else { Side::Black };
        Self {
            men: position.men(side),
            kings: position.kings(side),
            victims: position.pieces(side.other()),
            empty: position.empty(),
            rules: std::marker::PhantomData,
        }
    }

    /// Whether a man of the side to move advances in `direction`.
    #[inline(always)]
    fn is_forward(direction: Direction) -> bool {
        WHITE == matches!(direction, Direction::UpLeft | Direction::UpRight)
    }

    #[inline(always)]
    fn far_row() -> B::Word {
        if WHITE { B::TOP } else { B::BOTTOM }
    }

    /// Whether a man may capture in `direction`.
    #[inline(always)]
    fn man_captures(direction: Direction) -> bool {
        R::MEN_CAPTURE_BACKWARDS || Self::is_forward(direction)
    }

    /// Reports every path of captures, under majority perhaps with shorter ones before longer ones.
    #[inline(always)]
    fn captures(&self, sink: &mut impl Sink<B>) {
        self.short_captures::<true>(self.men, sink);
        if !self.kings.is_empty() {
            match R::KING {
                King::Short => self.short_captures::<false>(self.kings, sink),
                King::Flying => self.flying_captures(sink),
            }
        }
    }

    /// The captures of pieces that jump adjacent ones: men when MAN, else short kings.
    #[inline(always)]
    fn short_captures<const MAN: bool>(&self, pieces: B::Word, sink: &mut impl Sink<B>) {
        let mut single = [B::Word::ZERO; 4];
        let mut any = B::Word::ZERO;
        each_direction!(DIRECTION, INDEX => {
            if !MAN || Self::man_captures(DIRECTION) {
                single[INDEX] = self.jump(pieces, DIRECTION, self.victims, self.empty);
                any |= single[INDEX];
            }
        });
        if any.is_empty() {
            return;
        }
        let mut onward = [B::Word::ZERO; 4];
        let mut any_onward = B::Word::ZERO;
        each_direction!(DIRECTION, INDEX => {
            let mut from = single[INDEX];
            if MAN && R::PASSING_PROMOTION == PassingPromotion::Ends {
                from &= !Self::far_row();
            }
            each_direction!(NEXT, _NEXT_INDEX => {
                if NEXT != DIRECTION.opposite() && (!MAN || Self::man_captures(NEXT)) {
                    // The origin cannot be the square behind the second victim, nor the first
                    // victim be the second, since the piece turns by less than half a circle.
                    let beyond = self.jump(from, NEXT, self.victims, self.empty);
                    let back = NEXT.opposite();
                    onward[INDEX] |= B::step(B::step(beyond, back), back);
                }
            });
            any_onward |= onward[INDEX];
        });
        each_direction!(DIRECTION, INDEX => {
            // Under majority a single capture is of no interest once some capture goes on.
            if R::CAPTURE_CHOICE == CaptureChoice::Free || any_onward.is_empty() {
                let ending = single[INDEX] & !onward[INDEX];
                if !ending.is_empty() {
                    sink.single_captures(ending, DIRECTION);
                }
            }
            for landing in bits(onward[INDEX]) {
                let landing = B::Word::bit(landing);
                let victim = B::step(landing, DIRECTION.opposite());
                let from = B::step(victim, DIRECTION.opposite());
                self.short_onward::<MAN>(from, landing, DIRECTION, victim, 1, sink);
            }
        });
    }

    /// Where `pieces` land when they jump one of `victims` in `direction`.
    #[inline(always)]
    fn jump(
        &self,
        pieces: B::Word,
        direction: Direction,
        victims: B::Word,
        empty: B::Word,
    ) -> B::Word {
        B::step(B::step(pieces, direction) & victims, direction) & empty
    }

    /// Goes on with a capture that has taken `pieces` pieces and stands on `at`.
    fn short_onward<const MAN: bool>(
        &self,
        from: B::Word,
        at: B::Word,
        arrived: Direction,
        captured: B::Word,
        pieces: u32,
        sink: &mut impl Sink<B>,
    ) {
        let crowned = MAN
            && R::PASSING_PROMOTION == PassingPromotion::Ends
            && !(at & Self::far_row()).is_empty();
        let mut ended = true;
        if !crowned {
            each_direction!(NEXT, _INDEX => {
                if arrived != NEXT.opposite() && (!MAN || Self::man_captures(NEXT)) {
                    let victims = self.victims & !captured;
                    let landing = self.jump(at, NEXT, victims, self.empty | from);
                    if !landing.is_empty() {
                        ended = false;
                        let captured = captured | B::step(at, NEXT);
                        self.short_onward::<MAN>(from, landing, NEXT, captured, pieces + 1, sink);
                    }
                }
            });
        }
        if ended {
            sink.captures(from.lowest(), at, captured, pieces);
        }
    }

    /// The captures of flying kings.
    fn flying_captures(&self, sink: &mut impl Sink<B>) {
        each_direction!(DIRECTION, _INDEX => {
            // The victims that some king sees first in this direction, then one by one.
            let mut front = self.kings;
            let mut steps = 0;
            while !front.is_empty() {
                let ahead = B::step(front, DIRECTION);
                steps += 1;
                for landing in bits(B::step(ahead & self.victims, DIRECTION) & self.empty) {
                    let landing = B::Word::bit(landing);
                    let victim = B::step(landing, DIRECTION.opposite());
                    let mut from = victim;
                    for _ in 0..steps {
                        from = B::step(from, DIRECTION.opposite());
                    }
                    let landings = Self::ray(landing, DIRECTION, self.empty | from);
                    self.flying_onward(from, landings, DIRECTION, victim, 1, sink);
                }
                front = ahead & self.empty;
            }
        });
    }

    /// `first` and the squares of `empty` that follow it without a gap in `direction`.
    #[inline(always)]
    fn ray(first: B::Word, direction: Direction, empty: B::Word) -> B::Word {
        let mut ray = first;
        let mut last = B::step(first, direction) & empty;
        while !last.is_empty() {
            ray |= last;
            last = B::step(last, direction) & empty;
        }
        ray
    }

    /// Goes on with a flying capture that has taken `pieces` pieces and may rest on `landings`.
    fn flying_onward(
        &self,
        from: B::Word,
        landings: B::Word,
        arrived: Direction,
        captured: B::Word,
        pieces: u32,
        sink: &mut impl Sink<B>,
    ) {
        let empty = self.empty | from;
        let victims = self.victims & !captured;
        let mut ended = true;
        each_direction!(NEXT, _INDEX => {
            if arrived != NEXT.opposite() {
                // Straight ahead every landing looks at the same victim; the foremost stands for
                // all.
                let mut front = if arrived == NEXT {
                    landings & !B::step(landings, NEXT.opposite())
                } else {
                    landings
                };
                while !front.is_empty() {
                    let ahead = B::step(front, NEXT);
                    for landing in bits(B::step(ahead & victims, NEXT) & empty) {
                        ended = false;
                        let landing = B::Word::bit(landing);
                        let captured = captured | B::step(landing, NEXT.opposite());
                        let landings = Self::ray(landing, NEXT, empty);
                        self.flying_onward(from, landings, NEXT, captured, pieces + 1, sink);
                    }
                    front = ahead & empty;
                }
            }
        });
        if ended {
            sink.captures(from.lowest(), landings, captured, pieces);
        }
    }

    /// Reports every set of quiet moves of equal kind, direction and distance, in canonical order:
    /// the destinations, the direction and the number of steps. Stops when `report` says false.
    #[inline(always)]
    fn quiet(&self, mut report: impl FnMut(B::Word, Direction, u32) -> bool) {
        each_direction!(DIRECTION, _INDEX => {
            if Self::is_forward(DIRECTION)
                && !report(B::step(self.men, DIRECTION) & self.empty, DIRECTION, 1)
            {
                return;
            }
        });
        if self.kings.is_empty() {
            return;
        }
        each_direction!(DIRECTION, _INDEX => {
            let mut front = B::step(self.kings, DIRECTION) & self.empty;
            let mut steps = 1;
            while !front.is_empty() {
                if !report(front, DIRECTION, steps) {
                    return;
                }
                if R::KING == King::Short {
                    break;
                }
                front = B::step(front, DIRECTION) & self.empty;
                steps += 1;
            }
        });
    }

    #[inline(always)]
    fn count(&self, position: &Position<B>, how: Duplicates, scratch: &mut Vec<Move<B>>) -> usize {
        let mut counter = Counter { majority: Self::MAJORITY, captures: 0, most: 0 };
        self.captures(&mut counter);
        if counter.most == 0 {
            let mut quiet = 0;
            self.quiet(|destinations, _, _| {
                quiet += destinations.count();
                true
            });
            return quiet as usize;
        }
        if counter.most >= SHORTEST_DUPLICATE && how == Duplicates::Drop {
            return count_distinct::<R, B>(position, scratch);
        }
        counter.captures
    }

    /// Whether some capture is possible.
    #[inline(always)]
    fn can_capture(&self) -> bool {
        let mut any = B::Word::ZERO;
        each_direction!(DIRECTION, _INDEX => {
            let mut pieces = self.kings;
            if Self::man_captures(DIRECTION) {
                pieces |= self.men;
            }
            any |= self.jump(pieces, DIRECTION, self.victims, self.empty);
        });
        if !any.is_empty() {
            return true;
        }
        if R::KING == King::Short || self.kings.is_empty() {
            return false;
        }
        each_direction!(DIRECTION, _INDEX => {
            let mut front = B::step(self.kings, DIRECTION) & self.empty;
            while !front.is_empty() {
                let ahead = B::step(front, DIRECTION);
                if !(B::step(ahead & self.victims, DIRECTION) & self.empty).is_empty() {
                    return true;
                }
                front = ahead & self.empty;
            }
        });
        false
    }

    /// Whether some quiet move is possible.
    #[inline(always)]
    fn can_step(&self) -> bool {
        let mut any = B::Word::ZERO;
        each_direction!(DIRECTION, _INDEX => {
            let mut pieces = self.kings;
            if Self::is_forward(DIRECTION) {
                pieces |= self.men;
            }
            any |= B::step(pieces, DIRECTION) & self.empty;
        });
        !any.is_empty()
    }

    const MAJORITY: bool = matches!(R::CAPTURE_CHOICE, CaptureChoice::Majority);

    /// Lists the captures once per path, in no order; gives the most pieces that one takes.
    #[inline(always)]
    fn list_paths(&self, moves: &mut Vec<Move<B>>) -> u32 {
        moves.clear();
        let mut lister = Lister { majority: Self::MAJORITY, most: 0, moves };
        self.captures(&mut lister);
        lister.most
    }

    /// Lists the captures in canonical order.
    #[inline(always)]
    fn list_captures(&self, how: Duplicates, moves: &mut Vec<Move<B>>) {
        let most = self.list_paths(moves);
        moves.sort_unstable();
        if most >= SHORTEST_DUPLICATE && how == Duplicates::Drop {
            moves.dedup();
        }
    }

    /// Appends the quiet moves in canonical order.
    #[inline(always)]
    fn list_quiet(&self, moves: &mut Vec<Move<B>>) {
        self.quiet(|destinations, direction, steps| {
            moves.extend(bits(destinations).map(|to| quiet_move(to, direction, steps)));
            true
        });
    }

    #[inline(always)]
    fn list(&self, how: Duplicates, moves: &mut Vec<Move<B>>) {
        self.list_captures(how, moves);
        if moves.is_empty() {
            self.list_quiet(moves);
        }
    }

    /// Hands every legal move to `each`, captures once per path.
    #[inline(always)]
    fn visit(&self, scratch: &mut Vec<Move<B>>, mut each: impl FnMut(Move<B>)) {
        if self.list_paths(scratch) > 0 {
            scratch.iter().for_each(|mv| each(*mv));
            return;
        }
        self.quiet(|destinations, direction, steps| {
            bits(destinations).for_each(|to| each(quiet_move(to, direction, steps)));
            true
        });
    }

    #[inline(always)]
    fn nth(&self, how: Duplicates, n: usize, scratch: &mut Vec<Move<B>>) -> Move<B> {
        self.list_captures(how, scratch);
        if !scratch.is_empty() {
            return scratch[n];
        }
        let mut left = n as u32;
        let mut found = None;
        self.quiet(|destinations, direction, steps| {
            let here = destinations.count();
            if left < here {
                found = Some(quiet_move(destinations.nth(left), direction, steps));
                return false;
            }
            left -= here;
            true
        });
        found.expect("n is below the number of legal moves")
    }
}

#[inline(always)]
fn quiet_move<B: Board>(to: u32, direction: Direction, steps: u32) -> Move<B> {
    let distance =
        steps * (B::ROW + matches!(direction, Direction::UpLeft | Direction::DownRight) as u32);
    let from = match direction {
        Direction::UpLeft | Direction::UpRight => to + distance,
        Direction::DownLeft | Direction::DownRight => to - distance,
    };
    Move { from: from as u8, to: to as u8, captured: B::Word::ZERO }
}

/// The number of distinct captures of a position that has captures of four pieces or more.
#[cold]
fn count_distinct<R: Rules, B: Board>(position: &Position<B>, scratch: &mut Vec<Move<B>>) -> usize {
    list::<R, B>(position, Duplicates::Drop, scratch);
    scratch.len()
}

/// The number of legal moves.
pub(super) fn count<R: Rules, B: Board>(
    position: &Position<B>,
    how: Duplicates,
    scratch: &mut Vec<Move<B>>,
) -> usize {
    match position.side {
        Side::White => Scan::<R, B, true>::new(position).count(position, how, scratch),
        Side::Black => Scan::<R, B, false>::new(position).count(position, how, scratch),
    }
}

/// Whether the side to move has a capture.
#[inline(always)]
pub(super) fn can_capture<R: Rules, B: Board>(position: &Position<B>) -> bool {
    match position.side {
        Side::White => Scan::<R, B, true>::new(position).can_capture(),
        Side::Black => Scan::<R, B, false>::new(position).can_capture(),
    }
}

/// Whether the side to move has a quiet move, captures aside.
#[inline(always)]
pub(super) fn can_step<R: Rules, B: Board>(position: &Position<B>) -> bool {
    match position.side {
        Side::White => Scan::<R, B, true>::new(position).can_step(),
        Side::Black => Scan::<R, B, false>::new(position).can_step(),
    }
}

/// Clears `moves` and lists the legal moves in canonical order.
pub(super) fn list<R: Rules, B: Board>(
    position: &Position<B>,
    how: Duplicates,
    moves: &mut Vec<Move<B>>,
) {
    match position.side {
        Side::White => Scan::<R, B, true>::new(position).list(how, moves),
        Side::Black => Scan::<R, B, false>::new(position).list(how, moves),
    }
}

/// Hands every legal move to `each` in no order, captures once per path.
#[inline(always)]
pub(super) fn visit<R: Rules, B: Board>(
    position: &Position<B>,
    scratch: &mut Vec<Move<B>>,
    each: impl FnMut(Move<B>),
) {
    match position.side {
        Side::White => Scan::<R, B, true>::new(position).visit(scratch, each),
        Side::Black => Scan::<R, B, false>::new(position).visit(scratch, each),
    }
}

/// The `n`-th legal move in canonical order, `n < count`.
pub(super) fn nth<R: Rules, B: Board>(
    position: &Position<B>,
    how: Duplicates,
    n: usize,
    scratch: &mut Vec<Move<B>>,
) -> Move<B> {
    match position.side {
        Side::White => Scan::<R, B, true>::new(position).nth(how, n, scratch),
        Side::Black => Scan::<R, B, false>::new(position).nth(how, n, scratch),
    }
}

/// Makes a legal move.
#[inline]
pub(super) fn play<B: Board>(position: &mut Position<B>, mv: Move<B>) {
    let from = B::Word::bit(u32::from(mv.from));
    let to = B::Word::bit(u32::from(mv.to));
    let (own, opponent, far_row) = match position.side {
        Side::White => (&mut position.white, &mut position.black, B::TOP),
        Side::Black => (&mut position.black, &mut position.white, B::BOTTOM),
    };
    let crowned = !(position.kings & from).is_empty() || !(to & far_row).is_empty();
    *own = *own & !from | to;
    *opponent &= !mv.captured;
    position.kings &= !(from | mv.captured);
    if crowned {
        position.kings |= to;
    }
    position.side = position.side.other();
}
