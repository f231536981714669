import { describe, expect, it } from 'vitest';
import type { Reconciliation } from '../../../functions/reconcile-calls/reconciliation.ts';
import { jsonLines } from '../support/cli-run.ts';
import { forThisFile } from '../support/local-deployment.ts';
import { later, startReadingDeployment } from '../support/reading-deployment.ts';

const deployment = await forThisFile(startReadingDeployment());
const { at, json } = deployment;

describe('callfeed status', () => {
  it('shows for each account how old its data is, and what is stale or missing', async () => {
    const { code, output } = await at(['status'], { connect: deployment.withTwoAccounts });

    expect(code).toBe(0);
    expect(output).toContain('demo, as of 2026-11-22T09:00:15.000Z, 5s ago.\n');
    expect(output).toContain('NEVER POLLED: no poll of other has succeeded yet (is the account spelt');
    expect(output).toMatch(/^demo +live +none yet +5 +/m);
    expect(output).toMatch(/^other +NEVER POLLED +none yet +- +-$/m);
    expect(output).toMatch(/^Quarantine +0 rejected .*\nParked +about 0 messages .*\nDead letters +about 0 messages /m);
    expect(output).toContain(Object.values(deployment.tables).join(', '));
    expect((await at(['status'], later)).output).toContain(
      'STALE: demo as last seen 2026-11-22T09:00:15.000Z, 9m 45s ago',
    );
  });

  it('prints one object with --json', async () => {
    const [{ accounts, ...status } = { accounts: [] }] = await json(['status'], later);
    const lastKnown = { lastKnownAgentCount: 5, lastKnownCounts: { ready: 1 } };

    expect(accounts).toMatchObject([{ account: 'demo', freshness: 'stale', ageSeconds: 585, ...lastKnown }]);
    for (const name of ['counts', 'agentCount']) expect(Object(accounts)[0]).not.toHaveProperty(name);
    expect(status).toEqual({
      quarantine: { entries: 0, isAtLeast: false },
      parked: 0,
      deadLetters: 0,
      bus: 'http://127.0.0.1:9',
      tables: deployment.tables,
      version: { deployed: null, upgrade: 'docs/upgrading.md#from-before-100' },
      warnings: [
        {
          word: 'STALE',
          account: 'demo',
          text: expect.stringMatching(/^demo as last seen/),
          command: expect.stringMatching(/^npx callfeed status --since 3h/),
        },
      ],
    });
  });

  it('counts ten pages of quarantine, and says that there may be more', async () => {
    const connected = await deployment.connect();
    let pages = 0;
    connected.dynamodb.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName !== 'ScanCommand') return next(args);
          pages += 1;
          const more = pages < 12 && { LastEvaluatedKey: { id: { S: String(pages) } } };
          return { response: {}, output: { $metadata: {}, Count: 3, ...more } as never };
        },
      { step: 'initialize' },
    );
    const replaced = { connect: async () => connected };

    expect((await at(['status'], replaced)).output).toMatch(/^Quarantine +at least 30 rejected posts and records$/m);
    expect(pages).toBe(10);
    expect(JSON.parse((await at(['status', '--json'], replaced)).output)).toMatchObject({
      quarantine: { entries: 6, isAtLeast: false },
    });
  });

  it('shows where calls are reconciled when that was, what the report alone told of, and what goes on', async () => {
    const day = { records: 9, calls: 8, known: 7, found: 1, completed: 0, unreadable: 0 };
    const days = { '2026-11-22': { ...day, readAt: '2026-11-22T08:55:20.000Z' } };
    const cutDay = { ...day, readAt: '2026-11-22T08:55:20.000Z', isCut: true, total: 20, shrankFrom: 20 };
    const problem = { reason: 'rejected', at: '2026-11-22T08:59:20.000Z' };
    const run = {
      id: 'r',
      startedAt: '2026-11-22T09:00:00.000Z',
      days: ['2026-11-21'],
      page: 1,
      step: 2,
      soFar: day,
      dueAt: '2026-11-22T09:00:20.000Z',
      done: { '2026-11-22': day },
      failures: 0,
      accessesTried: 0,
    };
    const statusOf = (state: Partial<Reconciliation>, ...args: readonly string[]) =>
      at(['status', ...args], { connect: () => deployment.withReconciliation(state) });
    const completed = { completedAt: '2026-11-22T08:55:20.000Z', days };
    const under = (changes: object) => ({
      run: { ...run, skipped: [], isComplete: true, isDryRun: false, ...changes },
    });
    const states: readonly (readonly [Partial<Reconciliation>, RegExp])[] = [
      [{}, /^demo +NEVER +0 +0 +idle$/m],
      [completed, /^demo +5m 00s ago +8 +1 \(12\.5 %\) +idle$/m],
      [
        { days: { ...days, '2026-11-21': { ...day, readAt: '2026-11-22T08:00:20.000Z' } } },
        /^demo +5m 00s ago +16 +2 \(12\.5 %\) +idle$/m,
      ],
      [
        { days: { '2026-11-21': cutDay, '2026-11-22': cutDay } },
        /NOT READ TO THE END: 2026-11-22 ended after 9 of 20 records; and 1 day more$/m,
      ],
      [{ ...completed, problem }, / gave up 1m 00s ago: rejected$/m],
      [under({ isDryRun: true }), / dry run: 1 of 2 days read, now page 1 of 2026-11-21; about 2s left$/m],
      [under({ dueAt: '2026-11-22T08:00:20.000Z' }), / a run stopped 1h 00m 00s ago$/m],
    ];
    for (const [state, shown] of states) expect((await statusOf(state)).output).toMatch(shown);
    expect(jsonLines(await statusOf({ ...completed, problem }, '--json'))).toMatchObject([
      { accounts: [{ reconciliation: { ...completed, problem, calls: 8, found: 1, foundShare: 0.125 } }] },
    ]);
    expect((await at(['status'])).output).not.toContain('RECONCILED');
  });

  it('names stale counts otherwise, and has none for an account that was never polled', async () => {
    const accountsOf = async (...args: Parameters<typeof json>) => Object((await json(...args))[0]).accounts;
    const [live] = await accountsOf(['status']);
    const [, none] = await accountsOf(['status'], { connect: deployment.withTwoAccounts });

    expect(live).toMatchObject({ agentCount: 5, counts: { ready: 1 } });
    expect(Object.keys(live).filter((name) => name.startsWith('lastKnown'))).toEqual([]);
    expect(none).toEqual({
      account: 'other',
      freshness: 'none',
      problem: { side: 'poller-or-table' },
      callbacks: { isSilent: false },
      publishing: { isHeldUp: false },
    });
    expect((await at(['status'], later)).output).toMatch(/^demo +STALE +none yet +last known: 5 +last known: \d \w/m);
  });

  it('tells a problem of now from the one before: a service that failed earlier is not blamed for the table', async () => {
    const [{ problem, previousProblem }] = Object((await json(['status'], later))[0]).accounts;

    expect(problem).toEqual({ side: 'poller-or-table', since: '2026-11-22T09:00:15.000Z' });
    expect(previousProblem).toMatchObject({ side: 'poller-or-table', reason: 'not-polled' });
    expect((await at(['status'], later)).output).toContain(
      'Since 2026-11-22T09:00:15.000Z the poller writes nothing: it does not run, has no accounts, or cannot use the table. ' +
        'An earlier problem is over, last met at',
    );
  });

  const silent =
    'SILENT: agents of demo end calls, and no callback has come since 2026-11-22T08:40:00.000Z. Check the callback address first';
  const at08 = (minute: number) => `2026-11-22T08:${minute}:00.000Z`;
  it.each([
    ['where none came since', at08(40), at08(50), true, silent],
    ['once a callback came', at08(54), at08(45), false, undefined],
    ['where the poller has seen nothing', at08(54), undefined, false, undefined],
    ['where none ever came', undefined, at08(45), true, 'no callback has come so far. Check'],
  ])(
    'shows the last callback, and whether callbacks are missing: %s',
    async (_title, lastReceivedAt, silentSince, isSilent, line) => {
      const connect = () => deployment.withCallbacks({ lastReceivedAt, silentSince });
      const { output } = await at(['status'], { connect });
      const [{ callbacks }] = Object((await json(['status'], { connect }))[0]).accounts;

      expect(callbacks).toEqual({
        ...(lastReceivedAt !== undefined && { lastReceivedAt, ageSeconds: expect.any(Number) }),
        ...(isSilent && { silentSince }),
        isSilent,
      });
      expect(output).toMatch(lastReceivedAt === undefined ? /^demo +live +none yet/m : /^demo +live +\d+m \d\ds ago/m);
      if (line === undefined) expect(output).not.toContain('SILENT');
      else expect(output).toContain(line);
    },
  );
});

it.each([
  ['a minute ago', '2026-11-22T08:59:15.000Z', true],
  ['over three minutes ago', '2026-11-22T08:57:20.000Z', false],
])(
  'callfeed status says that events are held up, which was seen %s, and blames nobody without a fault',
  async (_title, heldUpAt, isHeldUp) => {
    const connect = () =>
      deployment.withCallbacks({ lastReceivedAt: '2026-11-22T08:54:00.000Z', silentSince: undefined, heldUpAt });
    const { output } = await at(['status'], { connect });
    const [{ publishing }] = Object((await json(['status'], { connect }))[0]).accounts;

    expect(publishing).toEqual({ isHeldUp, heldUpAt });
    const line =
      /^HELD UP: events of demo are not published in time, last seen at 2026-11-22T08:59:15.000Z\. .* Either the bus /m;
    expect(line.test(output)).toBe(isHeldUp);
  },
);
