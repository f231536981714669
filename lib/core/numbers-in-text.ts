import { minDigits, plainText } from './encoding.ts';
import { isMarkedUp, shownText, untaggedText } from './shown-text.ts';

/** Puts `by` in place of what it looks for in a plain text. */
export type TextSearch = (plain: string, by: string) => string;

/**
 * The text with what searches find replaced: in its plain form, as a page shows it, and without tags. A text in which nothing is
 * found stays as it is. Tags are searched too, because they may have a link to a number.
 */
export const replaceFound = (text: string, searches: readonly TextSearch[], by: string): string => {
  const replacedIn = (reading: string): string | undefined => {
    const replaced = searches.reduce((before, search) => search(before, by), reading);
    return replaced === reading ? undefined : replaced;
  };
  const plain = plainText(text);
  let replaced = replacedIn(plain) ?? text;
  if (isMarkedUp(plain))
    for (const read of [shownText, untaggedText]) replaced = replacedIn(read(replaced)) ?? replaced;
  return replaced;
};

export const isFound = (search: TextSearch, text: string): boolean => replaceFound(text, [search], '') !== text;

/** What may stand between two digits of a number in a plain text: anything but letters and digits, and more of what is usual. */
const between = String.raw`(?:[^\p{L}\d]{0,3}|[\s().\u2010-\u2015-]{4,})`;
const isBetween = new RegExp(`^${between}$`, 'u');

/** Dates and times have as many digits as numbers: they are matched first, and are no number. */
const dateOrTime = [
  String.raw`(?<!\d)\d{4}-(?:0\d|1[0-2])-[0-3]\d(?!\d)(?:[T ]\d\d:\d\d(?::\d\d)?(?!\d))?`,
  String.raw`(?<!\d)(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[0-2]\d[0-5]\d[0-5]\d)?(?!\d)`,
  String.raw`(?<!\d/?)(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|[12]\d|3[01])/(?:19|20)\d\d(?!/?\d)`,
  String.raw`(?<!\d:?)(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?!:?\d)`,
].join('|');

const anyNumber = new RegExp(String.raw`${dateOrTime}|([+(]{0,2}\d(?:${between}\d){${minDigits - 1},})`, 'gu');

/** A word with an `@`. Only the beginning of a word is tried, so that a long one is read once. */
const anyAddress = /(?<!\S)[^\s@]*@\S+/g;

const anybody: readonly TextSearch[] = [
  (plain, by) => plain.replace(anyAddress, by),
  (plain, by) => plain.replace(anyNumber, (found, number?: string) => (number === undefined ? found : by)),
];

/** Replaces runs of six digits or more and words with an `@`, but no date or time. */
export const withoutNumbers = (text: string): string => replaceFound(text, anybody, '***');

/** No country's code begins with 0: a plus before that is the blank of an address. */
const plusBefore = /\+[^\p{L}\d]{0,3}(?=[^0]$)/u;

const digitGroup = new RegExp(String.raw`${dateOrTime}|(\d+)`, 'gu');

/** A number has no more digits, even with an exit code and a carrier's in front. */
const maxDigits = 24;

/** Whether digits, behind a `+` if they have one, are the number that is sought, where something stands before them. */
type IsNumber = (digits: string, before: string) => boolean;

/**
 * Searches a text for one number, whose last digits are `ending`. The digits of a number may be written in groups. So each row of
 * neighbouring groups with this ending is a candidate, and `isNumber` decides, the longest row first. A row never begins with
 * a date or a time. As a row has at most 24 digits, the work grows only with the length of the text.
 */
export const numberSearch =
  (ending: string, isNumber: IsNumber): TextSearch =>
  (plain, by) => {
    if (!plain.replace(/\D/g, '').includes(ending)) return plain;

    let replaced = '';
    let done = 0;
    for (const { from, end } of numbersIn(plain, ending, isNumber)) {
      replaced += `${plain.slice(done, from)}${by}`;
      done = end;
    }
    return replaced + plain.slice(done);
  };

/** Where each number begins and ends. What stands before it begins behind a number or a date. */
function* numbersIn(plain: string, ending: string, isNumber: IsNumber) {
  const groups = groupsIn(plain);
  const digits = plain.replace(/\D/g, '');
  let done = 0;
  for (const [index, { start, end, isDate, digitsBefore }] of groups.entries()) {
    if (isDate) done = Math.max(done, end);
    if (start < done) continue;
    const lasts = lastsOfRows(groups.slice(index, index + maxDigits), digitsBefore, digits, ending);
    if (lasts.length === 0) continue;
    const [plus = ''] = plusBefore.exec(plain.slice(Math.max(done, start - 4), start + 1)) ?? [];
    const from = start - plus.length;
    const before = plain.slice(Math.max(done, from - 32), from);
    const last = lasts.findLast(({ digitsUpTo }) =>
      isNumber(`${plus.slice(0, 1)}${digits.slice(digitsBefore, digitsUpTo)}`, before),
    );
    if (last === undefined) continue;
    yield { from, end: last.end };
    done = last.end;
  }
}

/** Digits side by side, or a date or time: where they are in the text, and how many digits of the text are before them, and up to their end. */
interface Group {
  readonly start: number;
  readonly end: number;
  readonly digitsBefore: number;
  readonly digitsUpTo: number;
  readonly isDate: boolean;
  /** Whether it may go on with the number of the group before it. */
  readonly goesOn: boolean;
}

const groupsIn = (plain: string): readonly Group[] => {
  const groups: Group[] = [];
  for (const { 0: group, 1: digits, index: start } of plain.matchAll(digitGroup)) {
    const { end: endBefore = start, digitsUpTo: digitsBefore = 0 } = groups.at(-1) ?? {};
    groups.push({
      start,
      end: start + group.length,
      digitsBefore,
      digitsUpTo: digitsBefore + group.replace(/\D/g, '').length,
      isDate: digits === undefined,
      goesOn: isBetween.test(plain.slice(endBefore, start)),
    });
  }
  return groups;
};

/** The last groups of the rows that begin with the first group, may be one number, and have its ending: the shortest row first. */
const lastsOfRows = (
  groups: readonly Group[],
  digitsBefore: number,
  digits: string,
  ending: string,
): readonly Group[] => {
  const lasts: Group[] = [];
  for (const [index, group] of groups.entries()) {
    const count = group.digitsUpTo - digitsBefore;
    if (count > maxDigits || (index > 0 && !group.goesOn)) break;
    if (count >= ending.length && digits.endsWith(ending, group.digitsUpTo)) lasts.push(group);
  }
  return lasts;
};
