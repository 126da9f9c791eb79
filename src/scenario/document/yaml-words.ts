interface Words {
  readonly message: string;
  readonly hint: string;
}

/** What the YAML library's error codes mean to somebody who has never met them. `lineSoFar` and `found` are the text before and at the place. */
export const sayInWords = (code: string, original: string, lineSoFar: string, found: string): Words => {
  switch (code) {
    case 'TAB_AS_INDENT':
      return { message: 'expected spaces at the start of the line, found a tab', hint: 'YAML is indented with spaces only: two for each level' };
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return {
        message: 'expected one `key: value` on this line, found a second colon or a line that is indented too far',
        hint: 'put a text that contains `: ` in quotes; give keys of one map the same indentation',
      };
    case 'BAD_SCALAR_START':
      return { message: `expected a value, found \`${found}\`, which YAML keeps for itself`, hint: 'put the text in quotes' };
    case 'MISSING_CHAR':
      return /quote/.test(original)
        ? { message: 'expected a closing quote for the one that is opened here, found none', hint: 'close it in the same line' }
        : { message: `expected ${bracketIn(original) ?? 'a `key: value`'}, found ${found ? `\`${found.trim() || 'the end of the line'}\`` : 'the end of the file'}`, hint: 'close every bracket, and write a colon and a space after every key' };
    case 'BAD_INDENT':
      return bracketIn(original)
        ? { message: `expected ${bracketIn(original)} before this place: a bracket opened further up is still open`, hint: 'close it, or indent the lines inside it' }
        : { message: 'expected the same indentation as the lines above', hint: 'keys of one map begin in the same column' };
    case 'TAG_RESOLVE_FAILED':
      return { message: 'expected a plain value, found a YAML tag (`!…`)', hint: 'remove the tag: the language needs none' };
    case 'UNEXPECTED_TOKEN':
      return lineSoFar.trim() === ''
        ? { message: 'expected this line to be indented like the others of its map', hint: 'keys of one map begin in the same column' }
        : { message: `expected a value or the end of the line, found \`${found}\``, hint: 'put a text with special characters in quotes; begin a list on the next line' };
    default:
      return { message: `this is not valid YAML: ${original.charAt(0).toLowerCase()}${original.slice(1)}`, hint: 'check brackets, quotes and indentation around this place' };
  }
};

const bracketIn = (original: string): string | undefined => {
  const match = /(?:end with a|closing) ([\]}])/.exec(original);
  return match ? `a closing \`${match[1]}\`` : undefined;
};
