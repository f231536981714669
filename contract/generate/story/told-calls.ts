import { accountBook } from '../../../lib/account/account-book.ts';
import { deliveriesOf } from '../../../lib/callback/deliveries-of.ts';
import { recognise } from '../../../lib/callback/recognise.ts';
import { parseJson } from '../../../lib/json/parse-json.ts';
import { callEventOf } from '../../../lib/publish/call-event-of.ts';
import { deliveryOf, type Facts } from '../../../lib/record/delivery.ts';
import { admit, type CallRecord } from '../../../lib/record/record.ts';
import { agentEntriesOf, rowOf } from '../../../lib/record/row.ts';
import { storyAccount, storyRetention } from './story-account.ts';
import type { Told } from './told.ts';

/** A post, and the instant at which it comes. */
export interface Post {
  readonly text: string;
  readonly receivedAt: string;
}

/** How long a post takes to the table. */
const writtenAfterMs = 120;

/** What posts leave behind, one after the other: read, merged, written and told as the functions do. */
export const toldCalls = (posts: readonly Post[]): Told => {
  const records = new Map<string, CallRecord>();
  const events = posts.flatMap(({ text, receivedAt }) =>
    deliveriesIn(text, receivedAt).flatMap(({ key, delivery }) => {
      const name = JSON.stringify(key);
      const known = records.get(name);
      const recordedAt = new Date(Date.parse(receivedAt) + writtenAfterMs).toISOString();
      const { record } = admit(key, known, deliveryOf(delivery.facts, receivedAt), recordedAt);
      records.set(name, record);
      return callEventOf({ sequence: name, before: known && stored(known), after: stored(record) }) ?? [];
    }),
  );
  return { events, rows: [...records.values()].flatMap((record) => [stored(record), ...entriesOf(record)]) };
};

const stored = (record: CallRecord): Facts => rowOf(record, storyRetention.callDays);

const entriesOf = (record: CallRecord): readonly Facts[] => agentEntriesOf(record, stored(record));

const deliveriesIn = (text: string, receivedAt: string) => {
  const json = parseJson(text);
  if (!json.ok) throw new Error('An example is no JSON');

  const records = Array.isArray(json.value) ? json.value : [json.value];
  const { masked } = accountBook([storyAccount]);
  const { deliveries, misunderstood } = deliveriesOf(recognise(records), { account: storyAccount, receivedAt, masked });
  if (misunderstood.length > 0) throw new Error('An example is not understood');
  return deliveries;
};
