import type { Account } from '../../lib/account/account.ts';
import { deliveriesOf, type KeyedDelivery } from '../../lib/callback/deliveries-of.ts';
import { recognise } from '../../lib/callback/recognise.ts';
import { parseJson } from '../../lib/json/parse-json.ts';
import { specificationSummary } from '../fixtures/call-summaries.ts';

/** The account of the tests. */
export const demo: Account = {
  userName: 'demo',
  apiKeys: ['demo-key'],
  timeZone: 'Asia/Kolkata',
  token: { kind: 'none' },
};

/** What a posted summary says, as the store gets it; `receivedAt` orders it among others. */
export const deliveryFrom = (summary: object, receivedAt = '2026-11-20T06:00:00.000Z'): KeyedDelivery => {
  const parsed = parseJson(JSON.stringify(summary));
  if (!parsed.ok) throw new Error(parsed.problem);
  const [keyed] = deliveriesOf(recognise([parsed.value]), {
    account: demo,
    receivedAt,
    masked: (text) => text,
  }).deliveries;
  if (keyed === undefined) throw new Error('No delivery');
  return keyed;
};

/** The specification's summary with some fields set otherwise. */
export const summaryWith = (fields: object = {}): object => ({ ...specificationSummary, ...fields });
