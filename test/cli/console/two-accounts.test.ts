import { expect, it } from 'vitest';
import type { ShownAccount } from '../../../cli/console/accounts.ts';
import { callsReader } from '../../../cli/console/calls.ts';
import { dayReader } from '../../../cli/console/day.ts';

const settings = { clock: () => new Date('2026-11-22T09:00:00.000Z'), isPersonal: true };
const listedAt = '2026-11-22T08:00:00.000Z';

/** An account with so many calls, whose ids other accounts have too; the first of them took as many seconds. */
const accountWith = (account: string, count: number): ShownAccount => {
  const listed = { callId: '0', revision: 1, listedAt, type: 'inbound', status: 'answered' };
  const call = { ...listed, durationSeconds: count };
  const calls = Array.from({ length: count }, (_, index) => ({ ...listed, callId: String(index) }));
  const client = {
    calls: () => ({
      async *pages() {
        yield { calls, next: undefined };
      },
    }),
    callRows: async () => [call],
    day: async (day: string, timeZone: string, { withAgents = true } = {}) => ({
      ...{ day, timeZone, start: `${day}T00:00:00.000Z`, end: `${day}T23:59:59.999Z`, calls: [call] },
      ...{ agents: [], agentsUpTo: withAgents ? listedAt : undefined },
    }),
  };
  return { account, timeZone: 'UTC', client } as unknown as ShownAccount;
};

const accounts = [accountWith('acme', 3), accountWith('globex', 7)];

it('a day of the console is that of its account', async () => {
  const read = dayReader(settings);
  const talk: unknown[] = [];
  for (const account of accounts) {
    const { figures } = await read(account, { day: '2026-11-22', by: 'skill', within: 20 });
    talk.push(figures.find(({ name }) => name === 'talkTotalSeconds')?.value);
  }

  expect(talk).toEqual([3, 7]);
});

it('a day that was read without agents, for the week after it, is read again with them', async () => {
  const read = dayReader(settings);
  const [account] = accounts as [ShownAccount];
  await read(account, { day: '2026-11-22', by: 'skill', within: 20 });

  expect((await read(account, { day: '2026-11-15', by: 'skill', within: 20 })).agentsUpTo).toBe(listedAt);
});

it('calls of the console have the details and the count of their account', async () => {
  const read = callsReader(settings);
  const found: (readonly [seconds: unknown, counted: number])[] = [];
  for (const account of [...accounts, ...accounts]) {
    const { calls, quarters = [] } = await read(account, { day: 'today' });
    found.push([calls[0]?.durationSeconds, quarters.reduce((sum, [, count]) => sum + count, 0)]);
  }

  expect(found).toEqual([
    [3, 3],
    [7, 7],
    [3, 3],
    [7, 7],
  ]);
});
