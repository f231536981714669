import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connect } from '../../cli/connection/connect.ts';
import type { Context } from '../../cli/context.ts';
import { jsonLines } from './support/cli-run.ts';
import { customer, sentinel, startReadingSandbox, wholeCall } from './support/reading-sandbox.ts';

let sandbox: Awaited<ReturnType<typeof startReadingSandbox>>;

beforeAll(async () => {
  sandbox = await startReadingSandbox();
  const events = async () => (await fetch(sandbox.addresses.events)).text();
  const published = async () => expect(await events()).toMatch(/SENTINEL Zoe[\s\S]*710000000000000004/);
  await vi.waitFor(published, { timeout: 30_000 });
}, 60_000);
afterAll(() => sandbox.stop());

const at = (args: readonly string[], replaced?: Partial<Context>) => sandbox.at(args, replaced);
const json = async (args: readonly string[], replaced?: Partial<Context>) =>
  jsonLines(await at([...args, '--json'], replaced));
const later = { clock: () => new Date('2026-11-22T09:10:00.000Z') };
const day = ['timeline', 'asha', '--day', '2026-11-21'];

/** The row that says how old the picture is, read beside what says nothing of it. */
const feed = ['GetItem on agents'];

/** Every access pattern by its number: a command line, the one request that serves it, and those beside it. */
const patterns: readonly (readonly [number, readonly string[], string, readonly string[]])[] = [
  [1, ['agents'], 'Query on agents', []],
  [2, ['agents', 'zoe'], 'GetItem on agents', feed],
  [3, ['agents', '--state', 'ready'], 'Query on agents, index byState', feed],
  [4, ['floor', '--at', '2026-11-21T12:00:00Z'], 'Query on agents', []],
  [5, day, 'Query on agents', feed],
  [6, ['call', wholeCall], 'Query on calls', []],
  [7, ['calls', '--from', '2026-11-20T00:00Z', '--to', '2026-11-22T00:00Z'], 'Query on calls, index byTime', []],
  [8, ['calls', '--customer', customer], 'Query on calls, index byCustomer', []],
  [9, ['calls', '--agent', 'ravi'], 'Query on calls, index byAgent', []],
];

describe('a command that reads', () => {
  it.each(patterns)(
    'serves access pattern %i with one request, has the feed’s row beside it only where that says how old it is, and says what each took',
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
    'events',
  ])('hides whatever is personal unless asked, and obeys no data: %s', async (line) => {
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
    ['agents', /zoe .*SENTINEL Zoe +09876500000 +SENTINELState/],
    ['floor --at 2026-11-22T09:00:16Z', /SENTINEL Zoe/],
    [`call ${wholeCall}`, /comments +SENTINEL comment[\s\S]*SENTINELField[\s\S]*09876599999/],
    [`calls --customer ${customer}`, /09876512345 +SENTINEL Rao, SENTINEL Iyer/],
    ['events --json', /SENTINEL comment/],
  ])('shows it if asked: %s', async (line, shown) => {
    expect((await at([...line.split(' '), '--show-personal'])).output).toMatch(shown);
  });

  it('asks which account is meant where there are several, and needs no secret once it is named', async () => {
    expect(await at(['agents'], { connect: sandbox.withTwoAccounts })).toMatchObject({
      code: 2,
      output: '',
      notes: 'There are several accounts: name one with --account (demo, other).\n',
    });
    for (const args of [['agents'], ['status'], [...day, '--time-zone', 'Asia/Kolkata'], ['calls']])
      expect(await at([...args, '--account', 'demo'], { connect: sandbox.withoutSecret })).toMatchObject({ code: 0 });
  });
});

describe('callfeed status', () => {
  it('tells of every account how old its floor is, and says plainly what is stale or missing', async () => {
    const { code, output } = await at(['status'], { connect: sandbox.withTwoAccounts });

    expect(code).toBe(0);
    expect(output).toContain('demo, as of 2026-11-22T09:00:15.000Z, 5s ago.\n');
    expect(output).toContain('NEVER POLLED: nobody of other has ever been seen');
    expect(output).toMatch(/^demo +live +5 +/m);
    expect(output).toMatch(/^other +NEVER POLLED +- +-$/m);
    expect(output).toMatch(/^Quarantine +0 not understood\nParked +about 0 wait.*\nDead letters +about 0 set aside\n/m);
    expect(output).toContain('callfeed-calls, callfeed-agents, callfeed-quarantine');
    expect((await at(['status'], later)).output).toContain(
      'STALE: demo as last seen 2026-11-22T09:00:15.000Z, 9m 45s ago',
    );
  });

  it('is one object for programs', async () => {
    expect(await json(['status'], later)).toEqual([
      {
        accounts: [
          expect.objectContaining({
            account: 'demo',
            freshness: 'stale',
            ageSeconds: 585,
            lastKnownAgentCount: 5,
            lastKnownCounts: expect.objectContaining({ ready: 1 }),
          }),
        ],
        quarantine: { entries: 0, isAtLeast: false },
        parked: 0,
        deadLetters: 0,
        bus: sandbox.addresses.events,
        tables: { calls: 'callfeed-calls', agents: 'callfeed-agents', quarantine: 'callfeed-quarantine' },
      },
    ]);
  });
});

describe('callfeed status, of counts', () => {
  it('has names of their own for those of a stale picture, and none where there is no picture', async () => {
    const accountsOf = async (...args: Parameters<typeof json>) => Object((await json(...args))[0]).accounts;
    const names = (account: object) => Object.keys(account).toSorted();
    const [live] = await accountsOf(['status']);
    const [stale] = await accountsOf(['status'], later);
    const [, none] = await accountsOf(['status'], { connect: sandbox.withTwoAccounts });

    expect(names(live)).toEqual(['account', 'ageSeconds', 'agentCount', 'asOf', 'counts', 'freshness', 'lastProblem']);
    expect(names(stale)).toEqual([
      'account',
      'ageSeconds',
      'asOf',
      'freshness',
      'lastKnownAgentCount',
      'lastKnownCounts',
      'lastProblem',
    ]);
    expect(none).toEqual({ account: 'other', freshness: 'none' });
    expect((await at(['status'], later)).output).toMatch(/^demo +STALE +last known: 5 +last known: \d \w/m);
  });
});

describe('callfeed agents', () => {
  it('shows who is logged in, in which state and for how long', async () => {
    const { output } = await at(['agents']);

    expect(output).toMatch(/^demo, as of 2026-11-22T09:00:15.000Z, 5s ago\.\nAGENT +STATE +SINCE +FOR +SKILLS\n/);
    expect(output).toMatch(/^asha +ready +2026-11-22T06:00:00.000Z +3h 00m 20s/m);
    expect(output).toMatch(/^zoe +unknown +2026-11-22T09:00:15.000Z +5s +Sales\\u001b\[2J$/m);
    expect((await at(['agents', '--state', 'pause'])).output).toMatch(/asha#2[\s\S]*ravi|ravi[\s\S]*asha#2/);
  });

  it.each<[readonly string[], string, string]>([
    [['nobody'], 'No such agent is logged in.\n', 'No such agent was logged in when last seen.\n'],
    [['--state', 'busy'], 'Nobody is in that state.\n', 'Nobody was in that state when last seen.\n'],
  ])('says that nobody is there now, or was when last seen: %j', async (args, live, stale) => {
    expect(await at(['agents', ...args])).toMatchObject({ code: 0, notes: live });
    expect(await at(['agents', ...args], later)).toMatchObject({ code: 0, notes: stale });
  });

  it('says that nobody is logged in where the floor is empty', async () => {
    const connected = { connect: sandbox.withEmptyFloor };

    expect(await at(['agents'], connected)).toMatchObject({ code: 0, notes: 'Nobody is logged in.\n' });
    expect(await at(['agents'], { ...connected, ...later })).toMatchObject({
      code: 0,
      notes: 'Nobody was logged in when last seen.\n',
    });
  });

  it('puts those last seen under another name when the picture is stale, and none when there is none', async () => {
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
  it('shows who was there at a past moment', async () => {
    const [past] = await json(['floor', '--at', '2026-11-21T11:30:10Z']);
    const [gap] = await json(['floor', '--at', '2026-11-21T12:00:00Z']);

    expect(past).toMatchObject({
      account: 'demo',
      at: '2026-11-21T11:30:10.000Z',
      since: '2026-11-21T11:30:00.000Z',
      freshness: 'live',
      agents: [{ agentId: 'asha', state: 'in-call' }, { agentId: 'asha#2' }, { agentId: 'omar' }, { agentId: 'ravi' }],
    });
    expect(gap).toMatchObject({
      freshness: 'stale',
      asOf: '2026-11-21T11:30:00.000Z',
      lastKnownAgents: past?.['agents'],
    });
    expect((await at(['floor', '--at', '2026-11-21T11:30:10Z'])).output).toMatch(/^demo at .*: 4 logged in[\s\S]* 10s/);
    expect((await at(['floor', '--at', '2026-11-21T12:00:00Z'])).output).toMatch(/^STALE: the feed was interrupted at/);
    expect(await at(['floor', '--at', '2026-11-21T09:00:00Z'])).toMatchObject({
      code: 1,
      notes: 'No floor of demo is kept from 2026-11-21T09:00:00.000Z or before.\n',
    });
  });
});

describe('callfeed timeline', () => {
  it('draws a day and adds it up', async () => {
    const { output } = await at(day);
    const [title, scale, bar] = output.split('\n');

    expect(title).toBe('asha on 2026-11-21 (Asia/Kolkata)');
    expect(scale).toMatch(/^00 +02 +04 +/);
    expect(bar).toMatch(/^\.{51,53}R{5}C{23,24}$/);
    expect(bar).toHaveLength(80);
    expect(output).toMatch(/^C +in-call +7h 00m 00s +82 %\nR +ready +1h 30m 00s +18 %\n +logged in +8h 30m 00s/m);
  });

  it('is of today unless told, in the zone of the account, and says up to when it is known', async () => {
    const [today] = await json(['timeline', 'asha']);

    expect(today).toMatchObject({ day: '2026-11-22', timeZone: 'Asia/Kolkata', upTo: '2026-11-22T09:00:15.000Z' });
    expect(today).toMatchObject({ secondsByState: { ready: 10_815 } });
    expect((await at(['timeline', 'asha'])).output).toMatch(/known up to 2026-11-22T09:00:15.000Z\n.*\n[^\n]+R+ +\n/);
    expect(await at(['timeline', 'asha', '--account', 'nobody'])).toMatchObject({ code: 2 });
  });

  it('is known as far as the feed has come, whoever was there and however late it is', async () => {
    const nextDay = { clock: () => new Date('2026-11-23T09:00:00.000Z') };
    const told = async (agent: string, of: string, replaced?: Partial<Context>) =>
      (await at(['timeline', agent, '--day', of], replaced)).output.replace(/^.*Kolkata\)[:,] /, '').split('\n')[0];
    const asOf = '2026-11-22T09:00:15.000Z';

    expect(await told('nobody', '2026-11-21')).toBe('was not logged in, or nothing is kept of it.');
    expect(await told('nobody', 'today')).toBe(
      `was not logged in up to ${asOf}, or nothing is kept of it; the rest is not known yet.`,
    );
    // Omar left on the day before; of him no stretch is open.
    expect(await json(['timeline', 'omar', '--day', '2026-11-22'], nextDay)).toEqual([
      expect.objectContaining({ upTo: asOf }),
    ]);
    expect(await told('omar', '2026-11-22', nextDay)).toBe(`known up to ${asOf}`);
    expect(await told('asha', '2026-11-24', nextDay)).toBe('is not known yet.');
    expect(await told('asha', 'today', nextDay)).toBe('is not known yet.');
    expect(await json(['timeline', 'asha', '--day', '2026-11-24'], nextDay)).toEqual([
      expect.objectContaining({ upTo: '2026-11-23T18:30:00.000Z', intervals: [], secondsByState: {} }),
    ]);
  });
});

describe('callfeed calls', () => {
  it('goes on where it broke off, and lists each call once', async () => {
    const ids: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await at(['calls', '--limit', '4', '--json', ...(cursor === undefined ? [] : ['--cursor', cursor])]);
      ids.push(...jsonLines(page).map(({ callId }) => callId));
      cursor = /--cursor (\S+)\n/.exec(page.notes)?.[1];
    } while (cursor !== undefined);

    expect(ids).toEqual([wholeCall, ...[4, 3, 2, 1, 0].map((index) => `71000000000000000${index}`)]);
    expect((await at(['calls', '--limit', '1'])).output).toMatch(/^TIME +CALL +LEG[\s\S]*700000000000000001 +main/);
  });
});

describe('callfeed calls, of a name that nobody has', () => {
  it.each([
    ['--account nobody --json', /is the account spelt as in the secret\?\n$/],
    ['--agent nobody', /^0 listed\. .*is the agent the login id.*\?\n$/],
    ['--customer 1', /is the number spelt as it was sent\?\n$/],
  ])('asks how it is spelt: %s', async (args, notes) => {
    expect(await at(['calls', ...args.split(' ')])).toMatchObject({ code: 0, notes: expect.stringMatching(notes) });
  });
});

describe('callfeed calls, of which DynamoDB cuts pages short', () => {
  it('lists as many as were asked for, each once, and says where to go on', async () => {
    const short: Context['connect'] = async (where) => {
      const deployment = await connect(where);
      deployment.dynamodb.middlewareStack.add(
        (next) => (args) => next({ ...args, input: { ...args.input, Limit: Math.min(2, Object(args.input).Limit) } }),
        { step: 'initialize' },
      );
      return deployment;
    };
    const some = await at(['calls', '--limit', '5', '--verbose', '--json'], { connect: short });
    const all = await at(['calls', '--limit', '100', '--json'], { connect: short });

    expect(new Set(jsonLines(some).map(({ callId }) => callId)).size).toBe(5);
    expect(some.notes.match(/^Query on calls, index byTime: \d rows?/gm)).toEqual(
      [2, 2, 1].map((rows) => `Query on calls, index byTime: ${rows} ${rows === 1 ? 'row' : 'rows'}`),
    );
    expect(some.notes).toMatch(/^5 listed\. More with the same options and --cursor \S+$/m);
    expect([jsonLines(all).length, all.notes]).toEqual([6, '6 listed.\n']);
  });
});

describe('callfeed call', () => {
  it('shows legs, deliveries with what each said differently, and participants', async () => {
    const { output } = await at(['call', wholeCall]);
    const [whole] = await json(['call', wholeCall]);

    expect(output).toMatch(/^Leg main of call 700000000000000001 of demo, revision \d\n[\s\S]* status +answered\n/);
    expect(output).toMatch(/customerNumber +\(hidden\)\n/);
    expect(output).toMatch(/2 deliveries:\n[\s\S]*status: not-answered/);
    expect(output).toMatch(/^Participant /m);
    expect(whole).toMatchObject({ callId: wholeCall, legs: [{ status: 'answered', customerNumber: '(hidden)' }] });
    expect(await at(['call', '1'])).toMatchObject({
      code: 1,
      notes: expect.stringMatching(/^demo has no call 1\. Are the account and the call spelt/),
    });
  });
});

describe('a command line that reads', () => {
  it.each<[string, readonly string[], RegExp]>([
    ['an unknown state', ['agents', '--state', 'x'], /Allowed choices are ready/],
    ['an agent and a state', ['agents', 'asha', '--state', 'ready'], /not both/],
    ['an empty agent', ['agents', ''], /agentId: expected text/],
    ['no moment', ['floor'], /--at <instant>/],
    ['a moment to come', ['floor', '--at', '2100-01-01T00:00Z'], /in the future/],
    ['a day as a moment', ['floor', '--at', '2026-11-20'], /a day has no zone/],
    ['a day as the start of a range', ['calls', '--from', '2026-11-20'], /a day has no zone.*by --day/],
    ['a day as the end of a range', ['calls', '--to', '2026-11-20'], /a day has no zone.*by --day/],
    ['a day and a range', ['calls', '--day', 'today', '--to', '2026-11-20T00:00Z'], /--day, or --from and --to/],
    ['a zone without its day', ['calls', '--time-zone', 'UTC'], /--time-zone is of --day/],
    ['a status that is none', ['calls', '--status', 'missed'], /Allowed choices are answered, not-answered, unknown/],
    ['a type that is none', ['calls', '--type', 'x'], /Allowed choices are progressive, inbound, /],
    ['a moment without a zone', ['floor', '--at', '2026-11-21T10:00:00'], /with its zone/],
    ['a day that is none', ['timeline', 'asha', '--day', '2026-02-30'], /Expected a day such as/],
    ['a zone that is none', ['timeline', 'asha', '--time-zone', 'IST'], /Expected an IANA time zone/],
    ['an agent and a customer', ['calls', '--agent', 'a', '--customer', '1'], /not both/],
    [
      'a range that ends first',
      ['calls', '--from', '2026-11-21T00:00Z', '--to', '2026-11-20T00:00Z'],
      /does not end before it begins/,
    ],
    ['a cursor that is none', ['calls', '--cursor', 'x'], /cursor: expected/],
  ])('is told what is wrong: %s', async (_title, args, notes) => {
    expect(await at(args)).toMatchObject({ code: 2, output: '', notes: expect.stringMatching(notes) });
  });

  it.each(['status', 'agents', 'floor', 'timeline', 'calls', 'call', 'events', 'send'])('helps: %s', async (name) => {
    const { code, output } = await at([name, '--help']);

    expect([code, output]).toEqual([0, expect.stringMatching(/--endpoint <url>[\s\S]*Examples:\n {2}\$ callfeed /)]);
  });
});
