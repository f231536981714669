import { contentHash } from '../core/content-hash.ts';
import { expiresAt } from '../core/instant.ts';
import { jsonBytes } from '../core/parse-json.ts';
import type { QuarantineEntry } from './parked.ts';

export type { QuarantineEntry };

/** What strangers may leave: this much of a body, in bytes, and so many bodies a minute. Beyond that nothing is kept. */
export const unknownSenderBodyBytes = 16 * 1024;
export const unknownSenderEntriesPerMinute = 100;

/** And for so many days at most. */
const unknownSenderDays = 7;

/** A row takes 400 KB, a message of the parking queue 1 MiB, in which a control character is six bytes long. */
const accountBodyBytes = 350 * 1024;
const messageBodyBytes = 900 * 1024;

/** Whether it came from somebody who named neither a live key nor the secret address. */
export const isUnknownSender = ({ account, viaSecret }: Pick<QuarantineEntry, 'account' | 'viaSecret'>): boolean =>
  account === undefined && viaSecret === undefined;

const maxBytesOf = ({ body, ...from }: QuarantineEntry): number => {
  if (isUnknownSender(from)) return unknownSenderBodyBytes;
  return jsonBytes(body) <= messageBodyBytes ? accountBodyBytes : messageBodyBytes / 6;
};

/** An entry that fits wherever it may have to be kept; a body that does not is cut, which its `bytes` tell. */
export const quarantineEntry = (entry: Omit<QuarantineEntry, 'bytes'>): QuarantineEntry => {
  const bytes = Buffer.byteLength(entry.body);
  const room = maxBytesOf(entry);
  if (bytes <= room) return entry;
  return {
    ...entry,
    bytes,
    body: Buffer.from(entry.body)
      .subarray(0, room - 3)
      .toString(),
  };
};

/** The minute of a stranger's post, which bounds the rate: its row counts the posts that were kept. */
export const unknownSenderMinute = ({ receivedAt }: QuarantineEntry) => ({
  id: `unknown-sender#${receivedAt.slice(0, 16)}`,
  expiresAt: expiresAt(receivedAt, unknownSenderDays),
});

/**
 * The row of an entry. An account's is named by its content, so that a repeated post is one row; a stranger's by its
 * minute and its number in it.
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

/** Keeps what was not understood, with the reason. */
export interface Quarantine {
  /** `dropped` means that the bound on what strangers may leave is reached. Throws as above. */
  store(entry: QuarantineEntry, signal: AbortSignal): Promise<'stored' | 'dropped'>;
}
