import { batches } from '../../lib/core/collections.ts';
import { jsonBytes } from '../../lib/core/json.ts';
import { loggableError } from '../../lib/core/result.ts';
import { type BusEvent, type EventBus, eventsOf, type RowChange } from '../../lib/publish/events-of-change.ts';
import { maxDetailBytes, projectEvent } from '../../lib/publish/project-event.ts';
import type { PersonalFields } from '../../lib/storage/rows.ts';
import { emitPublishMetrics, type Telemetry } from '../../lib/telemetry/metrics.ts';

export interface PublishPorts {
  readonly bus: EventBus;
  readonly telemetry: Telemetry;
  readonly personalFields?: PersonalFields;
}

interface SequencedEvent {
  readonly sequence: string;
  readonly event: BusEvent;
}

/** How many published events are remembered: more than are in the batches that one function instance may receive again. */
const maxRemembered = 10_000;

/**
 * Publishes a shard's changes in order, and answers from which sequence the batch must be retried. Published events are
 * remembered, so only a crash, a lost answer of the bus or a retry by another instance repeats one, with the same id.
 */
export const publishChanges = ({ bus, telemetry, personalFields = 'keep' }: PublishPorts) => {
  const project = projectEvent(personalFields);
  const published = new Set<string>();

  return async (changes: readonly RowChange[]): Promise<string | undefined> => {
    const events = changes
      .flatMap((change) =>
        eventsOfChange(change).map((event): SequencedEvent => ({ sequence: change.sequence, event })),
      )
      .filter((sequenced) => !published.has(publicationId(sequenced)));

    for (const batch of batches(events, fitsBeside)) {
      const results = await publish(batch);
      for (const [index, sequenced] of batch.entries()) if (results[index]) remember(sequenced);
      emitPublishMetrics(telemetry, { published: results.filter(Boolean).length });

      const failed = batch.find((_, index) => !results[index]);
      if (failed !== undefined) return failed.sequence;
    }
    return undefined;
  };

  /** A row that Callfeed did not write is reported and skipped: it must not hold up the changes behind it. */
  function eventsOfChange(change: RowChange): readonly BusEvent[] {
    try {
      return eventsOf(change).map(project);
    } catch (error) {
      telemetry.fault('row', error);
      emitPublishMetrics(telemetry, { skipped: 1 });
      return [];
    }
  }

  async function publish(batch: readonly SequencedEvent[]): Promise<readonly boolean[]> {
    try {
      const results = await bus.publish(batch.map(({ event }) => event));
      const rejected = batch.length - results.filter(Boolean).length;
      if (rejected > 0) telemetry.fault('bus', loggableError(`The bus rejected ${rejected} of ${batch.length} events`));
      return results;
    } catch (error) {
      telemetry.fault('bus', error);
      return batch.map(() => false);
    }
  }

  function remember(sequenced: SequencedEvent): void {
    if (published.size >= maxRemembered) published.clear();
    published.add(publicationId(sequenced));
  }
};

/** Names one publication of an event. A row that was removed and written again makes the same id, but a new sequence. */
const publicationId = ({ sequence, event }: SequencedEvent): string => `${sequence} ${event.detail.id}`;

/** EventBridge accepts ten entries a call. For their size together we keep to the limit of one event. */
const maxEntries = 10;

/** Whether an event fits into a call. Two events of one key never share a call: their order would be lost. */
export const fitsIntoCall = (call: readonly BusEvent[], next: BusEvent): boolean =>
  call.length < maxEntries &&
  call.every(({ key }) => key !== next.key) &&
  [...call, next].reduce((bytes, { detail }) => bytes + jsonBytes(detail), 0) <= maxDetailBytes;

const fitsBeside = (batch: readonly SequencedEvent[], next: SequencedEvent): boolean =>
  fitsIntoCall(
    batch.map(({ event }) => event),
    next.event,
  );
