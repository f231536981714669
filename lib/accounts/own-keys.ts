import { redactedText } from './known-secrets.ts';
import type { Redactor } from './redact-secrets.ts';

/** The texts around the masks of a redacted text: mask n, counted from 0, stands between the pieces n and n + 1. */
const textsAround = (redacted: string): readonly string[] => redacted.split(redactedText);

/** The masks that are the value of a field named like a key. */
const masksOfFields = (pieces: readonly string[]): readonly number[] =>
  pieces.flatMap((before, mask) =>
    /"api[_-]?key\s*"\s*:\s*"$/i.test(before) && pieces[mask + 1]?.startsWith('"') ? [mask] : [],
  );

/** Follows the masks of an account's own keys while they are looked for. No text of a call has this character. */
const ownMark = '\uFFFF';

/** The most masks that are noted of a text. */
const maxNoted = 20;

/**
 * Which masks of a text hide one of these keys of its account, once it is redacted. Others hide somebody else's key, or are
 * asterisks of the sender. Undefined if they are those of the fields named like a key, as nearly always.
 */
export const ownMasks = (redact: Redactor, sent: string, keys: readonly string[]): readonly number[] | undefined => {
  const maskOf = (key: string): string => (keys.includes(key) ? `${redactedText}${ownMark}` : redactedText);
  const pieces = textsAround(redact(sent, { known: maskOf, named: maskOf }));
  const own = pieces.slice(1).flatMap((after, mask) => (after.startsWith(ownMark) ? [mask] : []));
  const ofFields = masksOfFields(pieces.map((piece) => piece.replace(ownMark, '')));
  return own.length > maxNoted || String(own) === String(ofFields) ? undefined : own;
};

/** A key as it is written behind this text: in an address it is percent-encoded. */
const keyBehind = (before: string, key: string): string =>
  /(?:=|%3D)$/i.test(before) ? encodeURIComponent(key) : JSON.stringify(key).slice(1, -1);

/**
 * A redacted text with the account's key where it was, as `ownMasks` noted. Without a note only fields have it again: another
 * mask may stand in a link to somebody else's host, or in what an agent wrote.
 */
export const withOwnKey = (redacted: string, key: string, noted?: readonly number[]): string => {
  const pieces = textsAround(redacted);
  const own = new Set(noted ?? masksOfFields(pieces));
  const filled = pieces
    .slice(0, -1)
    .map((piece, mask) => `${piece}${own.has(mask) ? keyBehind(piece, key) : redactedText}`);
  return `${filled.join('')}${pieces.at(-1)}`;
};
