import { isDeepStrictEqual } from 'node:util';
import { recordOf } from '../../../../lib/calls/call-row.ts';
import type { RecordFacts } from '../../../../lib/calls/merge-deliveries.ts';
import { callEvents } from '../../../../lib/contract/call-events.ts';
import type { Row } from '../../../../lib/storage/rows.ts';
import type { Envelope } from '../../../../sandbox/bus/event-log.ts';
import { must } from '../../models/model.ts';
import { mustExplainRepeats } from '../processes.ts';
import { type CallRow, nameOf } from './call-rows.ts';
import type { PlayedCalls } from './calls.ts';

interface PublishedEvent {
  readonly record: string;
  readonly id: string;
  readonly revision: number;
  readonly occurredAt: string;
  readonly facts: RecordFacts;
  readonly changed: readonly string[] | undefined;
}

/** Reads an envelope. Throws if it is not one of our events, or its type does not match its content. */
const parsePublishedEvent = ({ 'detail-type': type, detail, source }: Envelope): PublishedEvent => {
  const schema = new Map<string, { parse: (value: unknown) => unknown }>(Object.entries(callEvents)).get(type);
  must(schema !== undefined && source === 'callfeed', () => `There is no event ${type} of ${source}`);
  const { account, callId, participantId, id, revision, occurredAt, changedFields, call, participant, replayedAt } =
    Object(schema?.parse(detail));
  must(replayedAt === undefined, () => 'An event is marked as replayed');
  const kind = participantId === undefined ? 'call' : 'participant';
  const expected = revision === 1 ? 'Call Summary Recorded' : 'Call Summary Revised';
  must(
    type === (kind === 'call' ? expected : 'Call Participant Recorded'),
    () => `Revision ${revision} of a ${kind} is published as ${type}`,
  );
  return {
    record: nameOf(kind, account, callId, participantId),
    ...{ id, revision, occurredAt, facts: call ?? participant, changed: changedFields },
  };
};

/**
 * Guarantee 2: one event for each record and revision, in order, with what changed. It is repeated only with the same id,
 * and only after the publisher crashed, restarted or missed an answer.
 */
export const mustPublishEachRevisionOnce = (
  { world, processes, ledger }: PlayedCalls,
  rows: readonly CallRow[],
): number => {
  const published = world.events().map(parsePublishedEvent);
  const byRecord = Map.groupBy(published, ({ record }) => record);
  const ids = new Map<string, string>();
  const receipts = new Set(ledger.tries.map(({ at }) => at));
  let repeats = 0;

  for (const { name, revision, facts, row } of rows) {
    const events = byRecord.get(name) ?? [];
    const firsts = events.filter((event, index) => events.findIndex(({ id }) => id === event.id) === index);
    repeats += events.length - firsts.length;
    const order = firsts.map((event) => event.revision);
    const expected = Array.from({ length: revision }, (_, index) => index + 1);
    must(
      isDeepStrictEqual(order, expected),
      () => `Guarantee 2: ${name} has ${revision} revisions, and events of ${order}`,
    );
    must(isDeepStrictEqual(firsts.at(-1)?.facts, facts), () => `Guarantee 2: ${name} differs from its last event`);
    for (const event of events) mustBeLike(event, firsts);
    mustRememberItsChange(row, firsts.at(-1));
    for (const [index, event] of firsts.entries()) {
      must(!ids.has(event.id), () => `Guarantee 2: ${name} and ${ids.get(event.id)} have the same id`);
      ids.set(event.id, `${name}, revision ${event.revision}`);
      mustSayWhen(event, receipts);
      if (index > 0) mustNameChanges(event, firsts[index - 1]?.facts ?? {});
    }
  }
  const names = new Set(rows.map(({ name }) => name));
  for (const name of byRecord.keys()) must(names.has(name), () => `Guarantee 2: ${name} has events and no row`);

  mustExplainRepeats(processes, 'publisher', repeats);
  return repeats;
};

const mustBeLike = (event: PublishedEvent, firsts: readonly PublishedEvent[]): void => {
  const first = firsts.find(({ id }) => id === event.id);
  must(isDeepStrictEqual(event, first), () => `Guarantee 2: ${event.record}: an event was repeated with other content`);
};

/** A replay makes the event from the row, so the row has what the event said of its change. */
const mustRememberItsChange = (row: Row, last: PublishedEvent | undefined): void => {
  const { lastChange } = recordOf(row);
  const { revision, occurredAt, changed } = last ?? {};
  const isDated = revision === 1 && (last?.facts['endedAt'] ?? last?.facts['startedAt']) !== undefined;
  const expected = isDated ? undefined : { revision, occurredAt, ...(changed && { changedFields: changed }) };
  must(
    isDeepStrictEqual(lastChange, expected),
    () => `Guarantee 2: ${last?.record} has ${JSON.stringify(lastChange)} of the change ${JSON.stringify(expected)}`,
  );
};

/** By the README: the first event of a call occurred at its end or start, if known; any other at a receipt. */
const mustSayWhen = ({ record, revision, occurredAt, facts }: PublishedEvent, receipts: ReadonlySet<string>): void => {
  const known = revision === 1 ? (facts['endedAt'] ?? facts['startedAt']) : undefined;
  must(
    known === undefined ? receipts.has(occurredAt) : occurredAt === known,
    () => `${record}: revision ${revision} is dated ${occurredAt}`,
  );
};

const mustNameChanges = ({ record, revision, facts, changed }: PublishedEvent, before: RecordFacts): void => {
  const names = new Set([...Object.keys(before), ...Object.keys(facts)]);
  const expected = [...names].filter((name) => !isDeepStrictEqual(before[name], facts[name])).sort();
  must(expected.length > 0, () => `Guarantee 2: ${record}: revision ${revision} equals the one before`);
  must(
    isDeepStrictEqual(changed, expected),
    () => `Guarantee 2: ${record}: revision ${revision} names ${changed} as changed, not ${expected}`,
  );
};
