import type { RecordKey } from '../calls/call-record.ts';
import { compressText, contentHash, decompressText } from '../core/encoding.ts';
import { jsonBytes } from '../core/json.ts';
import { expiresAt } from '../core/time.ts';
import type { QuarantineEntry } from './schema.ts';

/** Stores what could not be processed, with the reason. */
export interface Quarantine {
  /** Throws when the table cannot be reached, or not before `signal` aborts. */
  store(entry: QuarantineEntry, signal: AbortSignal): Promise<void>;
}

/** The longest body of an entry: DynamoDB accepts rows of 400 KB. */
const maxBodyBytes = 380 * 1024;
/** The longest body of a message of the parking queue, as JSON: SQS accepts 1 MiB. */
export const messageBodyBytes = 900 * 1024;

/**
 * Makes an entry that fits into a row and into a message of the parking queue. A body that does not fit is compressed. What
 * does not fit even then is truncated. `bytes` is its true length.
 */
export const quarantineEntry = (entry: Omit<QuarantineEntry, 'bytes' | 'storedAs'>): QuarantineEntry => {
  const bytes = Buffer.byteLength(entry.body);
  if (bytes <= maxBodyBytes && jsonBytes(entry.body) <= messageBodyBytes) return entry;
  return { ...entry, bytes, storedAs: 'gzip', body: gzipped(entry.body) };
};

/** As much of a text as fits into a row when it is compressed: with call summaries some 3 MB, so usually all of it. */
const gzipped = (text: string): string => {
  let bytes = Buffer.from(text);
  for (;;) {
    const body = compressText(bytes);
    if (body.length <= maxBodyBytes) return body;
    // Every round leaves nine tenths at most, so there are few.
    bytes = bytes.subarray(0, Math.floor((bytes.length * 0.9 * maxBodyBytes) / body.length));
  }
};

/** The body of an entry as text. */
export const bodyOf = ({ body, storedAs }: Pick<QuarantineEntry, 'body' | 'storedAs'>): string =>
  storedAs === 'gzip' ? decompressText(body) : body;

/** Whether quarantine has only the beginning of a body. */
export const isTruncated = (entry: Pick<QuarantineEntry, 'body' | 'storedAs' | 'bytes'>): boolean =>
  entry.bytes !== undefined && entry.bytes > Buffer.byteLength(bodyOf(entry));

/** Whether an entry is a stranger's. An earlier version kept such; they expire. */
export const isUnknownSender = ({ account, viaSecret }: Pick<QuarantineEntry, 'account' | 'viaSecret'>): boolean =>
  account === undefined && viaSecret === undefined;

/** The body of an entry for a record that was too large for a row: its key, and its text once. */
export const notStorableBody = (key: RecordKey, text: string): string => JSON.stringify({ key, text });

/** The row of an entry. Its id is the hash of its content, so a repeated post is one row. */
export const quarantineRow = (entry: QuarantineEntry, retentionDays: number) => {
  const { account, reason, receivedAt } = entry;
  return {
    ...entry,
    id: contentHash([account ?? null, reason, bodyOf(entry)]),
    expiresAt: expiresAt(receivedAt, retentionDays),
  };
};
