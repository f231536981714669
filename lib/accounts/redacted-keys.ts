import { redactedText } from './known-secrets.ts';

/** The texts around the masks of a redacted text: mask n, counted from 0, stands between the pieces n and n + 1. */
const piecesOf = (redacted: string): readonly string[] => redacted.split(redactedText);

/** The masks that are the value of a field named like a key. */
const masksOfFields = (pieces: readonly string[]): readonly number[] =>
  pieces.flatMap((before, mask) =>
    /"api[_-]?key\s*"\s*:\s*"$/i.test(before) && pieces[mask + 1]?.startsWith('"') ? [mask] : [],
  );

/** A key as it is written behind this text: in an address it is percent-encoded. */
const keyBehind = (before: string, key: string): string =>
  /(?:=|%3D)$/i.test(before) ? encodeURIComponent(key) : JSON.stringify(key).slice(1, -1);

/** The most masks that are noted of a text. */
const maxNoted = 20;

/**
 * Which masks of a redacted text hide one of these keys of its account. Others hide somebody else's key, or are asterisks of
 * the sender. Undefined if they are those of the fields named like a key, as nearly always, or if nobody can tell: the
 * redaction writes a text with odd escapes anew.
 */
export const ownMasks = (sent: string, redacted: string, keys: readonly string[]): readonly number[] | undefined => {
  if (sent === redacted) return undefined;
  const pieces = piecesOf(redacted);
  const own = masksOfKeys(sent, pieces, keys);
  return own.length > maxNoted || String(own) === String(masksOfFields(pieces)) ? undefined : own;
};

/** The masks that hide these keys: each piece is looked for in what was sent, behind the one before it. */
const masksOfKeys = (sent: string, pieces: readonly string[], keys: readonly string[]): readonly number[] => {
  const own: number[] = [];
  let at = 0;
  for (const [mask, before] of pieces.slice(0, -1).entries()) {
    if (!sent.startsWith(before, at)) return masksOfFields(pieces);
    at += before.length;
    const hidden = [redactedText, ...keys.map((key) => keyBehind(before, key))].find((text) =>
      sent.startsWith(text, at),
    );
    if (hidden !== undefined && hidden !== redactedText) own.push(mask);
    at = hidden === undefined ? sent.indexOf(pieces[mask + 1] ?? '', at) : at + hidden.length;
    if (at < 0) return masksOfFields(pieces);
  }
  return sent.slice(at) === pieces.at(-1) ? own : masksOfFields(pieces);
};

/**
 * A redacted text with the account's key where it was, as `ownMasks` noted. Without a note only fields have it again: another
 * mask may stand in a link to somebody else's host, or in what an agent wrote.
 */
export const withOwnKey = (redacted: string, key: string, noted?: readonly number[]): string => {
  const pieces = piecesOf(redacted);
  const own = new Set(noted ?? masksOfFields(pieces));
  const filled = pieces
    .slice(0, -1)
    .map((piece, mask) => `${piece}${own.has(mask) ? keyBehind(piece, key) : redactedText}`);
  return `${filled.join('')}${pieces.at(-1)}`;
};
