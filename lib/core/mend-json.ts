/** A part of a text, and what stands in its place. */
interface Edit {
  readonly from: number;
  readonly to: number;
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
    if (comma !== undefined && (character === ']' || character === '}'))
      edits.push({ from: comma, to: comma + 1, by: '' });
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
    if (character < ' ') {
      const to = endOfControls(text, at);
      edits.push({ from: at, to, by: JSON.stringify(text.slice(at, to)).slice(1, -1) });
      at = to - 1;
    } else if (character === '\\') {
      if (text[at + 1] === "'") edits.push({ from: at, to: at + 1, by: '' });
      at += 1;
    }
  }
  return text.length;
};

const endOfControls = (text: string, start: number): number => {
  let end = start + 1;
  while (end < text.length && text.charAt(end) < ' ') end += 1;
  return end;
};

const edited = (text: string, edits: readonly Edit[]): string => {
  let end = 0;
  const parts = edits.map(({ from, to, by }) => {
    const part = text.slice(end, from) + by;
    end = to;
    return part;
  });
  return parts.join('') + text.slice(end);
};
