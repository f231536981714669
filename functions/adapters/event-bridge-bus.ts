import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { eventSource } from '../../lib/contract/call-events.ts';
import type { EventBus } from '../../lib/publish/row-change.ts';

/** The source of every event, as the contract declares it. */
const source: typeof eventSource = 'callfeed';

/** PutEvents succeeds as a call while single entries fail, so the answer for each entry is checked. */
export const eventBridgeBus = (client: Pick<EventBridgeClient, 'send'>, busName: string): EventBus => ({
  async publish(events) {
    const { Entries = [] } = await client.send(
      new PutEventsCommand({
        Entries: events.map(({ type, detail }) => ({
          EventBusName: busName,
          Source: source,
          DetailType: type,
          Time: new Date(detail.recordedAt),
          Detail: JSON.stringify(detail),
        })),
      }),
    );
    return events.map((_, index) => Entries[index]?.EventId !== undefined && Entries[index].ErrorCode === undefined);
  },
});
