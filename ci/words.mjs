/** The words of a line as a shell would split it: quotes keep spaces, a backslash keeps one character; nothing is expanded. */
export const wordsOf = (line) => [...line.matchAll(/(?:[^\s"'\\]|\\[^]|"(?:[^"\\]|\\[^])*"|'[^']*')+/g)].map(([word]) => word.replace(/\\([^])|"((?:[^"\\]|\\[^])*)"|'([^']*)'/g, (_, one, double, single) => one ?? single ?? double.replace(/\\([^])/g, '$1')));
