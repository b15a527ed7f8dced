//! `ludometer completions` and `ludometer man`: what a shell and a reader of manuals want.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;

use super::failure::Result;
use super::talk::Talk;
use crate::experiment::manifest::write_whole;

/// Print the completions of a shell
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer completions bash > ludometer.bash
  ludometer completions zsh > _ludometer")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Write a manual page for every verb into a folder
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  ludometer man man1")]
pub struct Man {
    /// The folder, made if there is none
    folder: PathBuf,
}

impl Completions {
    /// Runs the verb for the command line `command`.
    ///
    /// # Errors
    /// When stdout does not take it.
    pub fn run(&self, mut command: Command) -> Result {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "ludometer", &mut script);
        let mut out = io::stdout().lock();
        out.write_all(&script)?;
        Ok(out.flush()?)
    }
}

impl Man {
    /// Runs the verb for the command line `command`.
    ///
    /// # Errors
    /// When a page cannot be written.
    pub fn run(&self, mut command: Command, talk: &Talk) -> Result {
        command.build();
        let folder = self.folder.display();
        std::fs::create_dir_all(&self.folder).with_context(|| folder.to_string())?;
        let pages = write_pages(&self.folder, &command, "ludometer")?;
        talk.line(&format!("{pages} pages in {folder}"));
        Ok(())
    }
}

/// Writes the pages of `command`, called `name`, and of its verbs; gives their number.
fn write_pages(folder: &Path, command: &Command, name: &str) -> Result<usize> {
    // A command keeps its name for as long as the program runs.
    let own: &'static str = name.to_owned().leak();
    write_page(folder, command.clone().name(own))?;
    let mut pages = 1;
    for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
        pages += write_pages(folder, verb, &format!("{name}-{}", verb.get_name()))?;
    }
    Ok(pages)
}

fn write_page(folder: &Path, command: Command) -> Result {
    let path = folder.join(format!("{}.1", command.get_name()));
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).with_context(|| path.display().to_string())?;
    write_whole(&path, &page).map_err(anyhow::Error::msg)?;
    Ok(())
}
