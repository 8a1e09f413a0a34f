//! The difference between two texts, line by line: the longest common subsequence stays.

/// Lines that go and lines that come, each change with a line before and behind it.
pub fn difference(before: &str, after: &str) -> String {
    let (before, after): (Vec<_>, Vec<_>) = (before.lines().collect(), after.lines().collect());
    let lines = edits(&before, &after);
    let near = |k: usize| lines[k.saturating_sub(1)..lines.len().min(k + 2)].iter().any(|line| line.0 != ' ');
    let mut text = String::new();
    for (k, (mark, line)) in lines.iter().enumerate().filter(|(k, _)| near(*k)) {
        if k > 1 && !near(k - 1) && !text.is_empty() {
            text += "  ..\n";
        }
        text += &format!("{mark} {line}\n");
    }
    text
}

/// All lines of both texts, marked; as many as possible stay, if differently indented.
fn edits<'t>(before: &[&'t str], after: &[&'t str]) -> Vec<(char, &'t str)> {
    let common = common_lines(before, after);
    let (mut i, mut j, mut lines) = (0, 0, Vec::new());
    while i < before.len() || j < after.len() {
        let goes = i < before.len() && (j == after.len() || common[i + 1][j] >= common[i][j + 1]);
        match (before.get(i), after.get(j)) {
            (Some(line), Some(other)) if line.trim() == other.trim() => lines.push((' ', *other)),
            (Some(line), _) if goes => lines.push(('-', *line)),
            (_, other) => lines.push(('+', other.expect("a line is left"))),
        }
        let mark = lines[lines.len() - 1].0;
        i += usize::from(mark != '+');
        j += usize::from(mark != '-');
    }
    lines
}

/// The length of the longest common subsequence of lines, from each line of both texts on.
fn common_lines(before: &[&str], after: &[&str]) -> Vec<Vec<usize>> {
    let mut common = vec![vec![0; after.len() + 1]; before.len() + 1];
    for i in (0..before.len()).rev() {
        for j in (0..after.len()).rev() {
            let same = before[i].trim() == after[j].trim();
            common[i][j] = if same { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    common
}
