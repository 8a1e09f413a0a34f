//! Source files of the crate that is compiled. Each is read once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The most files that are looked for beside one.
const MOST: usize = 200;

thread_local! {
    static TEXTS: RefCell<HashMap<PathBuf, Option<Rc<str>>>> = RefCell::default();
    static FOLDERS: RefCell<HashMap<PathBuf, Rc<[PathBuf]>>> = RefCell::default();
}

/// The text of a file of Rust.
pub fn text(path: &Path) -> Option<Rc<str>> {
    let read = || {
        path.extension().filter(|extension| *extension == "rs")?;
        std::fs::read_to_string(path).ok().map(Rc::from)
    };
    TEXTS.with_borrow_mut(|texts| texts.entry(path.to_owned()).or_insert_with(read).clone())
}

/// The files of the folder that a file's crate has, as far as its path tells: those of `src` around it, or those beside it.
pub fn around(file: &Path) -> Rc<[PathBuf]> {
    let Some(folder) = folder_of(file) else { return Rc::default() };
    let read = || {
        let mut paths = Vec::new();
        add_files(folder, &mut paths);
        Rc::from(paths)
    };
    FOLDERS.with_borrow_mut(|folders| folders.entry(folder.to_owned()).or_insert_with(read).clone())
}

fn folder_of(file: &Path) -> Option<&Path> {
    let source = file.ancestors().skip(1).find(|folder| folder.ends_with("src"));
    source.or_else(|| file.parent().filter(|folder| !folder.as_os_str().is_empty()))
}

fn add_files(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            _ if paths.len() >= MOST => return,
            true => add_files(&path, paths),
            false if path.extension().is_some_and(|e| e == "rs") => paths.push(path),
            false => {}
        }
    }
}
