import * as z from 'zod';
import { field, instant, text } from '../contract/field.ts';
import { contentHash } from '../json/canonical-json.ts';

/** Something that was not understood: kept whole, but for the keys in it, until it is redriven or expires. */
export const QuarantineEntry = z
  .object({
    reason: field(text, 'Why it was not understood.'),
    account: field(text.optional(), 'The account whose key or address it came with; absent for a stranger’s.'),
    body: field(z.string(), 'What was sent, decoded, without the keys.', { personal: true }),
    receivedAt: field(instant, 'When it was received.'),
  })
  .meta({ title: 'Quarantine entry' });
export type QuarantineEntry = z.infer<typeof QuarantineEntry>;

/** What strangers may leave: this much of a body, in bytes, and so many bodies a minute. Beyond that nothing is kept. */
export const strangersBodyBytes = 16 * 1024;
export const strangersPerMinute = 100;

/** A row takes 400 KB; escapes can make a body larger than it was. */
const accountsBodyBytes = 350 * 1024;

const dayS = 86_400;

const cutTo = (bytes: number, body: string): string =>
  Buffer.byteLength(body) <= bytes
    ? body
    : Buffer.from(body)
        .subarray(0, bytes - 3)
        .toString();

/** The minute of a stranger's post, which bounds the rate: its row counts the posts that were kept. */
export const strangersMinute = ({ receivedAt }: QuarantineEntry) => ({
  id: `strangers#${receivedAt.slice(0, 16)}`,
  expiresAt: Math.floor(Date.parse(receivedAt) / 1000) + dayS,
});

/**
 * The row of an entry. An account's is named by its content, so that a repeated post is one row; a stranger's by its
 * minute and its number in it.
 */
export const quarantineRow = (entry: QuarantineEntry, retentionDays: number, number = 0) => {
  const { account, reason, receivedAt } = entry;
  const body = cutTo(account === undefined ? strangersBodyBytes : accountsBodyBytes, entry.body);

  return {
    id: account === undefined ? `${strangersMinute(entry).id}#${number}` : contentHash([account, reason, entry.body]),
    reason,
    ...(account !== undefined && { account }),
    body,
    ...(body.length < entry.body.length && { truncated: true, bytes: Buffer.byteLength(entry.body) }),
    receivedAt,
    expiresAt: Math.floor(Date.parse(receivedAt) / 1000) + retentionDays * dayS,
  };
};
