import * as z from 'zod';
import { eventSchemasFor } from '../../../../lib/contract/events.ts';
import { expectEqual, expectThat, mismatch, until } from '../assertions.ts';
import { logLines } from '../deployment.ts';
import { account } from '../fixtures.ts';
import type { Event, Subscriber, TestContext } from '../test-context.ts';

const contract: Readonly<Record<string, z.ZodType>> = eventSchemasFor('keep');

/** Throws unless an event is one that the contract knows, and has all it says and nothing else. */
const expectValidEvent = (event: Event): void => {
  const checked = contract[event['detail-type']]?.safeParse(event.detail);
  if (checked?.success) return;

  const why = checked === undefined ? 'no such detail type' : z.prettifyError(checked.error);
  throw mismatch(`An event as the contract has it; ${why}`, event, 'an event of the contract');
};

/** What an event is about, in short. */
const summaryOf = ({ 'detail-type': type, detail }: Event): string =>
  [type, detail['callId'] ?? detail['agentId'], detail['revision'] ?? detail['version']].join(' ');

/** Order is promised within a call or an agent only. */
const bySubject = (events: readonly string[]) =>
  Object.fromEntries(
    [...Map.groupBy(events, (text) => text.split(' ').at(-2) ?? '')].sort(([one], [other]) => one.localeCompare(other)),
  );

/**
 * Waits for further events at the subscriber, and checks all that have come so far: each is as the contract has it, and
 * they are the expected ones, in the order of their call or agent. Delivery is at least once, but nothing here fails on
 * the way to the bus, so that none may come twice.
 */
export const createEventCheck = ({ events }: Subscriber) => {
  const expected: string[] = [];

  return async (further: readonly string[]): Promise<void> => {
    expected.push(...further);
    await until(
      `the events ${expected.join(', ')}`,
      async () => (await events()).map(summaryOf),
      (come) => come.length >= expected.length,
    );

    const come = await events();
    for (const event of come) expectValidEvent(event);
    expectEqual('The events that a subscriber got', bySubject(come.map(summaryOf)), bySubject(expected));
    expectEqual('The number of their ids', new Set(come.map(({ detail }) => detail.id)).size, come.length);
  };
};

/** A key, and what the examples say of people: numbers, names, a comment, recordings. */
const secrets = [account.apiKey, '0900000', 'Asha', 'Ravi', 'Wants a call back', 'recordings.example.com'];

/** Throws if a key or something of a person stands in a log of the functions, or if they wrote none. */
export const expectCleanLogs = async (stage: TestContext): Promise<void> => {
  const lines = await logLines(stage);

  expectThat(
    'The functions wrote logs',
    lines.some((line) => line.includes('CallbackRecordsStored')),
    lines.slice(-20),
  );
  expectEqual(
    'Lines with something secret',
    lines.filter((line) => secrets.some((secret) => line.includes(secret))),
    [],
  );
};
