import type { Account } from '../account/account.ts';
import { identityOf } from '../call-summary/identity.ts';
import { callSpellings, normaliseCall } from '../call-summary/normalise.ts';
import type { JsonObject } from '../json/parse-json.ts';
import { normaliseParticipant, participantIdOf, participantSpellings } from '../participant/normalise.ts';
import { type Delivery, deliveryOf } from '../record/delivery.ts';
import { withNotes } from '../record/reading.ts';
import type { RecordKey } from '../record/record.ts';
import { callOf, type PostedCall } from './call-of.ts';
import { foldKeys } from './fold-keys.ts';
import type { Misunderstood, Recognised } from './recognise.ts';
import { scrubbed } from './scrubbed.ts';

/** A delivery and the record that it belongs to. */
export interface KeyedDelivery {
  readonly key: RecordKey;
  readonly delivery: Delivery;
}

/** What one post says, and what of it could not be placed. */
export interface Deliveries {
  readonly deliveries: readonly KeyedDelivery[];
  readonly misunderstood: readonly Misunderstood[];
}

/** The account that a post belongs to, when it was received, and what removes every live key from a text. */
export interface Origin {
  readonly account: Account;
  readonly receivedAt: string;
  readonly masked: (text: string) => string;
}

/**
 * What the records of one post say, each as a delivery to the call or participant that it tells of. A participant names
 * its call by UCID, which may be the second id of a summary in the same post.
 */
export const deliveriesOf = (recognised: Recognised, origin: Origin): Deliveries => {
  const calls = recognised.calls.map((record) => callDelivery(record, origin));
  const participants = recognised.participants.map((record) => participantDelivery(record, calls, origin));

  return {
    deliveries: [...calls.map(({ keyed }) => keyed), ...participants.filter((placed) => 'key' in placed)],
    misunderstood: [...recognised.misunderstood, ...participants.filter((unplaced) => 'reason' in unplaced)],
  };
};

const callDelivery = (
  record: JsonObject,
  { account, receivedAt, masked }: Origin,
): PostedCall & { keyed: KeyedDelivery } => {
  const posted = foldKeys(scrubbed(record, masked), callSpellings);
  const facts = normaliseCall(posted, account.timeZone);
  const { callId, leg, notes } = identityOf(posted, facts);
  const said = withNotes([...(facts.notes ?? []), ...notes], facts);
  const keyed: KeyedDelivery = {
    key: { kind: 'call', account: account.userName, callId, part: leg },
    delivery: deliveryOf(said, receivedAt),
  };
  return { keyed, callId, ucid: facts.ucid, sourceCallId: facts.sourceCallId };
};

const participantDelivery = (
  record: JsonObject,
  calls: readonly PostedCall[],
  { account, receivedAt, masked }: Origin,
): KeyedDelivery | Misunderstood => {
  const posted = foldKeys(scrubbed(record, masked), participantSpellings);
  const facts = normaliseParticipant(posted, account.timeZone);
  const callId = callOf(facts, calls);
  if (callId === undefined) return { reason: 'participant-without-call', value: record };

  return {
    key: { kind: 'participant', account: account.userName, callId, part: participantIdOf(facts) },
    delivery: deliveryOf(facts, receivedAt),
  };
};
