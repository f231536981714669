import { eventSource } from '../../../lib/contract/envelope.ts';
import { contentHash } from '../../../lib/json/canonical-json.ts';
import type { BusEvent } from '../../../lib/publish/row-change.ts';

/** An event as EventBridge hands it to a subscriber, in an AWS account of the examples. */
export const asDelivered = ({ type, detail }: BusEvent) => ({
  version: '0',
  id: contentHash(detail.id).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  'detail-type': type,
  source: eventSource,
  account: '111122223333',
  time: `${detail.recordedAt.slice(0, 19)}Z`,
  region: 'ap-south-1',
  resources: [],
  detail,
});

/** An event as delivered. */
export type Delivered = ReturnType<typeof asDelivered>;
