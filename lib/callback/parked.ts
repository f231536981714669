import * as z from 'zod';
import { field, instant, text } from '../schema/field.ts';

/** Something that was not understood: kept whole, but for the keys in it, until it is redriven or expires. */
export const QuarantineEntry = z
  .object({
    reason: field(text, 'Why it was not understood.'),
    account: field(text.optional(), 'The account whose key or address it came with; absent where it is not known.'),
    viaSecret: field(z.literal(true).optional(), 'It came to the secret address, though its account is not known.'),
    body: field(z.string(), 'What was sent, decoded, without the keys.', { personal: true }),
    bytes: field(z.int().optional(), 'How long the body was before it was cut; absent where it is whole.'),
    receivedAt: field(instant, 'When it was received.'),
  })
  .meta({ title: 'Quarantine entry' });
export type QuarantineEntry = z.infer<typeof QuarantineEntry>;

const key = z.object({
  kind: z.enum(['call', 'participant']),
  account: z.string(),
  callId: z.string(),
  part: z.string(),
});
const facts = z.record(z.string(), z.unknown());

const ParkedDelivery = z.object({
  kind: z.literal('delivery'),
  key,
  delivery: z.object({ id: z.string(), receivedAt: z.string(), facts }),
});

const ParkedEntry = z.object({ kind: z.literal('quarantine'), entry: QuarantineEntry });

/** What waits in the parking queue for its table: already normalised, so it holds no key. */
export const Parked = z.discriminatedUnion('kind', [ParkedDelivery, ParkedEntry]);
export type Parked = z.infer<typeof Parked>;

/** A record that no row could hold, as quarantine keeps it. */
export const NotStorable = key.extend({ facts });
