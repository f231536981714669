import type { BufferedTelemetry } from '../../functions/adapters/json-telemetry.ts';
import { createPublishHandler } from '../../functions/publish-changes/app.ts';
import { publishChanges } from '../../functions/publish-changes/publish-changes.ts';
import { noteReceipts, type ReceiptStore, receiptsKey } from '../../lib/agents/callback-receipts.ts';
import type { BusEvent } from '../../lib/publish/events-of-change.ts';
import { lambdaContext } from '../functions/load-function.ts';
import type { createMemoryTable, RowWrite } from './memory-table.ts';

/** How long a function may run while the past is played: no run of it takes that long. */
export const runMs = 600_000;

interface PublisherSettings {
  readonly agents: Pick<ReturnType<typeof createMemoryTable>, 'agents' | 'rowAt'>;
  readonly clock: () => Date;
  readonly telemetry: BufferedTelemetry;
}

/** The function that publishes changes as deployed, on a bus that keeps the events until they are taken. */
export const createPastPublisher = ({ agents, clock, telemetry }: PublisherSettings) => {
  let events: BusEvent[] = [];
  let taken = 0;
  const publishEvents = publishChanges({
    telemetry,
    bus: {
      async publish(some) {
        events.push(...some);
        return some.map(() => true);
      },
    },
  });
  const receipts: ReceiptStore = {
    async advance(account, instant, at) {
      const key = receiptsKey(account);
      const stored = agents.rowAt(key);
      if (String(stored?.[instant] ?? '') >= at) return;
      await agents.agents.put([{ ...stored, ...key, kind: 'callbacks', account, [instant]: at }]);
    },
  };
  const note = noteReceipts({ receipts, clock, telemetry });
  const handle = createPublishHandler({
    telemetry,
    async publish(changes) {
      const failedFrom = await publishEvents(changes);
      await note(changes, { isRejected: failedFrom !== undefined });
      return failedFrom;
    },
  });
  let sequence = 0;
  return {
    /** Publishes the rows of some kinds as their table's stream would have them published. */
    async publish(written: readonly RowWrite[], kinds: readonly string[]): Promise<void> {
      const published = written.filter(({ after }) => kinds.includes(after?.['kind']?.S ?? ''));
      if (published.length === 0) return;
      const Records = published.map(({ before, after }) => ({
        dynamodb: {
          SequenceNumber: String(++sequence),
          ApproximateCreationDateTime: Math.floor(clock().getTime() / 1000),
          OldImage: before,
          NewImage: after,
        },
      }));
      // The types of Lambda's records differ from the SDK's only in binary values, which no row has.
      await handle({ Records } as Parameters<typeof handle>[0], lambdaContext('publish-changes', runMs));
    },
    eventCount: () => taken + events.length,
    takeEvents(): readonly BusEvent[] {
      const some = events;
      taken += some.length;
      events = [];
      return some;
    },
  };
};
