/** What every shell takes as it is. A `=`, `~` or `#` in front means something to some of them. */
const plainWord = /^[\w.@:/+,-]+$/;

/** What no quotes protect from a terminal or a clipboard: control characters, line ends, invisible characters, blanks but the space. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** A shell takes this for a comment, and does nothing. */
const noCommand = '# No command can hold this: a value has a character that no argument may have.';

/**
 * A command as people paste it into bash or zsh: each word arrives there as it is, whatever is in it. No argument can hold a
 * NUL or half a character, so such a command is a comment.
 * @example commandText(['npx', 'callfeed', 'calls', '--skill', "It's $(id)"]) // npx callfeed calls --skill 'It'\''s $(id)'
 */
export const commandText = (words: readonly string[]): string =>
  words.some((word) => word.includes('\0') || !word.isWellFormed()) ? noCommand : words.map(wordText).join(' ');

const wordText = (word: string): string => {
  if (plainWord.test(word)) return word;
  return unseen.test(word) ? `$'${[...word].map(escaped).join('')}'` : `'${word.replaceAll("'", String.raw`'\''`)}'`;
};

/** A character within `$'…'`, by its bytes where it may mean something there: a quote, a backslash, and what a history expands. */
const escaped = (character: string): string =>
  unseen.test(character) || /['\\!]/.test(character)
    ? [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
    : character;
