import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { consoleApi } from '../../../cli/console/api.ts';
import type { Deployment } from '../../../cli/frame/deployment.ts';
import { ofPart } from '../../../cli/frame/problem.ts';
import { createCallfeedClient } from '../../../client/index.ts';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import type { Account } from '../../../lib/accounts/accounts.ts';
import { createSimulatedCentre } from '../../../sandbox/simulator/centre.ts';
import { between, fork, pick, seededRandom, shuffled } from '../../../sandbox/simulator/random.ts';
import { simulatedCall } from '../../../sandbox/simulator/simulated-call.ts';
import { missedOutcomes, type Posted } from '../../fixtures/missed-outcomes.ts';
import { cli, jsonLines } from '../support/cli-run.ts';
import { recordsOf } from '../support/csv.ts';
import { deploymentWith } from '../support/local-deployment.ts';

const from = '2026-11-16T00:00:00.000Z';
const to = '2026-11-22T23:59:59.999Z';
const now = '2026-11-23T09:00:00.000Z';
const range = ['--from', from, '--to', to];
const callsOfDay = 50;
const customers = 30;
const hourMs = 3_600_000;
const noon = '2026-11-18T12:00:00.000Z';

const account: Account = {
  userName: 'demo',
  apiKeys: ['demo-key'],
  timeZone: 'Europe/London',
  token: { kind: 'none' },
  sharedNumbers: ['(0161) 496-0005', '+44 161 496 0015', '1614960025'],
};

/** The machine spellings of a number, by its last three digits. Customers whose number ends with a 9 withhold it. */
const spellingsOf = (last: string): readonly string[] => {
  const national = `1614960${last}`;
  if (last.endsWith('9')) return ['', 'anonymous', '0000000000'];
  return [`+44${national}`, `44${national}`, `0${national}`, `0044${national}`, national];
};

/** A week of the simulator's calls with all their quirks, of few customers, each post with a spelling of its own. */
const simulatedWeek = (): readonly Posted[] => {
  const random = seededRandom(7);
  const centre = createSimulatedCentre(fork(random), 100);
  const lastOf = (drawn: string) => String(Number(drawn) % customers).padStart(3, '0');
  const spelt = ({ contentType, body, query }: Posted): Posted => {
    const inText = (text: string) =>
      text
        .replace(/(?<=%22)441614960(\d{3})(?=%22)/g, (_, last: string) =>
          encodeURIComponent(pick(random, spellingsOf(lastOf(last)))),
        )
        .replace(/(?<=")441614960(\d{3})(?=")/g, (_, last: string) => pick(random, spellingsOf(lastOf(last))));
    return { contentType, body: inText(body), query: inText(query) };
  };
  const posts = Array.from({ length: 7 * callsOfDay }, (_, index) => {
    const day = Math.floor(index / callsOfDay);
    const ofDay = index % callsOfDay;
    const at = Date.parse(from) + day * 24 * hourMs + 8 * hourMs + (ofDay * 10 * hourMs) / callsOfDay;
    return simulatedCall(fork(random), at, centre, account).posts.map(spelt);
  });
  return shuffled(random, posts.flat());
};

const postedAs = (fields: Readonly<Record<string, string>>): Posted => ({
  contentType: 'application/json',
  body: JSON.stringify({ UserName: 'demo', Apikey: 'demo-key', ...fields }),
  query: '',
});

const clockTimeOf = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** Words for a side of a call: often that it answered, or none. */
const agentWords = ['NotDialed', 'not_answered', 'user_disconnected', 'agent_disconnect', 'NotDialed -> answered'];
const customerWords = ['not_answered', 'Busy', 'SubcriberAbsent', 'NormalUnspecified', 'busy -> answered'];

/** Missed calls of the same customers, each with another one beside it: under way, later, in vain, or what it went on as. */
const callsSideBySide = (): readonly Posted[] => {
  const random = seededRandom(11);
  const sideOf = (words: readonly string[]) => pick(random, ['answered', 'answered', '', ...words]);
  return Array.from({ length: 70 }, (_, index) => {
    const CallerID = pick(random, spellingsOf(String(between(random, 1, customers)).padStart(3, '0')));
    const missedAt = Date.parse(from) + between(random, 0, 6 * 24 * 3_600) * 1_000;
    const startsAt = missedAt + pick(random, [-5 * 3_600, -4 * 3_600, -600, -20, 0, 0, 30, 900]) * 1_000;
    const endsAt = Math.max(startsAt, missedAt) + between(random, -30, 300) * 1_000;
    const missed = postedAs({
      monitorUCID: `8800${index}1`,
      CallerID,
      Type: 'Inbound',
      Status: 'NotAnswered',
      StartTime: clockTimeOf(missedAt),
      EndTime: clockTimeOf(missedAt + 40_000),
    });
    const beside = postedAs({
      monitorUCID: `8800${index}2`,
      CallerID: pick(random, [CallerID, CallerID, '']),
      Type: pick(random, ['Inbound', 'Manual', 'Preview', 'Progressive', 'Predictive', 'Predective']),
      Status: pick(random, ['Answered', 'Answered', 'NotAnswered']),
      AgentID: pick(random, ['asha', '']),
      AgentStatus: sideOf(agentWords),
      CustomerStatus: sideOf(customerWords),
      StartTime: clockTimeOf(startsAt),
      EndTime: clockTimeOf(endsAt),
      UUI: pick(random, ['', '', `SkillTransfer-8800${index}1~asha`]),
    });
    return [missed, beside];
  }).flat();
};

const posts = [...simulatedWeek(), ...callsSideBySide()];
const run = (...args: readonly string[]) => cli(args, { connect: async () => deployment, clock: () => new Date(now) });
let deployment: Deployment;
let ask: (name: string, query: Readonly<Record<string, string>>) => Promise<ReturnType<typeof Object>>;
const shared = ['1614960005', '1614960015', '1614960025'];
type Shown = { readonly state: string; readonly afterSeconds?: number };

beforeAll(async () => {
  deployment = await deploymentWith(account, posts, now);
  const settings = { deployment, clock: () => new Date(now), location: { stack: 'callfeed-prod' }, isPersonal: false };
  const api = consoleApi(settings);
  ask = async (name, query) => Object(await api.gets[name]?.(query, { signal: AbortSignal.abort() }));
});

describe.each([
  ['an hour', 3_600, '1h'],
  ['a day', 86_400, '1d'],
  ['a week', 604_800, '7d'],
])(
  'the outcome of every missed call of a simulated week within %s, as the posts alone show it,',
  (_within, withinSeconds, typed) => {
    const outcomes = missedOutcomes(posts, { shared, withinSeconds });
    const idsOf = (outcome: string) =>
      Object.keys(outcomes)
        .filter((id) => outcomes[id]?.startsWith(outcome))
        .sort();

    it('is of every kind', () => {
      for (const outcome of ['open', 'returned', 'rang-again', 'continued', 'no-number', 'shared-number'])
        expect(idsOf(outcome).length).toBeGreaterThan(0);
    });

    it('is what the client says', async () => {
      const { dynamodb, tables } = deployment;
      const client = createCallfeedClient({ dynamodb, tables, account: 'demo', clock: () => new Date(now) });
      const found = await client.missedCalls({ from, to, withinSeconds });
      const { calls, waiting } = 'moreThan' in found ? { calls: [], waiting: [] } : found;

      expect(
        Object.fromEntries(
          calls.map(({ call, state, answeredBy }) => [call.callId, [state, answeredBy?.afterSeconds].join(' ').trim()]),
        ),
      ).toEqual(outcomes);
      expect(waiting.flatMap(({ callIds }) => callIds).sort()).toEqual(idsOf('open'));
    });

    it('is what the command says', async () => {
      const found = await run('calls', '--missed', '--open', ...range, '--returned-within', typed, '--json');
      const callers = jsonLines(found);

      expect(callers.flatMap(({ callIds }) => callIds).sort()).toEqual(idsOf('open'));
      expect(callers.map(({ customerNumber }) => customerNumber)).toEqual(callers.map(() => '(hidden)'));
      expect(found.notes).toContain(
        `${Object.keys(outcomes).length} missed calls: ${idsOf('open').length} open, ${idsOf('returned').length} returned`,
      );
      expect(found.notes).toContain(`, ${idsOf('rang-again').length} rang again, `);
    });
  },
);

describe.each([
  ['now', {}, [], {}],
  ['at noon of the third day', { asOf: noon }, ['--as-of', noon], { at: noon }],
])('%s, each state of missed calls within a day', (_when, asOf, options, at) => {
  const outcomes = missedOutcomes(posts, { shared, withinSeconds: 86_400, ...asOf });
  const idsOf = (state: string) =>
    Object.keys(outcomes)
      .filter((id) => outcomes[id]?.split(' ')[0] === state)
      .sort();
  const states = ['open', 'returned', 'rang-again', 'continued', 'no-number', 'shared-number', 'erased'];

  it.each(states)('selects the same calls on the command line and in the console: %s', async (state) => {
    const listed = jsonLines(await run('calls', '--state', state, ...range, ...options, '--json'));
    const { calls } = await ask('calls', { from, to, state, ...at });
    const { count } = await ask('quarters', { from, to, state, ...at });

    expect(listed.map(({ callId }) => callId).sort()).toEqual(idsOf(state));
    expect(calls.map(({ callId }: { readonly callId: string }) => callId).sort()).toEqual(idsOf(state));
    expect(count).toBe(calls.length);
  });

  it('is on each call of the console’s list, and counted beside those who wait', async () => {
    // The list does not wait for the states, which come once the range is read.
    const { callers, counts } = await ask('waiting', { from, to, counted: 'missed', ...at });
    const { calls } = await ask('calls', { from, to, counted: 'missed', ...at });

    expect(
      Object.fromEntries(
        calls.map(({ callId, missed }: { readonly callId: string; readonly missed?: Shown }) => [
          callId,
          [missed?.state, missed?.afterSeconds].join(' ').trim(),
        ]),
      ),
    ).toEqual(outcomes);
    expect(counts).toEqual(Object.fromEntries(states.map((state) => [state, idsOf(state).length])));
    expect(callers.flatMap(({ callIds }: { readonly callIds: readonly string[] }) => callIds).sort()).toEqual(
      idsOf('open'),
    );
  });
});

describe('of one call, what became of it', () => {
  const outcomes = missedOutcomes(posts, { shared, withinSeconds: 86_400 });
  const some = Object.fromEntries(Object.entries(outcomes).filter((_, index) => index % 3 === 0));

  it('is on the page of each missed call what the list has, and each call that ended a wait says which', async () => {
    const waits = new Map<string, ReturnType<typeof Object>>();
    const waitOf = async (id: string) => waits.get(id) ?? waits.set(id, (await ask('call-wait', { id })).wait).get(id);
    const found: Record<string, string> = {};
    for (const id of Object.keys(some)) {
      const { missed } = await waitOf(id);
      found[id] = [missed.state, missed.endedBy?.afterSeconds].join(' ').trim();
      if (missed.endedBy === undefined) continue;
      const { ended } = await waitOf(missed.endedBy.callId);
      expect(ended).toContainEqual(
        expect.objectContaining({ callId: id, state: missed.state, afterSeconds: missed.endedBy.afterSeconds }),
      );
    }

    expect(found).toEqual(some);
  }, 60_000);

  it('is in the text and the JSON of the command, with the other attempts of an open one', async () => {
    const { callers } = await ask('waiting', { from, to, state: 'open' });
    const { callIds } = callers.find(({ attempts }: { readonly attempts: number }) => attempts > 1);
    const returned = Object.keys(outcomes).find((id) => outcomes[id]?.startsWith('returned ')) ?? '';
    const [{ wait }] = jsonLines(await run('call', returned, '--json')) as [ReturnType<typeof Object>];
    const { output } = await run('call', callIds.at(-1));

    expect(output).toMatch(
      /^Missed, and open since 2026-11-\S+, for \d+h .*\nOther attempts of the caller: call \d+ at 2026-/m,
    );
    expect((await run('call', returned)).output).toContain(
      `call ${wait.missed.endedBy.callId} at ${wait.missed.endedBy.listedAt.slice(0, 19)}`,
    );
    expect((await run('call', wait.missed.endedBy.callId)).output).toMatch(
      new RegExp(`^Ended the wait of call ${returned} at .* later: returned\\.$`, 'm'),
    );
  });
});

it('the calls of a state are listed on where the last day has moved, from the cursor of a run before', async () => {
  const at = (time: string, ...more: readonly string[]) => {
    const clock = () => new Date(`2026-11-19T${time}Z`);
    return cli(['calls', '--state', 'open', '--returned-within', '15m', '--json', ...more], {
      connect: async () => deployment,
      clock,
    });
  };
  const first = await at('12:00:00', '--limit', '1');
  const [, more = ''] =
    /^1 listed of \d+ read\. More with the same options, (--from \S+ --to \S+) and/.exec(first.notes) ?? [];
  const [, cursor = ''] = /--cursor (\S+)\n$/.exec(first.notes) ?? [];

  const rest = jsonLines(await at('16:00:00', ...more.split(' '), '--cursor', cursor));

  expect(more).toBe('--from 2026-11-18T12:00:00.000Z --to 2026-11-19T12:00:00.000Z');
  expect(rest.length).toBeGreaterThan(0);
  expect([...jsonLines(first), ...rest].map(({ callId }) => callId)).toEqual(
    jsonLines(await at('12:00:00')).map(({ callId }) => callId),
  );
});

it.each([
  [['--open', '--as-of', '2030-01-01T00:00Z'], '--as-of is in the future.'],
  [['--as-of', noon], '--as-of needs --open or --state.'],
  [['--returned-within', '2h'], '--returned-within needs --open or --state.'],
  [['--open', '--as-of', noon, '--from', now], 'Invalid value: from, asOf: expected a range that does not end before'],
])('%o is no question of missed calls', async (args, why) => {
  expect(await run('calls', ...args)).toMatchObject({ code: 2, notes: expect.stringContaining(why) });
});

it('a range that is too long has no states, and says why where they are asked for', async () => {
  const years = { from: '2024-11-18T00:00:00.000Z', to };

  expect((await ask('calls', { ...years, counted: 'missed' })).calls.length).toBeGreaterThan(0);
  for (const name of ['waiting', 'calls'])
    await expect(ask(name, { ...years, state: 'open' })).rejects.toThrow('is read of up to 31 days');
});

describe('where no row names the account, shared numbers', () => {
  const idsOfShared = Object.entries(missedOutcomes(posts, { shared, withinSeconds: 86_400 }))
    .filter(([, outcome]) => outcome === 'shared-number')
    .map(([id]) => id);
  const failing = (name: string) => async () => {
    throw ofPart('Secrets Manager', Object.assign(new Error('x'), { name }));
  };

  const didNot = /^Secrets Manager did not .* newest call/;
  it.each<[string, Partial<Deployment>, readonly string[], RegExp]>([
    ['are those of the secret', {}, idsOfShared, /^\d+ listed/],
    ['are none without the right to it', { accounts: failing('AccessDenied') }, [], /^0 listed/],
    ['are none while it fails, as is said', { accounts: failing('TimeoutError') }, [], didNot],
  ])('%s', async (_what, changed, ids, notes) => {
    // The table of calls has no such row.
    const { tables } = deployment;
    const unnamed = { ...deployment, tables: { ...tables, agents: tables.calls }, ...changed };
    const args = ['calls', '--account', 'demo', '--state', 'shared-number', ...range, '--json'];
    const found = await cli(args, { connect: async () => unnamed, clock: () => new Date(now) });
    const settings = { deployment: unnamed, clock: () => new Date(now), location: { stack: '' }, isPersonal: false };
    const api = consoleApi({ ...settings, account: 'demo', timeZone: 'Europe/London' });
    const query = { from, to, state: 'shared-number' };
    const { calls } = Object(await api.gets['calls']?.(query, { signal: AbortSignal.abort() }));

    const listed = jsonLines(found).map(({ callId }) => callId);
    expect(listed.sort()).toEqual(ids.toSorted());
    expect(calls).toHaveLength(ids.length);
    expect(found.notes).toMatch(notes);
  });
});

it('the file of calls says what became of each missed one, what answered it, and when it was on the account’s clocks', async () => {
  const lines = (await run('calls', '--missed', ...range, '--csv', '--show-personal')).output.slice(1).split('\r\n');
  const [head = '', ...rows] = lines.slice(0, -1);
  // Numbers and names with a comma stand before all of these, and links behind them.
  const names = head.split(',').slice(head.split(',').indexOf('localTime'));
  const cells = rows.map((row) => /,(2026-11-\d\d \d\d:\d\d:\d\d),(\d*),(\d*),([a-z-]+),(\d*),(\d*),/.exec(row) ?? []);

  expect(names).toEqual(
    'localTime timeToAnswerSeconds durationSeconds state answeredAfterSeconds answeredByCallId recordings lastedSeconds'.split(
      ' ',
    ),
  );
  expect(cells.map(([, , , , state, after]) => `${state} ${after}`.trim()).sort()).toEqual(
    Object.values(missedOutcomes(posts, { shared, withinSeconds: 86_400 })).sort(),
  );
  for (const [, , , , , after, by] of cells) expect(by === '').toBe(after === '');
  expect((await run('calls', '--missed', '--csv', '--limit', '3')).notes).toContain('Give a range of their start');
});

const links = 'https://rec.example/1.mp3, https://rec.example/2.mp3';

it.each([
  ['timeToAnswerSeconds', { TimeToAnswer: '00:00:12' }, '12'],
  ['durationSeconds', { Duration: '00:01:40' }, '100'],
  ['recordings', { AudioFile: links.replace(', ', '|') }, links],
  ['lastedSeconds', { CallDuration: '00:01:55' }, '115'],
  // Without a duration that was sent, “Lasted” on the page goes from start to end too.
  ['lastedSeconds', { CallDuration: '' }, '120'],
  ['callDurationSeconds', { CallDuration: '' }, ''],
  ['timeToAnswerSeconds', {}, ''],
])(
  'the file of calls, of the command and of the console, has in %s of a call with %o: %s',
  async (name, fields, value) => {
    const times = { StartTime: '2026-11-18 10:00:00', EndTime: '2026-11-18 10:02:00' };
    const one = await deploymentWith(account, [postedAs({ monitorUCID: '7001', ...times, ...fields })], now);
    const clock = () => new Date(now);
    const printed = await cli(['calls', ...range, '--csv', '--show-personal'], { connect: async () => one, clock });
    const api = consoleApi({ deployment: one, clock, location: { stack: '' }, isPersonal: true });
    const file = await api.gets['calls-csv']?.({ from, to }, { signal: AbortSignal.abort() });

    for (const csv of [printed.output, await text(Object(file).body)]) expect(recordsOf(csv)[0]?.[name]).toBe(value);
  },
);

it('the file of calls has the account’s present clocks, and is the same of both, where calls were read in another zone', async () => {
  const moved = { ...account, timeZone: 'Asia/Tokyo', country: 'GB' };
  const changed = { ...deployment, accounts: async () => accountIndex([moved]) };
  const clock = () => new Date(now);
  const { output } = await cli(['calls', ...range, '--missed', '--csv'], { connect: async () => changed, clock });
  const api = consoleApi({ deployment: changed, clock, location: { stack: '' }, isPersonal: false });
  const file = await api.gets['calls-csv']?.({ from, to, counted: 'missed' }, { signal: AbortSignal.abort() });
  const times = [...output.matchAll(/,(2026-[\d-]+T[\d:]+)\.\d+Z,[^,]*,[^,]*,(2026-[\d-]+ [\d:]+),/g)];

  expect(await text(Object(file).body)).toBe(output);
  expect(times.length).toBeGreaterThan(10);
  for (const [, listedAt, localTime] of times)
    expect(Date.parse(`${localTime}+09:00`)).toBe(Date.parse(`${listedAt}Z`));
});

it('who waits is shown with numbers only if asked, and as many of them as asked', async () => {
  const waiting = (...more: readonly string[]) => run('calls', '--open', ...range, '--limit', '2', ...more);
  const table = await waiting();
  const personal = await waiting('--show-personal');
  const csv = await waiting('--csv');

  expect(table.output).toMatch(/^ATTEMPTS +WAITING +FIRST MISSED +LAST MISSED +SKILLS +LAST CALL\n\d+ +\d+h \d\dm /);
  expect(table.output).not.toContain('1614960');
  expect(personal.output).toMatch(/LAST CALL +CUSTOMER +E.164\n.* \+441614960\d{3}\n/);
  expect(csv.output).toMatch(/^\uFEFFcustomerNumber,customerNumberE164,attempts,[^\n]*\r\n\(hidden\),\(hidden\),\d/);
  for (const { notes } of [table, personal, csv])
    expect(notes).toMatch(/^2 of \d+ callers listed\. \d+ missed calls: .*As of 2026-11-23T09:00:00.000Z/);
  const { callers } = await ask('waiting', { from, to, state: 'open' });
  expect(callers[0]).toMatchObject({ customerNumber: '(hidden)', customerNumberE164: '(hidden)' });
});
