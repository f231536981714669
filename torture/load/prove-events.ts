import { recordOf } from '../../lib/record/row.ts';
import type { Found, FoundEvent } from './found.ts';
import { nameOf } from './ledger.ts';
import { proveRecordEvents, type Told } from './prove-record-events.ts';

/** What of a crash can be told again: the batch of the stream that was at work. */
const mostRepeatsOfCrash = 100;

/** The record that an event tells of, as the ledger names it; undefined for events of agents. */
const recordNameOf = ({ detail }: FoundEvent): string | undefined => {
  const { account, callId, leg, participantId } = detail;
  if (callId === undefined) return undefined;
  const [kind, part] = leg === undefined ? ['participant' as const, participantId] : ['call' as const, leg];
  return nameOf({ kind, account: String(account), callId: String(callId), part: String(part) });
};

/** How many events were told that had been told before. */
export const repeatsIn = (events: readonly FoundEvent[]): number =>
  events.length - new Set(events.map(({ detail }) => detail['id'])).size;

/** Ids that stand for more than one event. */
const sharedIds = (events: readonly FoundEvent[]): readonly unknown[] =>
  [...Map.groupBy(events, ({ detail }) => detail['id'])]
    .filter(([, same]) => new Set(same.map((event) => `${recordNameOf(event)} ${event.detail['revision']}`)).size > 1)
    .map(([id]) => id);

/** Compares the events with the rows: one for each revision, by its id, and repeats only around a crash. */
export const proveEvents = ({ calls, events, killedAfter }: Found): readonly string[] => {
  const records = calls.filter(({ kind }) => kind !== 'agent-entry').map(recordOf);
  const told = Map.groupBy(
    events.map((event, place): Told => ({ event, place })),
    ({ event }) => recordNameOf(event),
  );
  told.delete(undefined);
  const names = new Set<string | undefined>(records.map(({ key }) => nameOf(key)));
  const repeats = repeatsIn([...told.values()].flat().map(({ event }) => event));
  const mostRepeats = mostRepeatsOfCrash * killedAfter.length;

  return [
    ...records.flatMap((record) => proveRecordEvents(record, told.get(nameOf(record.key)) ?? [], killedAfter)),
    ...[...told.keys()]
      .filter((name) => !names.has(name))
      .map((name) => `There are events of ${name}, of which there is no row.`),
    ...sharedIds(events).map((id) => `The id ${id} is that of two different events.`),
    ...(repeats > mostRepeats ? [`${repeats} events were told again, where crashes account for ${mostRepeats}.`] : []),
  ];
};
