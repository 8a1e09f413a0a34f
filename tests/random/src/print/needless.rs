//! `mut` that nothing asks for. Of a variable that one method alone can be why it is `mut`, the compiler takes that method for one that
//! changes it, and rustc warns of the others: programs that people keep have none.

/// Methods of std that change what they are called on.
const CHANGING: &[&str] = &[
    "push",
    "pop",
    "insert",
    "remove",
    "swap",
    "swap_remove",
    "resize",
    "truncate",
    "extend",
    "extend_from_slice",
    "fill",
    "sort_by",
    "reverse",
    "retain",
    "clear",
    "copy_from_slice",
    "clone_from_slice",
    "rotate_left",
    "rotate_right",
    "drain",
    "push_back",
    "push_front",
    "pop_back",
    "pop_front",
    "assign",
    "take",
    "replace",
    "next",
    "append",
    "dedup_by",
    "scaled_add",
    "split_off",
    "get_or_insert",
];

/// Whether a function's text only reads a parameter.
pub fn only_reads(text: &str, name: &str, readers: &[&str]) -> bool {
    let body = &text[text.find('{').unwrap_or(0)..];
    let passed_on = |before: &str, after: &str| before.ends_with(['(', ' ']) && after.starts_with([',', ')']);
    // the reference itself, whose parts a pattern binds as references of the same kind
    let matched =
        |before: &str, after: &str| (before.ends_with("= ") || before.ends_with("match ")) && after.starts_with(" {");
    uses(body, name)
        .all(|(before, after)| is_read(before, after, readers) && !passed_on(before, after) && !matched(before, after))
}

/// A function's text without `mut` at variables that are only read, given the names of the methods that only read.
pub fn dropped(text: String, readers: &[&str]) -> String {
    let mut kept = text.clone();
    for (at, mutable) in text.match_indices("mut ").filter(|(at, _)| !text[..*at].ends_with('&')) {
        let name = word(&text[at + mutable.len()..]);
        if !name.is_empty() && uses(&text, name).all(|(before, after)| is_read(before, after, readers)) {
            for end in [" ", ":"] {
                kept = kept.replace(&format!("mut {name}{end}"), &format!("{name}{end}"));
            }
        }
    }
    kept
}

/// What lies before and after each use of a name, its declarations aside.
fn uses<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    text.match_indices(name).map(move |(at, _)| (&text[..at], &text[at + name.len()..])).filter(|(before, after)| {
        let within = before.ends_with(|c: char| is_of_a_word(c) || c == '.') || after.starts_with(is_of_a_word);
        !within && !before.ends_with(" mut ") && !before.ends_with("(mut ")
    })
}

/// Whether a use only reads: a method that does, or a field that is no place of an assignment.
fn is_read(before: &str, after: &str, readers: &[&str]) -> bool {
    let mut rest = after;
    while rest.starts_with(['.', '[']) {
        let Some(part) = rest.strip_prefix('.') else {
            rest = behind_bracket(rest);
            continue;
        };
        let name = word(part);
        rest = &part[name.len()..];
        if rest.starts_with('(') {
            return readers.contains(&name) || is_of_std(name) && !changes(name);
        }
    }
    if rest.lines().next().is_some_and(|line| line.contains(") = (")) {
        return false; // one of several that are assigned at once
    }
    if is_bound_by_reference(before, after) {
        return false;
    }
    let rest = rest.trim_start();
    let compared = rest.starts_with("==") || rest.starts_with("=>");
    let assigned = rest.starts_with('=') || rest.get(1..2) == Some("=") && !rest.starts_with(['<', '>', '!']);
    !before.ends_with("&mut ") && !rest.starts_with(['(', ':']) && (compared || !assigned)
}

/// `let ref mut r = x`, `match x { ref mut r => .. }`.
fn is_bound_by_reference(before: &str, after: &str) -> bool {
    let statement = before.rsplit([';', '{', '}']).next().unwrap_or_default();
    statement.contains("ref mut ") && statement.ends_with("= ") || after.starts_with(" { ref mut ")
}

/// The program's own functions are called by a letter and a number.
fn is_of_std(name: &str) -> bool {
    !name.strip_prefix('g').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn changes(name: &str) -> bool {
    CHANGING.contains(&name) || name.ends_with("_mut") || name.ends_with("_inplace")
}

/// What follows `[index]`.
fn behind_bracket(text: &str) -> &str {
    let mut depth = 0;
    let closed = text.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '[') - i32::from(*c == ']');
        depth == 0
    });
    closed.map_or("", |(at, _)| &text[at + 1..])
}

fn word(text: &str) -> &str {
    &text[..text.find(|c: char| !is_of_a_word(c)).unwrap_or(text.len())]
}

fn is_of_a_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::dropped;

    #[test]
    fn only_what_is_read_loses_its_mut() {
        let kept =
            |body: &str| dropped(format!("f(mut q: P) {{ let mut p = P {{}};{body}"), &["norm"]).contains("mut p ");
        for read in [
            "p.v[0] + p.v[f[1]].a",
            "p.v.iter()",
            "p.norm()",
            "p.a.b + p.a",
            "f(&p)",
            "p.a == 1.0",
            "p.clone()",
            "pp = 1.0;",
            "q.p = 1.0;",
        ] {
            assert!(!kept(read), "{read}");
        }
        for changed in [
            "p(1.0)",
            "p.g7();",
            "p.v.iter_mut()",
            "p.a = 1.0;",
            "p.a.b += 1.0;",
            "f(&mut p);",
            "p.v.push(1.0);",
            "p.v[0] = 1.0;",
            "p = q;",
            "(p, q) = (q, p);",
            "let ref mut r = p; *r = q;",
            "match p { ref mut r => *r = q }",
        ] {
            assert!(kept(changed), "{changed}");
        }
    }
}
