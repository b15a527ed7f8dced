//! The names of the games, their aliases and the parameters that each takes.

/// A parameter of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// Columns of the board.
    Columns,
    /// Rows of the board.
    Rows,
    /// Squares along a side of the board.
    Size,
    /// Whether a forced pass counts as a ply.
    Passes,
    /// What becomes of equal captures.
    Duplicates,
    /// When a game is a draw.
    DrawRule,
    /// Plies after which a game is stopped.
    PlyCap,
    /// Branching factor of a synthetic tree.
    Branching,
    /// Depth of a synthetic tree.
    Depth,
}

impl Parameter {
    /// The name in files: `draw_rule`.
    pub fn key(self) -> &'static str {
        match self {
            Self::Columns => "columns",
            Self::Rows => "rows",
            Self::Size => "size",
            Self::Passes => "passes",
            Self::Duplicates => "duplicates",
            Self::DrawRule => "draw_rule",
            Self::PlyCap => "ply_cap",
            Self::Branching => "branching",
            Self::Depth => "tree_depth",
        }
    }

    /// The name on the command line, without dashes in front: `draw-rule`.
    pub fn flag(self) -> &'static str {
        match self {
            Self::DrawRule => "draw-rule",
            Self::PlyCap => "ply-cap",
            Self::Depth => "tree-depth",
            other => other.key(),
        }
    }
}

/// A game of the catalog.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The canonical name.
    pub name: &'static str,
    /// Other names of the same game.
    pub aliases: &'static [&'static str],
    /// What it is, in one line.
    pub description: &'static str,
    /// The parameters it takes.
    pub parameters: &'static [Parameter],
}

const DRAUGHTS: &[Parameter] = &[Parameter::Duplicates, Parameter::DrawRule];
const TREE: &[Parameter] = &[Parameter::Branching, Parameter::Depth];

const NAMES: &[Entry] = &[
    Entry {
        name: "tic-tac-toe",
        aliases: &["tictactoe"],
        description: "three in a row on 3 x 3 cells",
        parameters: &[],
    },
    Entry {
        name: "connect-four",
        aliases: &["connect4"],
        description: "four in a row with dropped stones, 1 to 8 columns and rows (7 x 6)",
        parameters: &[Parameter::Columns, Parameter::Rows],
    },
    Entry {
        name: "othello",
        aliases: &["reversi"],
        description: "outflank and turn over, on 4, 6 or 8 squares a side (8)",
        parameters: &[Parameter::Size, Parameter::Passes],
    },
    Entry {
        name: "hex",
        aliases: &[],
        description: "join two sides of a rhombus of hexagons, 2 to 11 cells a side (11)",
        parameters: &[Parameter::Size],
    },
    Entry {
        name: "go",
        aliases: &[],
        description: "area scoring, komi 0, positional superko, no suicide, 1 to 7 points a side (7)",
        parameters: &[Parameter::Size],
    },
    Entry {
        name: "dots-and-boxes",
        aliases: &["dots"],
        description: "who closes a box owns it and moves again, up to 64 edges (5 x 5 boxes)",
        parameters: &[Parameter::Columns, Parameter::Rows],
    },
    Entry {
        name: "chess",
        aliases: &[],
        description: "draws by repetition, 50 moves and dead material claimed at once",
        parameters: &[Parameter::PlyCap],
    },
    Entry {
        name: "uniform-tree",
        aliases: &[],
        description: "synthetic: b moves everywhere down to depth d, b^d leaves (b 3, d 8)",
        parameters: TREE,
    },
    Entry {
        name: "comb",
        aliases: &[],
        description: "synthetic: one of b moves ends the game at every ply (b 2, d 12)",
        parameters: TREE,
    },
    Entry {
        name: "checkers-4",
        aliases: &[],
        description: "English rules on 4 x 4 squares",
        parameters: DRAUGHTS,
    },
    Entry {
        name: "checkers-6",
        aliases: &[],
        description: "English rules on 6 x 6 squares",
        parameters: DRAUGHTS,
    },
    Entry {
        name: "checkers-8",
        aliases: &["english", "checkers"],
        description: "English draughts, 8 x 8 squares",
        parameters: DRAUGHTS,
    },
    Entry {
        name: "checkers-10",
        aliases: &[],
        description: "English rules on 10 x 10 squares",
        parameters: DRAUGHTS,
    },
    Entry {
        name: "checkers-12",
        aliases: &[],
        description: "English rules on 12 x 12 squares",
        parameters: DRAUGHTS,
    },
    Entry {
        name: "checkers-14",
        aliases: &[],
        description: "English rules on 14 x 14 squares",
        parameters: DRAUGHTS,
    },
    Entry {
        name: "draughts-4",
        aliases: &[],
        description: "international rules on 4 x 4 squares",
        parameters: DRAUGHTS,
    },
    Entry {
        name: "draughts-6",
        aliases: &[],
        description: "international rules on 6 x 6 squares",
        parameters: DRAUGHTS,
    },
    Entry {
        name: "draughts-8",
        aliases: &["brazilian"],
        description: "Brazilian draughts, 8 x 8 squares",
        parameters: DRAUGHTS,
    },
    Entry {
        name: "draughts-10",
        aliases: &["international", "draughts"],
        description: "international draughts, 10 x 10 squares",
        parameters: DRAUGHTS,
    },
    Entry {
        name: "draughts-12",
        aliases: &["canadian"],
        description: "Canadian draughts, 12 x 12 squares",
        parameters: DRAUGHTS,
    },
    Entry {
        name: "draughts-14",
        aliases: &[],
        description: "international rules on 14 x 14 squares",
        parameters: DRAUGHTS,
    },
];

/// Every game, in the order in which they are listed.
pub fn names() -> &'static [Entry] {
    NAMES
}
