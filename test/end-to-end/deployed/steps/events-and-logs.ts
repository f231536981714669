import { expect } from 'vitest';
import * as z from 'zod/mini';
import { eventSchemasFor } from '../../../../lib/contract/events.ts';
import { until } from '../../../support/until.ts';
import { logLines } from '../deployment.ts';
import { account, personalTexts } from '../fixtures.ts';
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
  [type, detail['callId'] ?? detail['agentId'], detail['revision'] ?? detail['version']].join(' ');

/** The order of events is promised only within a call or an agent. */
const bySubject = (events: readonly string[]) =>
  Object.fromEntries(
    [...Map.groupBy(events, (text) => text.split(' ').at(-2) ?? '')].sort(([one], [other]) => one.localeCompare(other)),
  );

/**
 * Waits for further events at the subscriber, and checks all events so far: each matches the contract, and they are the
 * expected ones in the order of their call or agent. Delivery is at least once, but no request to the bus fails here, so
 * no event may arrive twice.
 */
export const createEventCheck = ({ events }: Subscriber) => {
  const expected: string[] = [];

  return async (further: readonly string[]): Promise<void> => {
    expected.push(...further);
    await until(
      `the events ${expected.join(', ')}`,
      async () => (await events()).map(summaryOf),
      (received) => received.length >= expected.length,
    );

    const received = await events();
    for (const event of received) expectValidEvent(event);
    expect(bySubject(received.map(summaryOf)), 'The events that a subscriber got').toStrictEqual(bySubject(expected));
    expect(new Set(received.map(({ detail }) => detail.id)).size, 'The number of different ids').toStrictEqual(
      received.length,
    );
  };
};

/** Throws if a log of the functions holds a key or personal data, or if there is no log. */
export const expectCleanLogs = async (context: TestContext): Promise<void> => {
  const lines = await logLines(context);

  expect(lines, 'The functions wrote logs').toContainEqual(expect.stringContaining('CallbackRecordsStored'));
  expect(
    lines.filter((line) => [account.apiKey, ...personalTexts].some((text) => line.includes(text))),
    'Lines with a key or personal data',
  ).toStrictEqual([]);
};
