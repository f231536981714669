import { tryParseJson } from './json.ts';

/** How JSON of a list or object begins. An entry of a list of calls may hold no more than the beginning of it. */
const beginning = /^\s*(?:\{\s*"|\[\s*["{[])/;

const isListOrObject = (text: string): boolean => /^\s*[[{]/.test(text) && typeof tryParseJson(text) === 'object';

/**
 * Whether a text is JSON of a list or object, or a list of texts has such an entry. Its entries may also be the pieces of
 * one, as a chain is split at each `->`. The sender put something unexpected there, and nobody knows what is in it.
 */
export const holdsNestedJson = (value: unknown): boolean => {
  const texts = [value].flat().filter((one) => typeof one === 'string');
  return texts.some((text) => beginning.test(text) || isListOrObject(text)) || isListOrObject(texts.join('->'));
};
