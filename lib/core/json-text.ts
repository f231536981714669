// What the text of JSON shows without a parser: its tokens, the texts of its parts, and how deep it is.

/** For `visitTokens`: the beginning of a string, and outside of strings what matches a pattern. */
export const stringOr = (pattern: string): RegExp => new RegExp(`"|${pattern}`, 'g');

/**
 * Visits every string of a JSON text, and outside of strings what matches a pattern, in order, until `visit` returns false. The text
 * must be valid JSON. The end of a string is searched for: an expression for all of it keeps a way back from each escape, which
 * at three million overflows.
 */
export const visitTokens = (valid: string, pattern: RegExp, visit: (token: string, at: number) => unknown): void => {
  const next = new RegExp(pattern);
  for (let found = next.exec(valid); found !== null; found = next.exec(valid)) {
    const { 0: mark, index: at } = found;
    if (mark === '"') next.lastIndex = endOfString(valid, at);
    if (visit(mark === '"' ? valid.slice(at, next.lastIndex) : mark, at) === false) return;
  }
};

const endOfString = (valid: string, start: number): number => {
  let end = valid.indexOf('"', start + 1);
  while (isEscaped(valid, end)) end = valid.indexOf('"', end + 1);
  return end < 0 ? valid.length : end + 1;
};

const isEscaped = (valid: string, at: number): boolean => {
  let start = at;
  while (valid[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
};

/** Replaces the tokens that `visitTokens` visits. */
export const replaceTokens = (
  valid: string,
  pattern: RegExp,
  replace: (token: string, at: number) => string,
): string => {
  const parts: string[] = [];
  let end = 0;
  visitTokens(valid, pattern, (token, at) => {
    const replaced = replace(token, at);
    if (replaced === token) return;
    parts.push(valid.slice(end, at), replaced);
    end = at + token.length;
  });
  return `${parts.join('')}${valid.slice(end)}`;
};

/** A number in JSON that is known to be valid. */
export const jsonNumber = String.raw`-?\d[\d.eE+-]*`;

/** Up to this depth the time that `JSON.parse` takes is linear in the length. Anybody can post a million brackets. */
const maxParsedDepth = 20_000;

/** Whether a text has more brackets in brackets than `JSON.parse` takes in linear time. */
export const isFarTooDeep = (text: string): boolean => {
  // Nearly every text has too few brackets, which is seen at once.
  if (countOf(text, '[') + countOf(text, '{') <= maxParsedDepth) return false;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length && depth <= maxParsedDepth; at += 1) {
    const character = text.charAt(at);
    if (character === '"') isInString = !isInString;
    else if (!isInString) depth += depthChanges.get(character) ?? 0;
    else if (character === '\\') at += 1;
  }
  return depth > maxParsedDepth;
};

/** Counts no further than one above `most`. */
const countOf = (text: string, mark: string, most = maxParsedDepth): number => {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0 && count <= most; at = text.indexOf(mark, at + 1)) count += 1;
  return count;
};

export interface JsonPart {
  /** The name of a field; empty for an element of a list. */
  readonly name: string;
  readonly text: string;
}

const stringOrMark = stringOr(String.raw`[[\]{},]`);
export const depthChanges: ReadonlyMap<string, number> = new Map(Object.entries({ '[': 1, '{': 1, ']': -1, '}': -1 }));

/** Cuts the text of a list or object into those of its elements or fields, to the letter. The text must be valid JSON. */
export const jsonParts = (valid: string): readonly JsonPart[] => {
  const cuts: number[] = [];
  let depth = 0;
  visitTokens(valid, stringOrMark, (token, at) => {
    const outer = depth;
    depth += depthChanges.get(token) ?? 0;
    const isEnd = outer + depth === 1;
    if (isEnd || (token === ',' && depth === 1)) cuts.push(at);
  });
  return cuts.slice(1).flatMap((end, index) => {
    const part = valid.slice((cuts[index] ?? 0) + 1, end).trim();
    return part === '' ? [] : partOf(part);
  });
};

const colon = /\s*:\s*/y;

const partOf = (text: string): JsonPart => {
  const endOfName = text.startsWith('"') ? endOfString(text, 0) : 0;
  colon.lastIndex = endOfName;
  return colon.test(text)
    ? { name: JSON.parse(text.slice(0, endOfName)), text: text.slice(colon.lastIndex) }
    : { name: '', text };
};

/** Whether an object in JSON has more than `most` fields, each of one name counted. Nearly every text has too few colons. */
export const hasMoreFields = (valid: string, most: number): boolean => {
  if (countOf(valid, ':', most) <= most) return false;
  let depth = 0;
  let fields = 1;
  visitTokens(valid, stringOrMark, (token) => {
    depth += depthChanges.get(token) ?? 0;
    if (token === ',' && depth === 1) fields += 1;
    return fields <= most;
  });
  return fields > most;
};
