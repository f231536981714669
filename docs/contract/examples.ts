import { type EventType, isEventType } from '../../lib/contract/events.ts';
import { contentHash } from '../../lib/core/encoding.ts';
import { eventSource } from '../../lib/storage/event.ts';
import { scenario } from '../../test/docs/contract/support/scenario.ts';

/** An event as EventBridge delivers it, in a made-up AWS account. Ids and instants are the same each time. */
const asDelivered = ({ type, detail }: Awaited<ReturnType<typeof scenario>>['events'][number]) => ({
  version: '0',
  id: contentHash(detail['id']).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  'detail-type': type,
  source: eventSource,
  account: '111122223333',
  time: `${String(detail['recordedAt']).slice(0, 19)}Z`,
  region: 'ap-south-1',
  resources: [],
  detail,
});

export type Delivered = ReturnType<typeof asDelivered>;

/** The first event of each type in what the deployed functions published, and that of a missed call. */
export const exampleEvents = async () => {
  const events = (await scenario()).events.map(asDelivered);
  const byType = new Map<EventType, Delivered>();
  for (const event of events.toReversed())
    if (isEventType(event['detail-type'])) byType.set(event['detail-type'], event);
  return { byType, missed: events.find(({ detail }) => JSON.stringify(detail).includes('"status":"not-answered"')) };
};
