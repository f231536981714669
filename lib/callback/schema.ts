import * as z from 'zod/mini';
import type { Delivery } from '../calls/merge-deliveries.ts';
import { fromStored, storedShape } from '../calls/stored-delivery.ts';
import { tryParseJson } from '../core/json.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { field, instant, nonEmpty } from '../storage/field.ts';

/** A post or record that could not be processed. It is stored without keys until it is redriven or expires. */
export const QuarantineEntry = z
  .object({
    reason: field(nonEmpty, 'Why it was not processed.'),
    account: field(z.optional(nonEmpty), 'The account, if known.'),
    viaSecret: field(z.optional(z.literal(true)), 'It came to the secret address; the account is unknown.'),
    keyFingerprints: field(
      z.optional(z.readonly(z.array(nonEmpty))),
      'The first 8 hexadecimal characters of the SHA-256 of each key in it, if they are not live keys of one account.',
    ),
    body: field(z.string(), 'The decoded content, without keys.', { personal: true }),
    carriedAs: field(
      z.optional(z.enum(['json', 'form', 'unread'])),
      'What the body is: JSON as it was sent, the JSON of a form’s and query’s fields, or content that was not read. Entries of version 1.0 lack it.',
    ),
    keyField: field(
      z.optional(nonEmpty),
      'The field beside the content that held the account’s key. Forwarding puts the key there again.',
    ),
    storedAs: field(z.optional(z.literal('gzip')), 'The body is compressed with gzip, and encoded in base64.'),
    bytes: field(z.optional(z.int()), 'The bytes of the body before it was compressed or truncated.'),
    receivedAt: field(instant, 'When it was received.'),
    erasedAt: field(z.optional(instant), 'When a person was erased from the body.'),
  })
  .register(z.globalRegistry, { title: 'Quarantine entry' });
export type QuarantineEntry = z.infer<typeof QuarantineEntry>;

const ofCall = { account: z.string(), callId: z.string() };
const RecordKey = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), ...ofCall }),
  z.object({ kind: z.literal('participant'), ...ofCall, participantId: z.string() }),
]);

const Parked = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('delivery'),
    key: RecordKey,
    delivery: z.object({ ...storedShape(), facts: z.record(z.string(), z.unknown()) }),
  }),
  z.object({ kind: z.literal('quarantine'), entry: QuarantineEntry }),
]);

/** An item is already normalised, so it holds no key. */
export type StorableItem =
  | { readonly kind: 'delivery'; readonly key: z.infer<typeof RecordKey>; readonly delivery: Delivery }
  | { readonly kind: 'quarantine'; readonly entry: QuarantineEntry };

export const readParked = (body: string): Result<StorableItem, z.core.$ZodError> => {
  const { data: item, error } = Parked.safeParse(tryParseJson(body));
  if (error !== undefined) return fail(error);
  return ok(item.kind === 'delivery' ? { ...item, delivery: fromStored(item.delivery) } : item);
};

export const parkedIn = (body: string): StorableItem | undefined => {
  const read = readParked(body);
  return read.ok ? read.value : undefined;
};

const NotStorable = z.union([
  z.object({ key: RecordKey, text: z.string() }),
  // Entries of earlier releases have the text compressed, beside its facts.
  z.object({ key: RecordKey, asSent: z.string() }),
]);

export const notStorableIn = (body: string): z.infer<typeof NotStorable> | undefined =>
  NotStorable.safeParse(tryParseJson(body)).data;
