import { callEvents } from '../../../lib/contract/call-events.ts';
import type { Facts } from '../../../lib/record/delivery.ts';
import type { Envelope } from '../../../sandbox/bus/envelope.ts';
import { must } from '../breach.ts';
import { nameOf } from './row-of-call.ts';

/** What an event tells of a record. */
export interface Told {
  readonly record: string;
  readonly id: string;
  readonly revision: number;
  readonly occurredAt: string;
  readonly facts: Facts;
  readonly changed: readonly string[] | undefined;
}

/** What an envelope tells. Throws if it is none of ours, or its type is not that of its content. */
export const toldBy = ({ 'detail-type': type, detail, source }: Envelope): Told => {
  const schema = new Map<string, { parse: (value: unknown) => unknown }>(Object.entries(callEvents)).get(type);
  must(schema !== undefined && source === 'callfeed', () => `Nobody knows an event ${type} of ${source}`);
  const {
    account,
    callId,
    leg,
    participantId,
    id,
    revision,
    occurredAt,
    changedFields,
    call,
    participant,
    replayedAt,
  } = Object(schema?.parse(detail));
  must(replayedAt === undefined, () => 'An event says that somebody had it told again');
  const kind = participantId === undefined ? 'call' : 'participant';
  const expected = revision === 1 ? 'Call Summary Recorded' : 'Call Summary Revised';
  must(
    type === (kind === 'call' ? expected : 'Call Participant Recorded'),
    () => `A revision ${revision} of a ${kind} is told as ${type}`,
  );
  return {
    record: nameOf(kind, account, callId, leg ?? participantId),
    ...{ id, revision, occurredAt, facts: call ?? participant, changed: changedFields },
  };
};
