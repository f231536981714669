import { contentHash } from '../core/content-hash.ts';
import { jsonBytes } from '../core/json.ts';
import { expiresAt } from '../core/time.ts';
import type { QuarantineEntry } from './parked.ts';

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

/** DynamoDB accepts a row of 400 KB, and SQS a message of 1 MiB, in which a control character is six bytes long. */
const accountBodyBytes = 350 * 1024;
const messageBodyBytes = 900 * 1024;

/**
 * Makes an entry that fits into a row and into a message of the parking queue. A longer body is truncated; `bytes`
 * shows it.
 */
export const quarantineEntry = (entry: Omit<QuarantineEntry, 'bytes'>): QuarantineEntry => {
  const bytes = Buffer.byteLength(entry.body);
  const maxBytes = maxBytesOf(entry);
  if (bytes <= maxBytes) return entry;
  return {
    ...entry,
    bytes,
    // A truncated character becomes the replacement character, which is three bytes long.
    body: Buffer.from(entry.body)
      .subarray(0, maxBytes - 3)
      .toString(),
  };
};

const maxBytesOf = ({ body, ...from }: QuarantineEntry): number => {
  if (isUnknownSender(from)) return unknownSenderBodyBytes;
  return jsonBytes(body) <= messageBodyBytes ? accountBodyBytes : messageBodyBytes / 6;
};

/** Whether an entry came without an account's key and not to the secret address. */
export const isUnknownSender = ({ account, viaSecret }: Pick<QuarantineEntry, 'account' | 'viaSecret'>): boolean =>
  account === undefined && viaSecret === undefined;

/**
 * The row of an entry. The id of an account's entry is the hash of its content, so a repeated post is one row. The id
 * of an unknown sender's entry is its minute and `number`, its number in that minute.
 */
export const quarantineRow = (entry: QuarantineEntry, retentionDays: number, number = 0) => {
  const { account, reason, body, receivedAt } = entry;
  const days = isUnknownSender(entry) ? Math.min(unknownSenderDays, retentionDays) : retentionDays;
  return {
    ...entry,
    id: isUnknownSender(entry)
      ? `${unknownSenderMinute(entry).id}#${number}`
      : contentHash([account ?? null, reason, body]),
    expiresAt: expiresAt(receivedAt, days),
  };
};

/** The key and expiry of the row that counts the entries of unknown senders in one minute, and so limits their rate. */
export const unknownSenderMinute = ({ receivedAt }: QuarantineEntry) => ({
  id: `unknown-sender#${receivedAt.slice(0, 16)}`,
  expiresAt: expiresAt(receivedAt, unknownSenderDays),
});
