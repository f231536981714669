import { describe, expect, it } from 'vitest';
import type { Context } from '../../cli/frame/command.ts';
import { withHidden } from '../../cli/unknown/unknown.ts';
import { findingsAs, unknownItems } from '../../cli/unknown/unknown-words.ts';
import type { Reconciliation } from '../../functions/reconcile-calls/reconciliation.ts';
import { feedChangesKey } from '../../lib/agents/rows.ts';
import { quarantineEntry, quarantineRow } from '../../lib/callback/store-or-park.ts';
import { demoCall } from '../support/sandbox.ts';
import { cli, jsonLines } from './support/cli-run.ts';
import { forThisFile, startDeployment, stubDeployment } from './support/local-deployment.ts';
import { callWithAllFields, customer, sentinel, startReadingDeployment } from './support/reading-deployment.ts';

const deployment = await forThisFile(startReadingDeployment());

const at = (args: readonly string[], replaced?: Partial<Context>) => deployment.at(args, replaced);
const json = async (args: readonly string[], replaced?: Partial<Context>) =>
  jsonLines(await at([...args, '--json'], replaced));
const later = { clock: () => new Date('2026-11-22T09:10:00.000Z') };
const day = ['timeline', 'asha', '--day', '2026-11-21'];

/** The feed's row, which commands read beside rows that do not show how old they are. */
const feed = ['GetItem on agents'];

/** The account's country, and the other four spellings of a number. */
const spellings = ['GetItem on agents', ...Array(4).fill('Query on calls, index byCustomer')];

/** Access patterns of the contract by number: a command line, the one request that serves it, and those beside it. */
const patterns: readonly (readonly [number, readonly string[], string, readonly string[]])[] = [
  [1, ['agents'], 'Query on agents', []],
  [2, ['agents', 'zoe'], 'GetItem on agents', feed],
  [3, ['agents', '--state', 'ready'], 'Query on agents, index byState', feed],
  [4, ['floor', '--at', '2026-11-21T12:00:00Z'], 'Query on agents', []],
  [5, day, 'Query on agents', feed],
  [6, ['call', callWithAllFields], 'Query on calls', []],
  [7, ['calls', '--from', '2026-11-20T00:00Z', '--to', '2026-11-22T00:00Z'], 'Query on calls, index byTime', []],
  [8, ['calls', '--customer', customer], 'Query on calls, index byCustomer', spellings],
  [9, ['calls', '--agent', 'ravi'], 'Query on calls, index byAgent', []],
];

describe('a command that reads', () => {
  it.each(patterns)(
    'serves access pattern %i with one request, reads the feed only to show the age of agents, and prints each read',
    async (_number, args, request, beside) => {
      const { code, notes } = await at([...args, '--verbose']);
      const lines = notes.split('\n').filter((line) => / on (?:agents|calls)/.test(line));

      expect(code).toBe(0);
      expect(lines.map((line) => line.replace(/:.*/, '')).toSorted()).toEqual([request, ...beside].toSorted());
      for (const line of lines) expect(line).toMatch(/: \d+ rows?, \d+(?:\.5)? read units$/);
    },
  );

  it.each([
    ...patterns.map(([, args]) => args.join(' ')),
    'agents --state unknown',
    'floor --at 2026-11-22T09:00:16Z',
    'timeline zoe --day 2026-11-22',
    'status --verbose',
    'unknown --from 2026-11-20T00:00Z --verbose',
    'day --verbose',
    'day --date 2026-11-21 --by agent',
    'day --date 2026-11-21 --by skill',
    'day --date 2026-11-21 --by campaign',
  ])('hides personal fields and escapes control characters: %s', async (line) => {
    const args = line.split(' ');
    for (const more of [[], ['--json']]) {
      const { code, output, notes } = await at([...args, ...more]);

      expect(code).toBe(0);
      expect(output).not.toBe('');
      expect(output + notes).not.toMatch(sentinel);
      expect(output + notes).not.toContain('\u001B');
    }
  });

  it.each([
    ['agents', /zoe .*SENTINEL Zoe +09876500000 +SENTINELState7/],
    ['floor --at 2026-11-22T09:00:16Z', /SENTINEL Zoe/],
    [`call ${callWithAllFields}`, /comments +SENTINEL comment[\s\S]*SENTINELField7[\s\S]*09876599999/],
    [`call ${callWithAllFields} --json`, /not-a-scalar[^}]*SENTINEL campaign/],
    ['unknown', /agent +state +SENTINELState7 +1 [\s\S]*call +type +SENTINELType7 +1 [\s\S]*extra\.SENTINELField7/],
    ['day --by agent', /zoe +SENTINEL Zoe/],
    ['day --by agent --csv', /2026-11-22,zoe,SENTINEL Zoe,0,/],
    ['calls --csv', /,09876512345,"asha, ravi","SENTINEL Rao, SENTINEL Iyer",/],
    [`calls --customer ${customer}`, /09876512345 +SENTINEL Rao, SENTINEL Iyer/],
  ])('shows personal fields with --show-personal: %s', async (line, shown) => {
    expect((await at([...line.split(' '), '--show-personal'])).output).toMatch(shown);
  });

  it('needs --account where there are several, and then reads no secret', async () => {
    expect(await at(['agents'], { connect: deployment.withTwoAccounts })).toMatchObject({
      code: 2,
      output: '',
      notes: 'There are several accounts. Name one with --account (demo, other).\n',
    });
    for (const args of [['agents'], ['status'], [...day, '--time-zone', 'Asia/Kolkata'], ['calls']])
      expect(await at([...args, '--account', 'demo'], { connect: deployment.withoutSecret })).toMatchObject({
        code: 0,
      });
  });
});

describe('callfeed unknown', () => {
  const abandoned = { status: 'unknown', statusAsSent: 'Abandoned' };

  const replacing = (differences: object) => [{ differences }];
  it.each<[string, object, readonly (string | undefined)[]]>([
    ['of the record', abandoned, ['Abandoned']],
    ['of a leg, which the record repeats', { ...abandoned, legs: [abandoned, {}] }, ['Abandoned']],
    ['that a richer delivery replaced', { status: 'answered', deliveries: replacing(abandoned) }, ['Abandoned']],
    [
      'that another unknown one replaced, so that only the word differs',
      { ...abandoned, deliveries: replacing({ statusAsSent: 'Lost' }) },
      ['Abandoned', 'Lost'],
    ],
    ['that was erased', { status: 'unknown', statusAsSent: 'erased' }, []],
    ['as the name of a field in a replaced delivery', { deliveries: replacing({ extra: { x: '1' } }) }, [undefined]],
  ])('finds a word %s', (_title, record, words) => {
    expect(unknownItems({ ...record }).map(({ word }) => word)).toEqual(words);
  });

  const unknown = async (...args: readonly string[]) => json(['unknown', '--show-personal', ...args]);

  it('lists each word and field with how often and since when it came, words first', async () => {
    const seen = (at: string, more: object) => ({ records: 1, first: at, last: at, ...more });
    const call = seen('2026-11-21T04:30:00.000Z', { callId: callWithAllFields });
    const agent = seen('2026-11-22T09:00:15.000Z', { agentId: 'zoe' });

    expect(await unknown('--from', '2026-11-20T00:00Z')).toEqual([
      { in: 'agent', field: 'state', word: 'SENTINELState7', ...agent },
      { in: 'call', field: 'type', word: 'SENTINELType7', ...call },
      { in: 'participant', field: 'dialStatus', word: 'Ringing_out', ...call },
      { in: 'call', extra: 'SENTINELField7', ...call },
    ]);
  });

  it('has one line for the hidden words of a field, with how many they are', () => {
    const found = (word: string | undefined, second: number, field = 'status') => ({
      in: 'call' as const,
      field,
      word,
      example: `c${second}`,
      first: `2026-11-20T00:00:0${second}.000Z`,
      last: `2026-11-21T00:00:0${second}.000Z`,
    });
    const shownAs = (shown: Parameters<typeof findingsAs>[0]) => {
      const { add, sorted } = findingsAs(shown);
      for (const [word, second, field] of [
        ['98765', 3],
        ['Lost', 1],
        ['1 2', 5],
        ['3 4', 2],
        ['3 4', 4],
        [undefined, 1, 'x 1'],
      ] as const)
        add(found(word, second, field));
      return sorted().map(({ word, field, sent, records, first, last, example }) => [
        word ?? field,
        sent.size,
        records,
        first.slice(17, 19),
        last.slice(17, 19),
        example,
      ]);
    };

    expect(shownAs(withHidden)).toEqual([
      ['(hidden)', 3, 4, '02', '05', 'c5'],
      ['Lost', 1, 1, '01', '01', 'c1'],
      ['(hidden)', 1, 1, '01', '01', 'c1'],
    ]);
    expect(shownAs((item) => item)).toHaveLength(5);
  });

  it('reads the range, by default of a week, and the state in which an agent was before it', async () => {
    const { output, notes, progress } = await at(['unknown']);
    expect(output).toMatch(/^IN +FIELD +WORD +RECORDS +FIRST +LAST +EXAMPLE\nagent +state +\(hidden\) +1 .* zoe\n/);
    expect(notes).toMatch(/^4 found\. 6 calls and \d+ snapshots of agents read from 2026-11-15T09:00:20\.000Z to /);
    expect(output).toMatch(/^participant +dialStatus +Ringing_out +1 /m);
    expect(output).toMatch(/^call +extra\.\(hidden\) +- +1 /m);
    expect(notes).toMatch(/--show-personal shows it/);
    expect(progress.at(-1)).toMatch(/^6 calls and \d+ snapshots/);

    expect(await unknown('--day', '2026-11-20')).toEqual([]);
    expect((await at(['unknown', '--account', 'nix'])).notes).toMatch(/^0 found\..* is the account spelt as/);
    expect(await unknown('--from', '2026-11-22T09:00:16Z')).toMatchObject([{ agentId: 'zoe' }]);
  });
});

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
      version: { deployed: null },
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

describe('callfeed agents', () => {
  it('shows who is logged in, in which state and for how long', async () => {
    const { output } = await at(['agents']);

    expect(output).toMatch(/^demo, as of 2026-11-22T09:00:15.000Z, 5s ago\.\nAGENT +STATE +SINCE +FOR +SKILLS\n/);
    expect(output).toMatch(/^asha +ready +2026-11-22T06:00:00.000Z +3h 00m 20s/m);
    expect(output).toMatch(/^zoe +unknown +2026-11-22T09:00:15.000Z +5s +Sales\\u001b\[2J$/m);
    expect((await at(['agents', '--state', 'pause'])).output).toMatch(/asha#2[\s\S]*ravi|ravi[\s\S]*asha#2/);
  });

  it.each<[readonly string[], string, Partial<Context>?]>([
    [['nobody'], 'No such agent is logged in.\n'],
    [['--state', 'busy'], 'Nobody is in that state.\n'],
    [[], 'Nobody is logged in.\n', { connect: deployment.withNobodyLoggedIn }],
  ])('notes that nobody matches, beside how old that is: %j', async (args, notes, connected = {}) => {
    expect(await at(['agents', ...args], connected)).toMatchObject({ code: 0, notes });
    const stale = await at(['agents', ...args], { ...connected, ...later });
    expect(stale).toMatchObject({ code: 0, notes, output: expect.stringMatching(/^STALE/) });
  });

  it('prints lastKnownAgents when stale, and no agents when never polled', async () => {
    const [live] = await json(['agents']);
    const [stale] = await json(['agents'], later);
    const [state] = await json(['agents', '--state', 'ready'], later);
    const [none] = await json(['agents', '--account', 'nobody']);

    expect(live).toMatchObject({ account: 'demo', freshness: 'live', ageSeconds: 5, agents: expect.any(Array) });
    expect(stale).toMatchObject({ freshness: 'stale', asOf: '2026-11-22T09:00:15.000Z', ageSeconds: 585 });
    expect(stale).toHaveProperty('lastKnownAgents.length', 5);
    expect(stale).not.toHaveProperty('agents');
    expect(state).toMatchObject({ freshness: 'stale', lastKnownAgents: [{ agentId: 'asha' }] });
    expect(none).toEqual({ account: 'nobody', freshness: 'none' });
    expect((await at(['agents'], later)).output).toMatch(
      /^STALE: demo as last seen [\s\S]*asha +ready +\S+ +3h 00m 15s/,
    );
  });
});

describe('callfeed floor', () => {
  it('shows who was logged in at a past instant', async () => {
    const [past] = await json(['floor', '--at', '2026-11-21T11:30:10Z']);
    const [gap] = await json(['floor', '--at', '2026-11-21T12:00:00Z']);

    expect(past).toMatchObject({
      account: 'demo',
      at: '2026-11-21T11:30:10.000Z',
      since: '2026-11-21T11:30:00.000Z',
      freshness: 'live',
      agents: [{ agentId: 'asha', state: 'in-call' }, { agentId: 'asha#2' }, { agentId: 'omar' }, { agentId: 'ravi' }],
    });
    const lastKnownAgents = past?.['agents'];
    expect(gap).toMatchObject({ freshness: 'stale', asOf: '2026-11-21T11:30:00.000Z', lastKnownAgents });
    expect((await at(['floor', '--at', '2026-11-21T11:30:10Z'])).output).toMatch(/^demo at .*: 4 logged in[\s\S]* 10s/);
    expect((await at(['floor', '--at', '2026-11-21T12:00:00Z'])).output).toMatch(/^STALE: the feed was interrupted at/);
    expect(await at(['floor', '--at', '2026-11-21T09:00:00Z'])).toMatchObject({
      code: 1,
      notes: 'No snapshot of demo is stored from 2026-11-21T09:00:00.000Z or before.\n',
    });
  });
});

describe('callfeed timeline', () => {
  it('adds up the states of a day', async () => {
    const { output } = await at(day);

    expect(output).toMatch(/^asha on 2026-11-21 \(Asia\/Kolkata\)\n/);
    expect(output).toMatch(/^in a call +7h 00m 00s +82 %\nready +1h 30m 00s +18 %\nlogged in +8h 30m 00s/m);
  });

  it('shows today in the account’s zone by default, and up to when it is known', async () => {
    const [today] = await json(['timeline', 'asha']);

    expect(today).toMatchObject({ day: '2026-11-22', timeZone: 'Asia/Kolkata', upTo: '2026-11-22T09:00:15.000Z' });
    expect(today).toMatchObject({ secondsByState: { ready: 10_815 } });
    expect((await at(['timeline', 'asha'])).output).toContain('known up to 2026-11-22T09:00:15.000Z\n');
    expect(await at(['timeline', 'asha', '--account', 'nobody'])).toMatchObject({ code: 2 });
  });

  it('knows a day up to the feed’s last poll, whoever was logged in and however late it is now', async () => {
    const nextDay = { clock: () => new Date('2026-11-23T09:00:00.000Z') };
    const firstLine = async (agent: string, of: string, replaced?: Partial<Context>) =>
      (await at(['timeline', agent, '--day', of], replaced)).output.replace(/^.*Kolkata\)[:,] /, '').split('\n')[0];
    const asOf = '2026-11-22T09:00:15.000Z';

    expect(await firstLine('nobody', '2026-11-21')).toBe('not logged in, or expired.');
    expect(await firstLine('nobody', 'today')).toBe(`known up to ${asOf}: not logged in, or expired.`);
    // Omar logged out on the day before and has no open interval.
    expect(await json(['timeline', 'omar', '--day', '2026-11-22'], nextDay)).toMatchObject([{ upTo: asOf }]);
    expect(await firstLine('omar', '2026-11-22', nextDay)).toBe(`known up to ${asOf}`);
    const unknown = /^known up to 2026-11-2\d\S+: not logged in, or expired\.$/;
    expect(await firstLine('asha', '2026-11-24', nextDay)).toMatch(unknown);
    expect(await firstLine('asha', 'today', nextDay)).toMatch(unknown);
    expect(await json(['timeline', 'asha', '--day', '2026-11-24'], nextDay)).toMatchObject([
      { upTo: '2026-11-23T18:30:00.000Z', intervals: [], secondsByState: {} },
    ]);
  });
});

describe('callfeed day', () => {
  const figures = (...args: readonly string[]) => json(['day', ...args]);
  const requests = async (...args: readonly string[]) => {
    const { notes } = await at(['day', ...args, '--verbose']);
    return notes.split('\n').flatMap((line) => /^\w+ on (?:agents|calls)(?:, index \w+)?/.exec(line)?.[0] ?? []);
  };

  it('has the figures of calls and agents, and why one is not known', async () => {
    const [past] = await figures('--date', '2026-11-20');
    expect(past).toMatchObject({ account: 'demo', day: '2026-11-20', calls: 5, offered: 5, answered: 5, missed: 0 });
    expect(past).not.toHaveProperty('talkTotalSeconds');
    expect(past?.['unknown']).toMatchObject({
      talkTotalSeconds: expect.stringMatching(/^No handled call has durationSeconds\b/),
      loggedInSeconds: expect.stringMatching(/^No interval is stored/),
    });

    // Agents log in at 15:30 in India, and stay over midnight.
    expect((await figures('--date', 'yesterday'))[0]).toMatchObject({
      day: '2026-11-21',
      agentsUpTo: '2026-11-21T18:30:00.000Z',
      calls: 1,
      offered: 0,
      handled: 1,
      loggedInSeconds: 122_400,
      handlingSeconds: 25_200,
      availableSeconds: 66_600,
      occupancy: 0.275,
      secondsByState: { ready: 66_600, 'in-call': 25_200, pause: 30_600 },
    });
    expect((await figures())[0]).toMatchObject({ agentsUpTo: '2026-11-22T09:00:15.000Z', calls: 0 });
  });

  it('groups by agent, also those who were only seen logged in and have left since', async () => {
    const rows = await figures('--date', 'yesterday', '--by', 'agent');
    const found = rows.slice(1).map(({ agent, calls, loggedInSeconds }) => `${agent} ${calls} ${loggedInSeconds}`);
    expect(found).toEqual(['asha 1 30600', 'ravi 1 30600', 'asha#2 0 30600', 'omar 0 30600']);

    // Omar left at 00:30.
    const today = await figures('--by', 'agent');
    expect(today.find(({ agent }) => agent === 'omar')).toMatchObject({ loggedInSeconds: 1_800, occupancy: 0 });
    expect(today.find(({ agent }) => agent === 'asha')).toMatchObject({
      secondsByState: { 'in-call': 1_800, acw: 36_000, ready: 10_815 },
    });
  });

  it('prints the large figures first, and then the table', async () => {
    const { output, notes } = await at(['day', '--date', '2026-11-20', '--by', 'hour']);
    expect(output).toMatch(
      /^demo on 2026-11-20 \(Asia\/Kolkata\)\n\nDAY +OFFERED +ANSWERED +SERVICE LEVEL, 20 S +ABANDONMENT +TIME/,
    );
    expect(output).toMatch(/\n2026-11-20 +5 +5 \(100 %\) +- +0 % +- +-\n2026-11-13 +0 +0 +- +- +- +-\n/);
    expect(output).toMatch(/\n\nHOUR +CALLS .*\n10:00 +5 +5 +5 +0 .*\n$/);
    // Of the day a week before, what had happened by the same time.
    const clock = () => new Date('2026-11-27T04:31:00.000Z');
    const later = await at(['day'], { clock });
    expect(later.output).toMatch(/\n2026-11-27 +0 .*\n2026-11-20 to 10:01 +1 /);
    const weekBefore = { day: '2026-11-20', offered: 1 };
    expect(jsonLines(await at(['day', '--json'], { clock }))[0]).toMatchObject({ weekBefore });
    expect(notes).toContain('5 calls read.\nWhere a figure is “-”: No answered call has timeToAnswerSeconds.\n');
    const whole = (await at(['day', '--date', 'yesterday'])).output;
    expect(whole).toMatch(/^Occupancy +28 %$[\s\S]*^ready +18h 30m 00s +54 %$/m);
    expect((await at(['day', '--account', 'nobody', '--time-zone', 'UTC'])).notes).toMatch(/Is the account spelt/);
  });

  it.each([
    ['in which clocks go forward', '2026-03-29T10:00+02:00', '2026-03-22T10:00+01:00'],
    ['a week after that', '2026-04-05T10:00+02:00', '2026-03-29T10:00+02:00'],
    ['a week after that, at a time that was skipped', '2026-04-05T02:30+02:00', '2026-03-29T03:30+02:00'],
    ['in which clocks go back', '2026-10-25T10:00+01:00', '2026-10-18T10:00+02:00'],
    ['in which clocks go back, in its last hour', '2026-10-25T23:30+01:00', '2026-10-18T23:30+02:00'],
    ['a week after that', '2026-11-01T10:00+01:00', '2026-10-25T10:00+01:00'],
  ])('compares a day %s up to the same local time: %s', async (_title, now, upTo) => {
    const [{ weekBefore } = {}] = await json(['day', '--time-zone', 'Europe/Berlin'], { clock: () => new Date(now) });
    expect(weekBefore).toMatchObject({ upTo: new Date(upTo).toISOString() });
  });

  it('prints CSV with one row for each group, and an empty cell for what is not known', async () => {
    const { output } = await at(['day', '--date', '2026-11-20', '--by', 'skill', '--csv']);
    const [header, group] = output.split('\r\n');
    expect(header?.replaceAll('Seconds', '')).toBe(
      '\uFEFFday,skill,calls,offered,answered,missed,abandoned,shortAbandoned,undecided,serviceLevel,abandonment,' +
        'timeToAnswerMedian,timeToAnswerAverage,timeToAnswerLongest,handled,talkMedian,talkAverage,talkTotal,holdMedian,' +
        'holdAverage,holdTotal,wrapUpMedian,wrapUpAverage,wrapUpTotal,handleMedian,handleAverage,answeredLate',
    );
    expect(group).toBe('2026-11-20,,5,5,5,0,0,0,0,,0,,,,5,,,,,,,,,,,,');
    const agents = (await at(['day', '--date', 'yesterday', '--by', 'agent', '--csv'])).output.split('\r\n');
    expect(agents[0]).toMatch(
      /^\uFEFFday,agent,calls,.*,handleAverageSeconds,loggedInSeconds,.*,occupancy,readySeconds,acwSeconds,.*,unknownSeconds,answeredLate$/,
    );
    expect(agents[1]).toMatch(/^2026-11-21,asha,1,0,.*,30600,25200,5400,0.824,5400,0,0,0,25200,0,0,0,0,0,0,0$/);
    const hours = (await at(['day', '--date', '2026-11-20', '--by', 'hour', '--csv'])).output.split('\r\n');
    expect(hours.slice(1)).toEqual([expect.stringMatching(/^2026-11-20,10:00,5,5,/), '']);
    for (const line of ['day --date yesterday --by campaign --csv', 'calls --csv'])
      expect((await at(line.split(' '))).output).not.toMatch(sentinel);
  });

  // The days have 5 calls, 1 and none; agents log in at 15:30 on the second one and stay over midnight.
  const period = ['day', '--from', '2026-11-20', '--to', '2026-11-22'];

  it('has a period by day, with the sum of agents’ time and the same weekdays before', async () => {
    const [all, ...days] = await json(period);
    expect(all).toMatchObject({ from: '2026-11-20', to: '2026-11-22', timeZone: 'Asia/Kolkata', calls: 6, offered: 5 });
    expect(all).toMatchObject({ weeksBefore: { from: '2026-11-13', to: '2026-11-15', weeks: 1, calls: 0 } });
    expect(days).toMatchObject([
      { by: 'day', day: '2026-11-20', calls: 5, unknown: { loggedInSeconds: expect.stringMatching(/^No interval/) } },
      { by: 'day', day: '2026-11-21', calls: 1, loggedInSeconds: 122_400, occupancy: 0.275 },
      { by: 'day', day: '2026-11-22', calls: 0 },
    ]);
    const [, , second, third] = [all, ...days].map((line) => Number(line?.['loggedInSeconds']));
    expect(all?.['loggedInSeconds']).toBe(Number(second) + Number(third));
    expect(Number(third)).toBeGreaterThan(0);
    const [, ...agents] = await json([...period, '--by', 'agent']);
    // 8:30 hours on the first of these days, half an hour on the next one.
    expect(agents.find(({ agent }) => agent === 'omar')).toMatchObject({ loggedInSeconds: 30_600 + 1_800 });
  });

  it('prints a period with its weekdays, and by hour the same hour of all days', async () => {
    const { output, notes } = await at(period);
    expect(output).toMatch(/^demo from 2026-11-20 to 2026-11-22 \(Asia\/Kolkata\)\n\nDAYS +OFFERED/);
    expect(output).toMatch(/\n2026-11-20 to 2026-11-22 +5 .*\n2026-11-13 to 2026-11-15 14:30 +0 /);
    expect(output).toMatch(/\nDAY +CALLS .*\n2026-11-20 Fri +5 .*\n2026-11-21 Sat +1 .*\n2026-11-22 Sun +0 .*\n$/);
    expect(notes).toContain('Agents’ time is of 2 of 3 days: of the others no interval is stored.');
    // Five of the first day and one of the second.
    expect((await at([...period, '--by', 'hour'])).output).toMatch(/\nHOUR +CALLS .*\n10:00 +6 .*\n$/);
    const csv = async (...by: readonly string[]) => (await at([...period, ...by, '--csv'])).output.split('\r\n');
    const [header, ...days] = await csv();
    expect(header).toMatch(/^\uFEFFday,calls,offered,.*,occupancy,readySeconds,/);
    expect(days.map((line) => line.slice(0, 15))).toEqual([
      '2026-11-20,5,5,',
      '2026-11-21,1,0,',
      '2026-11-22,0,0,',
      '',
    ]);
    expect(String(await csv('--by', 'campaign'))).toMatch(/^\uFEFFfrom,to,campaign,calls,.*,2026-11-20,2026-11-22,/);
  });

  it.each([
    ['', 'calls-by-day', 'SQL answers', { client: { send: () => undefined as never }, database: 'd', workGroup: 'w' }],
    ['--by agent', 'agents-by-day', 'With analytics (docs/analytics.md), SQL answers', undefined],
  ])('reads no row of a large period %s, and names the question %s', async (by, question, answers, analytics) => {
    const asked: string[] = [];
    // Pages of 20,000 calls, of which the 50,000th started on the fifth of the 20 days from the end.
    const start = (id: number) => new Date(Date.parse('2026-11-21T00:00:00Z') - id * 8_640).toISOString();
    const send = async (command: { readonly constructor: { readonly name: string }; readonly input: object }) => {
      asked.push(command.constructor.name);
      const from = Number(Object(command.input).ExclusiveStartKey?.pk.S ?? 1);
      const ids = Array.from({ length: 20_000 }, (_, index) => from + index);
      const key = (id: number) => ({ pk: { S: String(id) }, sk: { S: 'call' } });
      const items = ids.map((id) => ({ ...key(id), listedAt: { S: start(id) } }));
      return { Items: items, LastEvaluatedKey: key(from + 20_000) };
    };
    const connect = async () => ({ ...stubDeployment(), dynamodb: { send } as never, analytics });
    const line = `day --from 2026-11-01 --to 2026-11-20 ${by} --time-zone UTC --account demo --stack s`.split(/ +/);
    const { code, output, notes } = await at(line, { connect });

    expect([code, output]).toEqual([1, '']);
    expect(notes).toContain(
      '2026-11-01 to 2026-11-20 has more than 50,000 calls: so many have started since 2026-11-16T00:00:00+00:00 alone. ' +
        'Figures would read the row of every call, some 200,000, at a read unit or more each. No row was read. ' +
        `Ask for fewer days. ${answers} for any number of them:\n` +
        `  npx callfeed query ${question} --from 2026-11-01 --to 2026-11-20 --stack s`,
    );
    expect(asked).toEqual(['QueryCommand', 'QueryCommand', 'QueryCommand']);
  });

  it.each([
    ['more than 31 days', '--from 2026-10-22', /^A period has up to 31 days, and 2026-10-22 to 2026-11-22 has 32\./],
    ['no first day', '--to 2026-11-20', /^--to needs --from\./],
    ['an end before its beginning', '--from today --to yesterday', /^The period ends before it begins: 2026-11-22 to/],
    ['a day that has not begun', '--from today --to 2026-11-23', /^2026-11-23 has not begun in Asia\/Kolkata\./],
    ['a day besides', '--date today --from yesterday', /'--from <day>' cannot be used with option '--date <day>'/],
  ])('rejects a period with %s', async (_what, line, notes) => {
    expect(await at(['day', ...line.split(' ')])).toMatchObject({ code: 2, notes: expect.stringMatching(notes) });
  });

  it('reads only what the figures need', async () => {
    expect(await requests('--date', '2026-11-20', '--by', 'skill')).toEqual([
      'Query on calls, index byTime',
      'BatchGetItem on calls',
      'Query on calls, index byTime',
    ]);
    // A snapshot for each hour and at the end of the day, the agents of now, and a timeline for each of six agents.
    const ofAgents = await requests('--date', 'yesterday', '--by', 'agent');
    expect(ofAgents.filter((request) => request === 'Query on agents')).toHaveLength(25 + 1 + 6);
    expect(ofAgents.filter((request) => request === 'GetItem on agents')).toHaveLength(1);
    // Of three days as many snapshots, up to now: 24 + 24 + 15 and one at the end; and one timeline for each agent.
    const ofPeriod = await requests('--from', '2026-11-20', '--to', '2026-11-22', '--by', 'agent');
    expect(ofPeriod.filter((request) => request === 'Query on agents')).toHaveLength(64 + 1 + 6);
  });
});

describe('a command that leaves rows out by a filter', async () => {
  const filtered = await forThisFile(startDeployment());
  const entry = { reason: 'broken-json', receivedAt: '2026-11-20T06:00:00.000Z' } as const;
  // A row without a reason, as an earlier version left it, is no entry.
  await filtered.put('quarantine', { id: 'count', posts: 1 });
  for (const account of ['demo', 'other'])
    for (const body of ['{1', '{2'])
      await filtered.put('quarantine', quarantineRow(quarantineEntry({ ...entry, account, body }), 30));
  for (const callId of ['1', '2', '3'])
    await filtered.post(demoCall(callId, { AgentID: 'asha' }), { UCID: callId, ExitStatus: 'x' });
  for (const second of ['00', '15', '30']) {
    const change = { kind: 'feed-change', status: 'live', account: 'demo', revision: 1, version: 1 };
    const at = `2026-11-${second === '15' ? '01' : '20'}T06:00:${second}.000Z`;
    await filtered.put('agents', { ...change, pk: feedChangesKey('demo'), sk: at, recordedAt: at });
  }

  /** Each page of a table has one row, so a filter leaves many of them empty. */
  const pagesOfOneRow: Context['connect'] = async () => {
    const connected = await filtered.connect();
    connected.dynamodb.middlewareStack.add(
      (next, { commandName = '' }) =>
        (args) =>
          next(/^(?:Scan|Query)/.test(commandName) ? { ...args, input: { ...args.input, Limit: 1 } } : args),
      { step: 'initialize' },
    );
    return connected;
  };

  it.each([
    ['quarantine list --account other --json', 2],
    ['quarantine list --json', 4],
    ['status --json', 1],
    ['calls --json --limit 5', 3],
    ['replay --from 2026-11-10 --to 2100-01-01 --account demo --type Call¬Summary¬Recorded --dry-run --json', 1],
    ['replay --from 2026-11-10 --to 2100-01-01 --account demo --type Agent¬Feed¬Interrupted --dry-run --json', 1],
    ['erase --agent asha --account demo --dry-run --json', 1],
  ])('finds no less where pages are short: %s', async (line, lines) => {
    const args = line.split(' ').map((word) => word.replaceAll('¬', ' '));
    const clock = () => new Date(filtered.now());
    const whole = jsonLines(await cli(args, { clock, connect: filtered.connect }));
    const short = jsonLines(await cli(args, { clock, connect: pagesOfOneRow }));

    expect(whole).toHaveLength(lines);
    expect(new Set(short.map((one) => JSON.stringify(one)))).toEqual(new Set(whole.map((one) => JSON.stringify(one))));
  });
});

describe('callfeed call', () => {
  it('shows legs, participants, and how each delivery differed', async () => {
    const { output } = await at(['call', callWithAllFields]);
    const [details] = await json(['call', callWithAllFields]);

    expect(output).toMatch(/^Call 700000000000000001 of demo, revision \d\n[\s\S]* status +answered\n/);
    expect(output).toMatch(/customerNumber +\(hidden\)\n/);
    expect(output).toMatch(/ agentIds +asha, ravi\n/);
    expect(output).toMatch(/ notes +\{"/);
    expect(output).toMatch(/2 deliveries:\n[\s\S]*status: not-answered/);
    expect(output).toMatch(/^Participant /m);
    expect(output).not.toContain('No delivery has a recording');
    expect((await at(['call', '710000000000000000'])).output).toMatch(/\n\nNo delivery has a recording\. /);
    expect(details).toMatchObject({
      callId: callWithAllFields,
      call: { status: 'answered', customerNumber: '(hidden)', deliveries: [{ asSent: '(hidden)' }, {}] },
    });
    expect(await at(['call', '1'])).toMatchObject({
      code: 1,
      notes: expect.stringMatching(/^demo has no call 1\. Are the account and the call spelt/),
    });
  });

  it('prints what was sent, to the letter and without the key, for people and for programs', async () => {
    const text = await at(['call', callWithAllFields, '--as-sent']);
    const lines = jsonLines(await at(['call', callWithAllFields, '--as-sent', '--json']));

    expect(text.output).toContain(`"monitorUCID":"${callWithAllFields}"`);
    expect(text.output).toContain('"Apikey":"***"');
    expect(text.output).toMatch(/^2026-[^ ]+ {2}participant \w+\n\{/m);
    expect(lines.map(({ asSent }) => JSON.parse(String(asSent)).CallerID)).toEqual([customer, customer, undefined]);
  });
});
