import { checkEvent } from '../cloud/checked-event.ts';
import type { Event, Subscriber } from '../cloud/subscriber.ts';
import { same } from '../runner/facts.ts';
import { until } from '../runner/until.ts';

/** What an event is about, in short. */
const inShort = ({ 'detail-type': type, detail }: Event): string =>
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
export const findEvents = ({ events }: Subscriber) => {
  const expected: string[] = [];

  return async (further: readonly string[]): Promise<void> => {
    expected.push(...further);
    await until(
      `the events ${expected.join(', ')}`,
      async () => (await events()).map(inShort),
      (come) => come.length >= expected.length,
    );

    const come = await events();
    for (const event of come) checkEvent(event);
    same('The events that a subscriber got', bySubject(come.map(inShort)), bySubject(expected));
    same('The number of their ids', new Set(come.map(({ detail }) => detail.id)).size, come.length);
  };
};
