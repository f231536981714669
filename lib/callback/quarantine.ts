import { compressText, contentHash, decompressText } from '../core/encoding.ts';
import { jsonBytes } from '../core/json.ts';
import { expiresAt } from '../core/time.ts';
import type { QuarantineEntry } from './schema.ts';

/** Stores what could not be processed, with the reason. */
export interface Quarantine {
  /**
   * `dropped` means that the limit for unknown senders is reached.
   * Throws when the table cannot be reached, or not before `signal` aborts.
   */
  store(entry: QuarantineEntry, signal: AbortSignal): Promise<'stored' | 'dropped'>;
}

/** The limits for unknown senders: bytes of a body, and bodies a minute. Whatever exceeds them is not stored. */
export const unknownSenderBodyBytes = 16 * 1024;
export const unknownSenderEntriesPerMinute = 100;

/** The longest retention of an unknown sender's entry. */
const unknownSenderDays = 7;

/** The longest body of an account's entry: DynamoDB accepts rows of 400 KB. */
const accountBodyBytes = 380 * 1024;
/** The longest body of a message of the parking queue, as JSON: SQS accepts 1 MiB. */
export const messageBodyBytes = 900 * 1024;

/**
 * Makes an entry that fits into a row and into a message of the parking queue. A known sender's body that does not fit is
 * compressed. What does not fit even then is truncated, as is an unknown sender's long body. `bytes` is its true length.
 */
export const quarantineEntry = (entry: Omit<QuarantineEntry, 'bytes' | 'storedAs'>): QuarantineEntry => {
  const bytes = Buffer.byteLength(entry.body);
  if (isUnknownSender(entry))
    return bytes <= unknownSenderBodyBytes ? entry : { ...entry, bytes, body: truncated(entry.body) };
  if (bytes <= accountBodyBytes && jsonBytes(entry.body) <= messageBodyBytes) return entry;
  return { ...entry, bytes, storedAs: 'gzip', body: gzipped(entry.body) };
};

/** The beginning of an unknown sender's body. Half a character becomes the replacement character of three bytes. */
const truncated = (body: string): string =>
  Buffer.from(body)
    .subarray(0, unknownSenderBodyBytes - 3)
    .toString();

/** As much of a text as fits into a row when it is compressed: with call summaries some 3 MB, so usually all of it. */
const gzipped = (text: string): string => {
  let bytes = Buffer.from(text);
  for (;;) {
    const body = compressText(bytes);
    if (body.length <= accountBodyBytes) return body;
    // Every round leaves nine tenths at most, so there are few.
    bytes = bytes.subarray(0, Math.floor((bytes.length * 0.9 * accountBodyBytes) / body.length));
  }
};

/** The body of an entry as text. */
export const bodyOf = ({ body, storedAs }: Pick<QuarantineEntry, 'body' | 'storedAs'>): string =>
  storedAs === 'gzip' ? decompressText(body) : body;

/** Whether quarantine has only the beginning of a body. */
export const isTruncated = (entry: Pick<QuarantineEntry, 'body' | 'storedAs' | 'bytes'>): boolean =>
  entry.bytes !== undefined && entry.bytes > Buffer.byteLength(bodyOf(entry));

/** Whether an entry came without an account's key and not to the secret address. */
export const isUnknownSender = ({ account, viaSecret }: Pick<QuarantineEntry, 'account' | 'viaSecret'>): boolean =>
  account === undefined && viaSecret === undefined;

/**
 * The row of an entry. The id of an account's entry is the hash of its content, so a repeated post is one row. The id
 * of an unknown sender's entry is its minute and `number`, its number in that minute.
 */
export const quarantineRow = (entry: QuarantineEntry, retentionDays: number, number = 0) => {
  const { account, reason, receivedAt } = entry;
  const days = isUnknownSender(entry) ? Math.min(unknownSenderDays, retentionDays) : retentionDays;
  return {
    ...entry,
    id: isUnknownSender(entry)
      ? `${unknownSenderMinute(entry).id}#${number}`
      : contentHash([account ?? null, reason, bodyOf(entry)]),
    expiresAt: expiresAt(receivedAt, days),
  };
};

/** The key and expiry of the row that counts the entries of unknown senders in one minute, and so limits their rate. */
export const unknownSenderMinute = ({ receivedAt }: QuarantineEntry) => ({
  id: `unknown-sender#${receivedAt.slice(0, 16)}`,
  expiresAt: expiresAt(receivedAt, unknownSenderDays),
});
