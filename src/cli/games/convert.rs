//! `ludometer games convert`: games read and written again.

use std::io::{self, Write};

use clap::Args;

use super::super::failure::Result;
use super::super::talk::Talk;
use super::files::FilesArguments;
use crate::games::catalog::DraughtsVisitor;
use crate::games::draughts::{Board, Draughts, Rules};
use crate::pdn::{Source, Spelling, TextGame, Warning, push_text_game, respell};

/// Read games and write them in one spelling: numbers of squares, short captures unless ambiguous
///
/// Tags, comments, marks, glyphs and variations are kept. Games with a move that cannot be made, and
/// games of rules that are not known here, keep their spelling.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer games convert games.pdn > new.pdn
  ludometer games convert --game draughts-8 algebraic.pdn
  ludometer games convert selfplay/*.pdn.zst")]
pub struct Convert {
    #[command(flatten)]
    files: FilesArguments,
}

impl Convert {
    /// Runs the verb.
    ///
    /// # Errors
    /// When a file cannot be read or stdout does not take it, and for a warning when reading is
    /// strict.
    pub fn run(&self, talk: &Talk) -> Result {
        let files = self.files.settle(talk)?;
        let mut out = io::BufWriter::new(io::stdout().lock());
        let mut written = String::new();
        for name in files.names() {
            files.read(name, |source, text, warnings| {
                let spelling = match text.game(source, files.asked.as_ref()) {
                    Err(warning) => {
                        warnings.push(warning);
                        None
                    }
                    Ok((game, warning)) => {
                        warnings.extend(warning);
                        let spell = Spell { source, text: &text, warnings };
                        game.visit_draughts(spell).expect("PDN holds games of draughts")
                    }
                };
                written.clear();
                push_text_game(&text, spelling.as_ref(), &mut written);
                Ok(out.write_all(written.as_bytes())?)
            })?;
        }
        Ok(out.flush()?)
    }
}

struct Spell<'a> {
    source: &'a Source,
    text: &'a TextGame<'a>,
    warnings: &'a mut Vec<Warning>,
}

impl DraughtsVisitor for Spell<'_> {
    type Output = Option<Spelling>;

    fn visit<R: Rules, B: Board>(self, game: &Draughts<R, B>) -> Option<Spelling> {
        match respell(game, self.source, self.text) {
            Err(warning) => {
                self.warnings.push(warning);
                None
            }
            Ok((replay, spelling)) => {
                self.warnings.extend(replay.warnings);
                replay.whole.then_some(spelling)
            }
        }
    }
}
