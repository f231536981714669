/** A character of a text, by its index, and what stands in its place. */
interface Edit {
  readonly at: number;
  readonly by: string;
}

/**
 * JSON as its sender meant it, where that is beyond doubt: a line end, a tab or another control character in a string
 * without its escape, a `\'`, and a comma behind the last entry. Undefined if the text has none of them. Only for a text
 * that is no JSON, which is read once. An error of any other kind stays.
 */
export const mendedJson = (broken: string): string | undefined => {
  const edits: Edit[] = [];
  let previous = '';
  let comma: number | undefined;

  for (let at = 0; at < broken.length; at++) {
    const character = broken.charAt(at);
    if (blanks.has(character)) continue;
    if (comma !== undefined && (character === ']' || character === '}')) edits.push({ at: comma, by: '' });
    // A comma behind no entry leaves a gap, in which something may be missing.
    comma = character === ',' && !'[{,:'.includes(previous) ? at : undefined;
    previous = character;
    if (character === '"') at = mendString(broken, at + 1, edits);
  }
  return edits.length === 0 ? undefined : edited(broken, edits);
};

/** What may stand between the tokens of JSON. */
const blanks = new Set(' \t\n\r');

/** Adds the edits of the string that begins at `start`, and returns the index of the quote that ends it. */
const mendString = (text: string, start: number, edits: Edit[]): number => {
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return at;
    if (character < ' ') edits.push({ at, by: JSON.stringify(character).slice(1, -1) });
    if (character !== '\\') continue;
    if (text[at + 1] === "'") edits.push({ at, by: '' });
    at += 1;
  }
  return text.length;
};

const edited = (text: string, edits: readonly Edit[]): string => {
  const parts = edits.map(({ at, by }, index) => text.slice((edits[index - 1]?.at ?? -1) + 1, at) + by);
  return parts.join('') + text.slice((edits.at(-1)?.at ?? -1) + 1);
};
