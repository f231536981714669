import { nonBlank } from './blank.ts';

const arrow = /(?:^|\s)->(?=\s|$)/;

/**
 * The values that a transfer or conference joined with ` -> `, blanks left out; undefined if none is left.
 * Practice: chains of one call are not aligned with each other, so a position means nothing across fields.
 * @example chain(' -> 1001 -> 1002') // ['1001', '1002']
 */
export const chain = (text: string | undefined): readonly string[] | undefined =>
  text?.includes('->') ? listOf(text.split(arrow)) : listOf(text === undefined ? undefined : [text]);

/**
 * The distinct URLs of a recording field, in the order sent; undefined if there is none.
 * Practice: several are joined with a comma or ` -> `, and the same one may be repeated. Only a comma before a new
 * URL separates, since a URL may hold one itself.
 */
export const recordings = (text: string | undefined): readonly string[] | undefined =>
  distinct(listOf(text?.split(/(?:^|\s)->(?=\s|$)|,(?=\s*(?:[a-z][a-z\d+.-]*:\/\/|$))/i)));

const distinct = (list: readonly string[] | undefined) => list && [...new Set(list)];

const listOf = (parts: readonly string[] | undefined): readonly string[] | undefined => {
  const list = parts?.map(nonBlank).filter((part) => part !== undefined);
  return list === undefined || list.length === 0 ? undefined : list;
};
