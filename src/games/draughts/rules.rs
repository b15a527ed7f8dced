//! The rules of checkers and draughts as a table: one column per set of rules, one line per rule.
//!
//! Articles: WCDF, Rules of Draughts (Checkers), part 1; FMJD, Annex 1, Official rules of
//! international draughts, November 2015. Brazilian (8 x 8), Canadian (12 x 12) and Dumm (14 x 14)
//! draughts are the international rules on other boards. Under both columns a capture is mandatory,
//! a piece is never jumped twice, captured pieces leave the board when the move is over, and the
//! side that cannot move has lost.

use std::fmt::Debug;

use super::Side;

/// How a king moves and captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum King {
    /// One step, and over an adjacent piece to the square behind it.
    Short,
    /// Any distance, and over a distant piece to any free square behind it.
    Flying,
}

/// Which captures may be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureChoice {
    /// Any capture, so long as it goes on until it can go no further.
    Free,
    /// Only captures that take the greatest number of pieces, men and kings alike.
    Majority,
}

/// What happens when a man reaches the far row while it still could capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassingPromotion {
    /// The move ends there and the man is crowned.
    Ends,
    /// The man goes on as a man and is not crowned.
    Ignored,
}

/// A set of rules.
pub trait Rules: Copy + Debug + Default + Send + Sync + 'static {
    /// What games of these rules are called.
    const NAME: &'static str;
    /// Who moves first from the start position.
    const FIRST_MOVER: Side;
    /// How kings move.
    const KING: King;
    /// Whether men capture backwards too.
    const MEN_CAPTURE_BACKWARDS: bool;
    /// Which captures may be chosen.
    const CAPTURE_CHOICE: CaptureChoice;
    /// Promotion in the middle of a capture.
    const PASSING_PROMOTION: PassingPromotion;
}

macro_rules! rules_table {
    ($($(#[$doc:meta])* $name:ident { $($rule:ident: $kind:ty = $value:expr;)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name;
        impl Rules for $name { $(const $rule: $kind = $value;)* }
    )*};
}
rules_table! {
    /// English draughts, also called checkers.
    Checkers {
        NAME: &'static str = "checkers";
        FIRST_MOVER: Side = Side::Black;                               // PDN GameType 21
        KING: King = King::Short;                                      // WCDF 1.17
        MEN_CAPTURE_BACKWARDS: bool = false;                           // WCDF 1.18
        PASSING_PROMOTION: PassingPromotion = PassingPromotion::Ends;  // WCDF 1.19
        CAPTURE_CHOICE: CaptureChoice = CaptureChoice::Free;           // WCDF 1.20
    }
    /// International draughts.
    International {
        NAME: &'static str = "draughts";
        FIRST_MOVER: Side = Side::White;                                 // FMJD 3.3
        KING: King = King::Flying;                                       // FMJD 3.9
        MEN_CAPTURE_BACKWARDS: bool = true;                              // FMJD 4.2
        PASSING_PROMOTION: PassingPromotion = PassingPromotion::Ignored; // FMJD 4.15
        CAPTURE_CHOICE: CaptureChoice = CaptureChoice::Majority;         // FMJD 4.13
    }
}
