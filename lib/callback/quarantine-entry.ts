import type { QuarantineEntry } from '../contract/quarantine-entry.ts';
import { contentHash } from '../json/canonical-json.ts';
import { jsonBytes } from '../json/json-bytes.ts';
import { expiresAt } from '../time/expires-at.ts';

export type { QuarantineEntry };

/** What strangers may leave: this much of a body, in bytes, and so many bodies a minute. Beyond that nothing is kept. */
export const strangersBodyBytes = 16 * 1024;
export const strangersPerMinute = 100;

/** And for so many days at most. */
const strangersDays = 7;

/** A row takes 400 KB, a message of the parking queue 1 MiB, in which a control character is six bytes long. */
const accountsBodyBytes = 350 * 1024;
const messageBodyBytes = 900 * 1024;

/** Whether it came from somebody who named neither a live key nor the secret address. */
export const isStrangers = ({ account, viaSecret }: Pick<QuarantineEntry, 'account' | 'viaSecret'>): boolean =>
  account === undefined && viaSecret === undefined;

const roomFor = ({ body, ...from }: QuarantineEntry): number => {
  if (isStrangers(from)) return strangersBodyBytes;
  return jsonBytes(body) <= messageBodyBytes ? accountsBodyBytes : messageBodyBytes / 6;
};

/** An entry that fits wherever it may have to be kept; a body that does not is cut, which its `bytes` tell. */
export const quarantineEntry = (entry: Omit<QuarantineEntry, 'bytes'>): QuarantineEntry => {
  const bytes = Buffer.byteLength(entry.body);
  const room = roomFor(entry);
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
export const strangersMinute = ({ receivedAt }: QuarantineEntry) => ({
  id: `strangers#${receivedAt.slice(0, 16)}`,
  expiresAt: expiresAt(receivedAt, strangersDays),
});

/**
 * The row of an entry. An account's is named by its content, so that a repeated post is one row; a stranger's by its
 * minute and its number in it.
 */
export const quarantineRow = (entry: QuarantineEntry, retentionDays: number, number = 0) => {
  const { account, reason, body, receivedAt } = entry;
  const days = isStrangers(entry) ? Math.min(strangersDays, retentionDays) : retentionDays;
  return {
    ...entry,
    id: isStrangers(entry) ? `${strangersMinute(entry).id}#${number}` : contentHash([account ?? null, reason, body]),
    expiresAt: expiresAt(receivedAt, days),
  };
};
