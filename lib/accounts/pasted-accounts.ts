import { isObject } from '../core/collections.ts';
import { zoneName } from '../core/time.ts';

/** Gets each field that is not taken as it was pasted, and what is done with it. */
export type OnCorrection = (place: string, correction: string) => void;

/** White space and characters that show nothing, such as a zero-width space, at either end of a text. */
const invisibleEnds = /^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu;

/** A text without what nobody sees at its ends. */
export const visibleText = (text: string): string => text.replace(invisibleEnds, '');

/** An operation of the service, or the folder of some, behind the address to which requests add it. */
const operationAtEnd = /\/(?:ca_apis|ca_reports)(?:\/(?:getAgentLogins|fetch\w+|CAToken\/generateToken))?\/*$/i;

/** Fields whose value is read in more than one spelling, each with what is done with another one. */
const spellings: Readonly<Record<string, { readonly read: (text: string) => string; readonly correction: string }>> = {
  baseUrl: {
    read: (text) => text.replace(operationAtEnd, ''),
    correction: 'the path is left out, as each request adds its own',
  },
  timeZone: { read: zoneName, correction: 'its letter case is corrected' },
};

/**
 * The list of accounts as the person meant it who pasted its values. A key with a line end behind it would pass for a key,
 * and every callback be rejected.
 */
export const pastedAccounts = (list: unknown, onCorrection: OnCorrection): unknown => {
  const read = (value: unknown, place: string, name: string): unknown => {
    if (typeof value === 'string') return readText(value, place, name);
    if (Array.isArray(value)) return readList(value, place, name);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, read(each, `${place}.${key}`, key)]));
  };
  // A key with a blank beside the same key without it is one key: so its accounts were mended before blanks were left out.
  const readList = (values: readonly unknown[], place: string, name: string): readonly unknown[] => {
    const all = values.map((each, index) => read(each, `${place}[${index}]`, name));
    return all.filter(
      (each, index) => !all.slice(0, index).some((one, at) => one === each && values[at] !== values[index]),
    );
  };
  const readText = (text: string, place: string, name: string): string => {
    const visible = visibleText(text);
    if (visible !== text) onCorrection(place, 'a blank, or something else that does not show, is left out at its ends');
    const { read: readSpelling, correction } = spellings[name] ?? {};
    const meant = readSpelling?.(visible) ?? visible;
    if (meant !== visible && correction !== undefined) onCorrection(place, correction);
    return meant;
  };
  return read(list, '', '');
};
