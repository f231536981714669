import type { RecordKey } from '../calls/call-record.ts';
import {
  anything,
  type Check,
  type Checked,
  type ChecksOf,
  checked,
  instant,
  listOf,
  mapOf,
  object,
  ofKind,
  oneOf,
  optional,
  type Problem,
  string,
  text,
  wholeNumber,
} from '../core/check.ts';
import { tryParseJson } from '../core/json.ts';
import type { Result } from '../core/result.ts';
import type { QuarantineEntry } from './schema.ts';

const call = { account: string, callId: string };
const key: Check<RecordKey> = ofKind(
  {
    call: object({ kind: oneOf('call'), ...call }),
    participant: object({ kind: oneOf('participant'), ...call, participantId: string }),
  },
  'Expected a call or a participant',
);
const facts = mapOf(anything, 'Expected facts');

const some = text('Expected a text');
const isTrue: Check<true> = (value, place) => (value === true ? [] : [{ place, expected: 'Expected true' }]);

/** The contract declares the entry, and the type of this list has a check for every field that it declares. */
const entry: ChecksOf<QuarantineEntry> = {
  reason: some,
  account: optional(some),
  viaSecret: optional(isTrue),
  keyFingerprints: optional(listOf(some, 'Expected fingerprints', 0)),
  body: string,
  storedAs: optional(oneOf('gzip')),
  bytes: optional(wholeNumber(0)),
  receivedAt: instant,
  erasedAt: optional(instant),
};

const parked = ofKind(
  {
    delivery: object({
      kind: oneOf('delivery'),
      key,
      delivery: object({ id: string, receivedAt: string, facts, asSent: string }),
    }),
    quarantine: object({ kind: oneOf('quarantine'), entry: object(entry) }),
  },
  'Expected a delivery or a quarantine entry',
);

/** A message of the parking queue. It is already normalised, so it holds no key. */
export type Parked = Checked<typeof parked>;

/** What is parked in a message, or what is wrong in it. */
export const readParked = (body: string): Result<Parked, readonly Problem[]> => checked(parked, tryParseJson(body));

/** What is parked in a message; undefined if nothing of ours is. */
export const parkedIn = (body: string): Parked | undefined => usable(readParked(body));

const notStorable = object({ key, facts, asSent: string });

/** What is in the body of a quarantine entry for a record that was too large for a row; undefined if nothing of ours is. */
export const notStorableIn = (body: string): Checked<typeof notStorable> | undefined =>
  usable(checked(notStorable, tryParseJson(body)));

const usable = <Value>(read: Result<Value, unknown>): Value | undefined => (read.ok ? read.value : undefined);
