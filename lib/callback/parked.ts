import * as z from 'zod';
import { QuarantineEntry } from '../contract/quarantine-entry.ts';

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
