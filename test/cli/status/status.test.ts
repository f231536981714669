import { describe, expect, it } from 'vitest';
import { consoleApi } from '../../../cli/console/api.ts';
import { pollsText } from '../../../cli/console/page/feed.ts';
import { features } from '../../../cli/features.ts';
import type { Deployment } from '../../../cli/frame/deployment.ts';
import { ownVersion } from '../../../cli/frame/version-fit.ts';
import type { Reconciliation } from '../../../functions/reconcile-calls/reconciliation.ts';
import { accountsKey } from '../../../lib/accounts/account-index.ts';
import { quarantineEntry, quarantineRow } from '../../../lib/callback/store-or-park.ts';
import { marshalled } from '../../../lib/storage/rows.ts';
import { jsonLines } from '../support/cli-run.ts';
import { forThisFile } from '../support/local-deployment.ts';
import { startReadingDeployment } from '../support/reading-deployment.ts';

const deployment = await forThisFile(startReadingDeployment());
const location = { stack: 'callfeed-test' };
const now = '2026-11-22T09:00:20.000Z';
const later = '2026-11-22T09:10:00.000Z';
const silentSince = '2026-11-22T08:50:00.000Z';
const heldUpAt = '2026-11-22T08:59:15.000Z';

/** What is wrong with a deployment; nothing by default. */
interface State {
  readonly now?: string;
  /** How many messages each queue has. */
  readonly depths?: Readonly<Record<string, number>>;
  readonly callbacks?: Partial<Parameters<typeof deployment.withCallbacks>[0]>;
  readonly quarantine?: Parameters<typeof quarantineEntry>[0];
  readonly reconciliation?: Partial<Reconciliation>;
  readonly isPolling?: boolean;
}

const queues = {
  parking: 'parking',
  deadLetters: 'dead',
  reconciliation: 'reconciliation',
  forwarding: { queue: 'forwarding', deadLetters: 'forwarding-dead' },
};
const recordings = { bucket: 'b', queue: 'recordings', deadLetters: 'recordings-dead' };

const inState = async ({
  depths = {},
  callbacks,
  quarantine,
  reconciliation,
  isPolling = true,
}: State): Promise<Deployment> => {
  const times = { lastReceivedAt: '2026-11-22T08:52:00.000Z', silentSince: undefined, ...callbacks };
  await deployment.withReconciliation({ ...reconciliation });
  const connected = await deployment.withCallbacks(times);
  const Items = quarantine === undefined ? [] : [marshalled(quarantineRow(quarantineEntry(quarantine), 30))];
  connected.dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'ScanCommand') return next(args);
        // The command asks for all but what needs nobody, which is left to DynamoDB.
        const isCount = Object(args.input).Select === 'COUNT';
        const Count = isCount && quarantine?.reason === 'not-a-call-summary' ? 0 : Items.length;
        return { response: {}, output: { $metadata: {}, Count, ScannedCount: Items.length, Items } as never };
      },
    { step: 'initialize' },
  );
  const send = async ({ input }: { readonly input: { readonly QueueUrl: string } }) => ({
    Attributes: { ApproximateNumberOfMessages: String(depths[input.QueueUrl] ?? 0) },
  });
  return { ...connected, isPolling, queues, recordings, sqs: { send } as never };
};

/** What the command prints with these options in a state. */
const status = async (state: State, ...options: readonly string[]) => {
  const connected = await inState(state);
  const clock = () => new Date(state.now ?? now);
  return deployment.at(['status', ...options, '--stack', location.stack], { connect: async () => connected, clock });
};

/** The cards of Health that are red in a state. */
const redCards = async (state: State): Promise<readonly string[]> => {
  const clock = () => new Date(state.now ?? now);
  const { gets } = consoleApi({ deployment: await inState(state), location, isPersonal: false, clock, features });
  const ask = async (path: string) => Object(await gets[path]?.({}, { signal: new AbortController().signal }));
  const polls = pollsText(await ask('health'), { timeZone: 'UTC', now: clock().getTime(), isUnread: false });
  const { cards } = await ask('operations');
  const all: readonly { readonly title: string; readonly verdict: string }[] = [{ title: 'Polls', ...polls }, ...cards];
  return all.filter(({ verdict }) => verdict === 'bad').map(({ title }) => title);
};

const entry = { reason: 'broken-json', account: 'demo', body: '{', receivedAt: now } as const;
const day = { records: 20, calls: 20, known: 10, found: 10, completed: 0, unreadable: 0, readAt: now };
const gaveUp = { problem: { reason: 'rejected', at: '2026-11-22T08:59:20.000Z' } } as const;
const run = (command: string) => `npx callfeed ${command} --stack callfeed-test`;
const lately = run('status --since 3h');

type Row = readonly [
  title: string,
  state: State,
  warnings: readonly (readonly [word: string, command: string])[],
  red: readonly string[],
];

const states: readonly Row[] = [
  ['nothing', {}, [], []],
  ['polls that fail', { now: later }, [['STALE', lately]], ['Polls']],
  [
    'callbacks that stopped',
    { callbacks: { lastReceivedAt: '2026-11-22T08:40:00.000Z', silentSince } },
    [['SILENT', run(`quarantine list --since ${silentSince}`)]],
    ['Callbacks'],
  ],
  ['events that are held up', { callbacks: { heldUpAt } }, [['HELD UP', lately]], ['Publishing']],
  ['parked calls', { depths: { parking: 2 } }, [['PARKED', lately]], ['Parked']],
  [
    'tables that take no writes',
    { now: later, depths: { parking: 2 } },
    [
      ['STALE', lately],
      ['DATABASE', lately],
      ['PARKED', lately],
    ],
    ['Polls', 'Parked'],
  ],
  [
    'posts among the dead letters',
    { depths: { dead: 2 } },
    [['DEAD LETTERS', run('dead-letters redrive parked')]],
    ['Dead letters'],
  ],
  [
    'deliveries among the dead letters',
    { depths: { 'forwarding-dead': 1, forwarding: 3 } },
    [['DEAD LETTERS', run('dead-letters list forwarded')]],
    ['Forwarding'],
  ],
  ['deliveries that wait, which is usual', { depths: { forwarding: 3 } }, [], []],
  [
    'recordings that were given up',
    { depths: { 'recordings-dead': 1 } },
    [['DEAD LETTERS', run('dead-letters list recordings --status given-up')]],
    ['Recordings'],
  ],
  ['recordings that wait, which is usual', { depths: { recordings: 3 } }, [], []],
  ['posts that were rejected', { quarantine: entry }, [['QUARANTINE', run('quarantine list')]], ['Quarantine']],
  ['posts that are no calls', { quarantine: { ...entry, reason: 'not-a-call-summary', body: '{}' } }, [], []],
  [
    'a run of reconciliation that gave up',
    { reconciliation: gaveUp },
    [['RECONCILIATION', run('reconcile')]],
    ['Reconciliation'],
  ],
  [
    'too many calls without a callback',
    { reconciliation: { days: { '2026-11-22': day } } },
    [['RECONCILIATION', run('quarantine list')]],
    ['Reconciliation'],
  ],
  [
    'a day of the report that was not read to its end',
    { reconciliation: { days: { '2026-11-21': { ...day, found: 0, isCut: true, total: 30 } } } },
    [['RECONCILIATION', run('reconcile')]],
    ['Reconciliation'],
  ],
  [
    'a day with fewer records than before, which is usual at night',
    { reconciliation: { days: { '2026-11-21': { ...day, found: 0, shrankFrom: 30 } } } },
    [],
    [],
  ],
  [
    'all at once',
    {
      now: later,
      depths: { parking: 1, dead: 1, 'forwarding-dead': 1, 'recordings-dead': 1 },
      quarantine: entry,
      callbacks: { silentSince, heldUpAt: '2026-11-22T09:09:00.000Z' },
      reconciliation: gaveUp,
    },
    [
      ['STALE', lately],
      ['HELD UP', lately],
      ['RECONCILIATION', run('reconcile')],
      ['DATABASE', lately],
      ['QUARANTINE', run('quarantine list')],
      ['PARKED', lately],
      ['DEAD LETTERS', run('dead-letters redrive parked')],
      ['DEAD LETTERS', run('dead-letters list forwarded')],
      ['DEAD LETTERS', run('dead-letters list recordings --status given-up')],
    ],
    ['Polls', 'Publishing', 'Quarantine', 'Parked', 'Dead letters', 'Forwarding', 'Recordings', 'Reconciliation'],
  ],
];

describe('callfeed status --check', () => {
  it.each(states)(
    'prints what needs somebody, with the next command, and ends with 1 if anything does: %s',
    async (_title, state, warnings) => {
      const { code, output, notes } = await status(state, '--check');
      const lines = output.split('\n').slice(0, -1);

      expect([code, notes]).toEqual([warnings.length > 0 ? 1 : 0, '']);
      expect(lines.map((line) => line.split(': ')[0])).toEqual(warnings.map(([word]) => word));
      for (const [index, [, command]] of warnings.entries())
        expect(lines[index]).toMatch(new RegExp(`[:.)] ${command}$`));
    },
  );

  it.each(states)(
    'has the same with --json, where the whole status stands too: %s',
    async (_title, state, warnings) => {
      const { code, output, ...run } = await status(state, '--check', '--json');
      const [found] = jsonLines({ code, output, ...run });

      expect([code, Object(found).warnings]).toEqual([
        warnings.length > 0 ? 1 : 0,
        warnings.map(([word, command]) => expect.objectContaining({ word, text: expect.any(String), command })),
      ]);
      expect(found).toHaveProperty('accounts.0.freshness');
    },
  );

  it.each(states)('warns of what is red in Health, and of nothing else: %s', async (_title, state, _warnings, red) => {
    expect(await redCards(state)).toEqual(red);
  });

  it.each(states)(
    'is needed for the exit code: without it all is printed, and the code is 0: %s',
    async (_title, state, warnings) => {
      const { code, output } = await status(state);

      expect(code).toBe(0);
      expect(output).toMatch(/^Tables +/m);
      for (const [word] of warnings) expect(output).toMatch(new RegExp(`^${word}: `, 'm'));
      if (warnings.length === 0) expect(output).not.toMatch(/^[A-Z]{4,}(?: [A-Z]+)?: /m);
    },
  );

  it('ends with 1 where a part is not known, and says which failed', async () => {
    const connected = await inState({});
    const sqs = {
      send: () => Promise.reject(Object.assign(new Error('down'), { name: 'TimeoutError', part: 'SQS' })),
    } as never;
    const checked = await deployment.at(['status', '--check'], { connect: async () => ({ ...connected, sqs }) });

    expect(checked).toMatchObject({
      code: 1,
      output: '',
      notes: 'SQS did not answer in time. Nothing is lost: try again.\n',
    });
  });

  it('warns of an account that was never polled, unless it is not to be', async () => {
    const connect = async () => ({
      ...(await deployment.withTwoAccounts()),
      queues: { parking: '', deadLetters: '' },
      sqs: (await inState({})).sqs,
    });
    const other = ['status', '--check', '--account', 'other'];
    expect(await deployment.at(other, { connect })).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^NEVER POLLED: no poll of other /),
    });

    const off = async () => ({ ...(await connect()), isPolling: false });
    expect(await deployment.at(other, { connect: off })).toMatchObject({ code: 0, output: '' });
    const { output } = await deployment.at(['status'], { connect: off });
    expect(output).toMatch(/^other is not polled: agentPolling is off, or the account has no “baseUrl”\.$/m);
    expect(output).toMatch(/^other +not polled +none yet/m);

    const accounts = ['demo', 'other'].map((userName) => ({
      userName,
      timeZone: 'UTC',
      isPolled: userName === 'demo',
    }));
    const withRow = async () => {
      const connected = await connect();
      connected.dynamodb.middlewareStack.add(
        (next) => async (args) => {
          if (Object(args.input).Key?.sk?.S !== accountsKey.sk) return next(args);
          return { response: {}, output: { $metadata: {}, Item: marshalled({ ...accountsKey, accounts }) } as never };
        },
        { step: 'initialize' },
      );
      return connected;
    };
    expect(await deployment.at(other, { connect: withRow })).toMatchObject({ code: 0, output: '' });
  });
});

describe('the last callback', () => {
  it.each<[title: string, state: State, cell: string, line: RegExp | undefined]>([
    ['is the latest while nothing waits', {}, '8m 20s ago', undefined],
    [
      'may be a later one among dead letters',
      { depths: { dead: 2 } },
      '8m 20s ago, or later',
      /may be parked, or among the dead letters\.$/m,
    ],
    [
      'may be a parked one',
      { depths: { parking: 2 } },
      '8m 20s ago, or later',
      /may be parked, or among the dead letters\.$/m,
    ],
    [
      'may be one whose event is held up',
      { callbacks: { heldUpAt } },
      '8m 20s ago, or later',
      /before their events are published\.$/m,
    ],
    [
      'is not known where all may be parked',
      { callbacks: { lastReceivedAt: undefined }, depths: { parking: 2 } },
      'none known',
      /may be parked/,
    ],
    ['is not moved by deliveries that wait for others', { depths: { 'forwarding-dead': 1 } }, '8m 20s ago', undefined],
  ])('%s', async (_title, state, cell, line) => {
    const { output } = await status(state);
    const [found] = jsonLines(await status(state, '--json'));

    expect(output).toMatch(new RegExp(`^demo +live +${cell} {2}`, 'm'));
    if (line === undefined) expect(output).not.toContain('LAST CALLBACK:');
    else expect(output).toMatch(new RegExp(`^LAST CALLBACK: .*${line.source}`, 'm'));
    expect(Object(found).accounts[0].callbacks.mayBeLater).toBe(line === undefined ? undefined : true);
  });

  it('that agents miss may be parked: SILENT says so', async () => {
    const { output } = await status({ depths: { dead: 1 }, callbacks: { lastReceivedAt: undefined, silentSince } });
    expect(output).toMatch(
      /^SILENT: agents of demo end calls, and no callback has come so far\. .* Later ones may be parked, or among/m,
    );
  });
});

it.each([
  ['is older', '1.0.0', 'docs/upgrading.md#from-1-to-2'],
  ['is of before 1.0.0', '0.9.0', 'docs/upgrading.md#from-before-100'],
  ['is the same', ownVersion, undefined],
  ['names no version', undefined, 'docs/upgrading.md#from-before-100'],
])('says of a deployment that %s how to upgrade it', async (_title, version, upgrade) => {
  const connect = async () => ({ ...(await inState({})), version });
  const { output } = await deployment.at(['status'], { connect });
  const [found] = jsonLines(await deployment.at(['status', '--json'], { connect }));

  expect(output).toMatch(
    upgrade === undefined
      ? /^Version +[\d.]+$/m
      : new RegExp(`^Version +${version ?? 'before 1.0.0'}, and this is ${ownVersion}: ${upgrade} says`, 'm'),
  );
  expect(Object(found).version).toEqual({ deployed: version ?? null, ...(upgrade && { upgrade }) });
});
