import { accountBook } from '../../../lib/account/account-book.ts';
import { pollAgents } from '../../../lib/poll-agents.ts';
import type { Telemetry } from '../../../lib/ports.ts';
import { eventsOf } from '../../../lib/publish/events-of.ts';
import { fail, ok } from '../../../lib/result.ts';
import { memoryTable } from './memory-table.ts';
import { storyAccount, storyRetention } from './story-account.ts';
import type { Told } from './told.ts';

/** What the service answers to a poll: who is logged in, or nothing at all. */
export type Answer = readonly object[] | 'silence';

/** A slot, in which an account is polled once. */
const slotMs = 15_000;

const silent: Telemetry = { count: () => undefined, measure: () => undefined, fault: rethrow };

/** What is told of agents by polls from an instant on, one a slot: asked, compared, written as the function does. */
export const toldAgents = async (from: string, answers: readonly Answer[]): Promise<Told> => {
  const table = memoryTable();
  const book = accountBook([storyAccount]);
  let nowMs = Date.parse(from);
  let answer: Answer = [];

  const poll = pollAgents({
    table,
    clock: () => new Date(nowMs),
    pause: async (milliseconds) => {
      nowMs += milliseconds;
    },
    telemetry: silent,
    retention: storyRetention,
    accounts: { current: async () => book, refreshed: async () => book },
    service: {
      post: async () =>
        answer === 'silence'
          ? fail({ reason: 'connection' })
          : ok({ status: 200, text: JSON.stringify({ status: 'success', message: answer }) }),
    },
  });
  for (const [slot, given] of answers.entries()) {
    nowMs = Date.parse(from) + slot * slotMs;
    answer = given;
    await poll();
  }
  return { rows: table.all(), events: table.changes().flatMap(eventsOf) };
};

function rethrow(_where: string, error: unknown): never {
  throw error;
}
