import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentEvents } from '../../../lib/contract/agent-events.ts';
import { pollProblems } from '../../../lib/feed/problem.ts';
import { eventsOf } from '../../../lib/publish/events-of.ts';
import type { RowChange } from '../../../lib/publish/row-change.ts';
import { arbitraryPolls } from '../support/arbitrary-floors.ts';
import { pollRun } from '../support/poll-run.ts';
import { holdsAsync } from '../support/property.ts';
import { noReply, success } from '../support/scripted-service.ts';

const problemsOf = (change: RowChange) =>
  eventsOf(change).map(({ type, detail }) => {
    const schema = agentEvents[type as keyof typeof agentEvents];
    return schema.safeParse(JSON.parse(JSON.stringify(detail))).error;
  });

/** Polls that show floors, and now and then fail. */
const polls = fc.tuple(
  arbitraryPolls,
  fc.array(fc.option(fc.constantFrom(...pollProblems)), { minLength: 25, maxLength: 25 }),
);

describe('a published event about agents', () => {
  it('satisfies the contract, whatever polls show and whatever image is missing', async () => {
    const seen = new Set<string>();
    await holdsAsync(
      fc.asyncProperty(polls, async ([shown, failures]) => {
        const logins = shown.map(({ records }, index) => {
          const reason = failures[index];
          return reason === null || reason === undefined ? success(records) : noReply(reason);
        });
        const { poll, advance, table, events } = pollRun({ logins });
        for (const { afterSeconds } of shown) {
          await poll();
          advance(Math.max(afterSeconds, 15) * 1000);
        }

        for (const { type } of events()) seen.add(type);
        for (const change of table.changes()) {
          expect(problemsOf(change).filter((error) => error !== undefined)).toEqual([]);
          expect(problemsOf({ ...change, before: undefined }).filter((error) => error !== undefined)).toEqual([]);
        }
      }),
    );

    expect(seen).toEqual(new Set(Object.keys(agentEvents)));
  });

  it('has an id of its own, whatever polls show', async () => {
    await holdsAsync(
      fc.asyncProperty(arbitraryPolls, async (shown) => {
        const { poll, advance, events } = pollRun({ logins: shown.map(({ records }) => success(records)) });
        for (const { afterSeconds } of shown) {
          await poll();
          advance(Math.max(afterSeconds, 15) * 1000);
        }
        const ids = events().map(({ detail }) => detail.id);

        expect(new Set(ids).size).toBe(ids.length);
      }),
      50,
    );
  });
});
