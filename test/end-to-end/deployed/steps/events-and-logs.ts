import { expect } from 'vitest';
import * as z from 'zod/mini';
import { eventSchemasFor } from '../../../../lib/contract/events.ts';
import { until } from '../../../support/until.ts';
import { logLines } from '../deployment.ts';
import { account, personalTexts, recordingHost } from '../fixtures.ts';
import type { Event, Subscriber, TestContext } from '../test-context.ts';

const contract: Readonly<Record<string, z.ZodMiniType>> = eventSchemasFor('keep');

const expectValidEvent = (event: Event): void => {
  const schema = contract[event['detail-type']] ?? z.never();
  expect(schema.safeParse(event.detail).error, `Whether this ${event['detail-type']} matches the contract`).toBe(
    undefined,
  );
};

/** Type, subject and revision of an event, in one line. */
const summaryOf = ({ 'detail-type': type, detail }: Event): string =>
  [type, detail['callId'] ?? detail['agentId'], detail['revision'] ?? detail['version'] ?? 1].join(' ');

/** The order of events is promised only within a call or an agent. */
const bySubject = (events: readonly string[]) =>
  Object.fromEntries(
    [...Map.groupBy(events, (text) => text.split(' ').at(-2) ?? '')].sort(([one], [other]) => one.localeCompare(other)),
  );

/**
 * Waits for further events at the subscriber, and checks all events so far: each matches the contract, and they are the
 * expected ones in the order of their call or agent. Delivery is at least once, but no request to the bus fails here, so
 * no event may arrive twice; but for events of an upgrade. MiniStack ends a run of the publisher that it replaces, so the
 * next one publishes the same changes again, under the same ids.
 */
export const createEventCheck = ({ events }: Subscriber) => {
  const expected: string[] = [];
  const repeatable = new Set<string>();
  const isRepeat = (event: Event, index: number, all: readonly Event[]): boolean =>
    repeatable.has(summaryOf(event)) && all.findIndex(({ detail }) => detail.id === event.detail.id) < index;
  /** The events of calls and agents. Those of the feed tell how long the steps take: ticks are sent by hand. */
  const received = async (): Promise<readonly Event[]> =>
    (await events())
      .filter(({ 'detail-type': type }) => !type.startsWith('Agent Feed '))
      .filter((...at) => !isRepeat(...at));

  return async (further: readonly string[], { mayRepeat = false } = {}): Promise<void> => {
    expected.push(...further);
    if (mayRepeat) for (const summary of further) repeatable.add(summary);
    await until(
      `the events ${expected.join(', ')}`,
      async () => (await received()).map(summaryOf),
      ({ length }) => length >= expected.length,
    );

    const all = await received();
    for (const event of all) expectValidEvent(event);
    expect(bySubject(all.map(summaryOf)), 'The events that a subscriber got').toStrictEqual(bySubject(expected));
    expect(new Set(all.map(({ detail }) => detail.id)).size, 'The number of different ids').toStrictEqual(all.length);
  };
};

/** Throws if a log of the functions holds a key or personal data, or if there is no log. */
export const expectCleanLogs = async (context: TestContext): Promise<void> => {
  const lines = await logLines(context);

  expect(lines, 'The functions wrote logs').toContainEqual(expect.stringContaining('CallbackRecordsStored'));
  expect(
    lines.filter((line) => [account.apiKey, recordingHost, ...personalTexts].some((text) => line.includes(text))),
    'Lines with a key or personal data',
  ).toStrictEqual([]);
};
