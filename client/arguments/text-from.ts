import { maxKeyLength } from '../../lib/record/row-keys.ts';

/**
 * A text by which something is looked up. Throws a TypeError for anything but a text that says something, and a
 * RangeError for one that is too long to be a key; neither repeats the text.
 */
export const textFrom = (name: string, value: unknown): string => {
  if (typeof value !== 'string' || value === '' || !value.isWellFormed())
    throw new TypeError(`${name}: expected text that is not empty. Ids are text too: numbers lose digits.`);
  if (encodeURIComponent(value).length > maxKeyLength)
    throw new RangeError(`${name}: expected at most ${maxKeyLength} characters, as encoded in keys.`);
  return value;
};
