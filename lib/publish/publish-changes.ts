import type { PersonalFields } from '../contract/personal-data.ts';
import { batches } from '../core/batches.ts';
import { jsonBytes } from '../core/parse-json.ts';
import type { Clock, Telemetry } from '../telemetry/metrics.ts';
import { agentEventsOf, feedEventOf } from './agent-events.ts';
import { callEventOf } from './call-events.ts';
import { maxDetailBytes, projectEvent } from './project-event.ts';
import type { BusEvent, EventBus, RowChange } from './row-change.ts';

/**
 * The events that a change of a row makes, if any. They follow from the row's images alone, so a change that is read
 * twice makes the same events twice, with the same ids. Throws if the row was written by something else.
 */
export const eventsOf = (change: RowChange): readonly BusEvent[] => {
  const kind = change.after?.['kind'];
  if (kind === 'agent') return agentEventsOf(change);
  const event = kind === 'feed-change' ? feedEventOf(change) : callEventOf(change);
  return event === undefined ? [] : [event];
};

/** What publishing takes. */
export interface PublishPorts {
  readonly bus: EventBus;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  /** Whether events have the fields that may identify a person; `keep` if nothing is said. */
  readonly personalFields?: PersonalFields;
}

interface SequencedEvent {
  readonly sequence: string;
  readonly event: BusEvent;
}

/** EventBridge takes ten entries a call, and 256 KB of them together. */
const maxEntries = 10;

/** Enough for the batches that one function instance may be handed again. */
const maxRemembered = 10_000;

/**
 * Publishes the changes of a shard in order. Answers the sequence from which the batch must come again, if any: the
 * stream then repeats what followed it, so what the bus has taken is remembered and not sent twice. Only a crash
 * repeats an event, and then with the same id.
 */
export const publishChanges = ({ bus, telemetry, clock, personalFields = 'keep' }: PublishPorts) => {
  const view = projectEvent(personalFields);
  const taken = new Set<string>();

  return async (changes: readonly RowChange[]): Promise<string | undefined> => {
    const events = changes
      .flatMap((change) => readable(change).map((event): SequencedEvent => ({ sequence: change.sequence, event })))
      .filter((sent) => !taken.has(publicationId(sent)));

    for (const chunk of batches(events, fits)) {
      const results = await publish(chunk);
      for (const [index, sent] of chunk.entries()) if (results[index]) took(sent);
      telemetry.count('EventsPublished', results.filter(Boolean).length);

      const refused = chunk.find((_, index) => !results[index]);
      if (refused === undefined) continue;
      telemetry.count('EventsFailed', results.filter((isTaken) => !isTaken).length);
      return refused.sequence;
    }
    return undefined;
  };

  /** A row that somebody else wrote is reported and passed over: it must not hold up the changes behind it. */
  function readable(change: RowChange): readonly BusEvent[] {
    try {
      return eventsOf(change).map(view);
    } catch (error) {
      telemetry.fault('row', error);
      telemetry.count('RowsSkipped');
      return [];
    }
  }

  async function publish(chunk: readonly SequencedEvent[]): Promise<readonly boolean[]> {
    try {
      return await bus.publish(chunk.map(({ event }) => event));
    } catch (error) {
      telemetry.fault('bus', error);
      return chunk.map(() => false);
    }
  }

  function took(sent: SequencedEvent): void {
    if (taken.size >= maxRemembered) taken.clear();
    taken.add(publicationId(sent));
    const { recordedAt, replayedAt } = sent.event.detail;
    // What is told again was told in time: how old it is says nothing of the publisher.
    if (replayedAt === undefined) telemetry.measure('PublishLagSeconds', secondsSince(recordedAt, clock()));
  }
};

/** Clocks of two machines may differ by a little. */
const secondsSince = (instant: string, now: Date): number => Math.max(0, (now.getTime() - Date.parse(instant)) / 1000);

/** A change by its place in the stream: a row that was removed and came again is another one. */
const publicationId = ({ sequence, event }: SequencedEvent): string => `${sequence} ${event.detail.id}`;

/** What makes a call fit, and keeps two events of one key out of the same: their order would be lost. */
const fits = (chunk: readonly SequencedEvent[], next: SequencedEvent): boolean =>
  chunk.length < maxEntries &&
  chunk.every(({ event }) => event.key !== next.event.key) &&
  [...chunk, next].reduce((bytes, { event }) => bytes + jsonBytes(event.detail), 0) <= maxDetailBytes;
