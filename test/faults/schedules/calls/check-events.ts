import { isDeepStrictEqual } from 'node:util';
import { callEvents } from '../../../../lib/contract/call-events.ts';
import type { Facts } from '../../../../lib/core/objects.ts';
import type { Envelope } from '../../../../sandbox/bus/event-log.ts';
import { must } from '../model.ts';
import { type CallRow, nameOf } from './call-rows.ts';
import type { PlayedCalls } from './play-calls.ts';

/** What an event tells of a record. */
export interface PublishedEvent {
  readonly record: string;
  readonly id: string;
  readonly revision: number;
  readonly occurredAt: string;
  readonly facts: Facts;
  readonly changed: readonly string[] | undefined;
}

/** What an envelope tells. Throws if it is none of ours, or its type is not that of its content. */
const parsePublishedEvent = ({ 'detail-type': type, detail, source }: Envelope): PublishedEvent => {
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

/**
 * Guarantee 2: one event for each record and revision, in their order, with what changed. It comes again with the same
 * id, and only where the publisher died, started anew or did not hear an answer.
 */
export const mustPublishEachRevisionOnce = (
  { world, processes, ledger }: PlayedCalls,
  rows: readonly CallRow[],
): number => {
  const told = world.events().map(parsePublishedEvent);
  const byRecord = Map.groupBy(told, ({ record }) => record);
  const ids = new Map<string, string>();
  const receipts = new Set(ledger.tries.map(({ at }) => at));
  let repeats = 0;

  for (const { name, revision, facts } of rows) {
    const events = byRecord.get(name) ?? [];
    const firsts = events.filter((event, index) => events.findIndex(({ id }) => id === event.id) === index);
    repeats += events.length - firsts.length;
    const order = firsts.map((event) => event.revision);
    const expected = Array.from({ length: revision }, (_, index) => index + 1);
    must(
      isDeepStrictEqual(order, expected),
      () => `Guarantee 2: ${name} has ${revision} revisions, and told of ${order}`,
    );
    must(
      isDeepStrictEqual(firsts.at(-1)?.facts, facts),
      () => `Guarantee 2: ${name} says another thing than its last event`,
    );
    for (const event of events) mustBeLike(event, firsts);
    for (const [index, event] of firsts.entries()) {
      must(!ids.has(event.id), () => `Guarantee 2: ${name} and ${ids.get(event.id)} have the same id`);
      ids.set(event.id, `${name}, revision ${event.revision}`);
      mustSayWhen(event, receipts);
      if (index > 0) mustNameChanges(event, firsts[index - 1]?.facts ?? {});
    }
  }
  const names = new Set(rows.map(({ name }) => name));
  for (const name of byRecord.keys()) must(names.has(name), () => `Guarantee 2: ${name} was told of and is not there`);

  const isExplained =
    processes.started('publisher') > 1 ||
    processes.struck().some(({ slot, fate }) => slot === 'publisher' && (fate === 'lose' || fate.startsWith('die')));
  must(repeats === 0 || isExplained, () => `Guarantee 2: ${repeats} events came again, and nothing explains it`);
  return repeats;
};

const mustBeLike = (event: PublishedEvent, firsts: readonly PublishedEvent[]): void => {
  const first = firsts.find(({ id }) => id === event.id);
  must(
    isDeepStrictEqual(event, first),
    () => `Guarantee 2: ${event.record}: an event came again and said something else`,
  );
};

/** By the README: a call's first event is of when it ended, or began, if that is known, any other of a receipt. */
const mustSayWhen = ({ record, revision, occurredAt, facts }: PublishedEvent, receipts: ReadonlySet<string>): void => {
  const known = revision === 1 ? (facts['endedAt'] ?? facts['startedAt']) : undefined;
  must(
    known === undefined ? receipts.has(occurredAt) : occurredAt === known,
    () => `${record}: revision ${revision} is said to be of ${occurredAt}`,
  );
};

const mustNameChanges = ({ record, revision, facts, changed }: PublishedEvent, before: Facts): void => {
  const names = new Set([...Object.keys(before), ...Object.keys(facts)]);
  const expected = [...names].filter((name) => !isDeepStrictEqual(before[name], facts[name])).sort();
  must(expected.length > 0, () => `Guarantee 2: ${record}: revision ${revision} says what the one before says`);
  must(
    isDeepStrictEqual(changed, expected),
    () => `Guarantee 2: ${record}: revision ${revision} names ${changed} as changed, not ${expected}`,
  );
};
