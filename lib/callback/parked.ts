import * as z from 'zod/mini';
import { tryParseJson } from '../core/json.ts';
import { QuarantineEntry } from './schema.ts';

const call = { account: z.string(), callId: z.string() };
const Key = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), ...call }),
  z.object({ kind: z.literal('participant'), ...call, participantId: z.string() }),
]);
const facts = z.record(z.string(), z.unknown());

const Parked = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('delivery'),
    key: Key,
    delivery: z.object({ id: z.string(), receivedAt: z.string(), facts, asSent: z.string() }),
  }),
  z.object({ kind: z.literal('quarantine'), entry: QuarantineEntry }),
]);

/** A message of the parking queue. It is already normalised, so it holds no key. */
export type Parked = z.infer<typeof Parked>;

/** What is parked in a message, or what is wrong in it. */
export const readParked = (body: string) => Parked.safeParse(tryParseJson(body));

/** What is parked in a message; undefined if nothing of ours is. */
export const parkedIn = (body: string): Parked | undefined => readParked(body).data;

const NotStorable = z.object({ key: Key, facts, asSent: z.string() });

/** What is in the body of a quarantine entry for a record that was too large for a row; undefined if nothing of ours is. */
export const notStorableIn = (body: string): z.infer<typeof NotStorable> | undefined =>
  NotStorable.safeParse(tryParseJson(body)).data;
