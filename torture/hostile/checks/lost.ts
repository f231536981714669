import * as vocabularies from '../../../lib/call-summary/vocabularies.ts';
import { parsed } from '../../../lib/json/parsed.ts';
import { nonBlank } from '../../../lib/text/blank.ts';
import { instantOf } from '../../../lib/time/instant-of.ts';
import { secondsFrom } from '../../../lib/time/seconds-from.ts';
import { accounts, secrets } from '../accounts.ts';
import type { Trial } from '../receiver.ts';
import { readings, unescaped } from './escapes.ts';
import type { Sent } from './sent-values.ts';
import { textsIn } from './texts-in.ts';

const words = Object.values(vocabularies);
const folded = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '');

/** What a value may have become: a word of ours, seconds, an instant. */
const meaningsOf = (text: string): readonly (string | undefined)[] => [
  secondsFrom(text)?.toString(),
  ...accounts.map(({ timeZone }) => instantOf(text, timeZone)?.at),
  ...words.map(({ bySpelling }) => bySpelling.get(folded(text))),
];

const separators = /(?:^|\s)->(?=\s|$)|,(?=\s*(?:[a-z][a-z\d+.-]*:\/\/|$))/i;

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Too short to be found within other texts otherwise than by chance. */
const shortest = 4;

const withReading = (texts: readonly string[]): string => {
  const joined = texts.join('\n');
  return joined.includes('\\') ? `${joined}\n${unescaped(joined)}` : joined;
};

const finder = ({ calls, quarantine }: Trial) => {
  // A record that no row could hold is kept as it was to be stored.
  const records = quarantine.filter(({ reason }) => reason === 'not-storable').map(({ body }) => parsed(String(body)));
  const texts = textsIn([calls, quarantine, records]);
  const whole = new Set(texts);
  const all = withReading(texts);
  const bodies = withReading(quarantine.map(({ body }) => String(body)));
  const isWithin = (text: string) =>
    [text, inJson(text), inJson(inJson(text))].some((writing) =>
      // A name that is too long for one is kept as the beginning of its value.
      [
        bodies.includes(writing),
        ...(text.length < shortest ? ['"', ': '] : ['']).map((before) => all.includes(before + writing)),
      ].includes(true),
    );
  const isFound = (text: string): boolean => {
    if (nonBlank(text) === undefined || whole.has(text) || whole.has(text.trim())) return true;
    if (isWithin(text) || isWithin(text.trim())) return true;
    if (meaningsOf(text.trim()).some((meaning) => meaning !== undefined && whole.has(meaning))) return true;
    const parts = text.split(separators).flatMap((part) => nonBlank(part) ?? []);
    return (parts.length !== 1 || parts[0] !== text.trim()) && parts.every(isFound);
  };
  return isFound;
};

/** Texts with keys in them are kept with the keys masked. */
const isMasked = (text: string): boolean =>
  readings(text).some((reading) => /api[_-]?key/i.test(reading) || secrets.some((secret) => reading.includes(secret)));

/** What strangers send, and what is too large for a row, is cut, and says so. */
const isCut = ({ quarantine }: Trial): boolean => quarantine.some(({ bytes }) => bytes !== undefined);

/** Values that were sent and taken in, and are found nowhere. */
export const lost = (sent: Sent, trial: Trial): readonly string[] => {
  if (isCut(trial)) return [];
  const isFound = finder(trial);
  const missing = (sent.values ?? sent.texts).filter(
    (text) => !isMasked(text) && !isFound(text.toWellFormed()) && !isFound(text),
  );
  return missing.map((text) => `Lost: ${JSON.stringify(text.slice(0, 60))} of ${text.length} characters`);
};
