import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../cli/frame/deployment.ts';
import { episodesOf } from '../../../cli/frame/episodes.ts';
import type { ForwardMessage } from '../../../functions/forward-deliveries/forward-delivery.ts';
import { reconciliationRow } from '../../../functions/reconcile-calls/reconciliation.ts';
import { receiptsKey } from '../../../lib/agents/callback-receipts.ts';
import { feedChangesKey } from '../../../lib/agents/rows.ts';
import { quarantineEntry, quarantineRow } from '../../../lib/callback/store-or-park.ts';
import { queueAddress } from '../../../sandbox/queue/sqs-endpoint.ts';
import { jsonLines } from '../support/cli-run.ts';
import { forThisFile } from '../support/local-deployment.ts';
import { startRecordingsDeployment } from '../support/recordings-deployment.ts';

const deployment = await forThisFile(startRecordingsDeployment());
const { deadLetters, recordings } = deployment.queues;

/** Reconciles and forwards, with a queue that has other uses for the dead letters of forwarding. */
const connect = async (): Promise<Deployment> => {
  const connected = await deployment.connect();
  const { parking: queue } = connected.queues;
  const forwarding = { queue, deadLetters: queueAddress('http://queues.invalid', recordings.name) };
  return {
    ...connected,
    queues: { ...connected.queues, reconciliation: queue, forwarding },
  };
};

const at = (time: string) => `2026-11-22T${time}:00.000Z`;

const feedChange = (status: string, time: string, previousSince: string, more: object = {}) =>
  deployment.put('agents', {
    pk: feedChangesKey('demo'),
    sk: at(time),
    kind: 'feed-change',
    account: 'demo',
    status,
    at: at(time),
    recordedAt: at(time),
    previousSince: at(previousSince),
    ...more,
  });
await feedChange('interrupted', '05:00', '04:00', { reason: 'timeout' });
await feedChange('interrupted', '07:10', '06:00', { reason: 'rate-limited' });
await feedChange('live', '07:14', '07:10');

await deployment.put('agents', {
  ...receiptsKey('demo'),
  kind: 'callbacks',
  lastReceivedAt: at('08:50'),
  heldUpAt: at('07:20'),
  recoveredAt: at('05:30'),
});

for (const [time, body] of [
  ['06:30', '{1'],
  ['06:35', '{2'],
  ['08:00', '{3'],
] as const)
  await deployment.put('quarantine', {
    ...quarantineRow(quarantineEntry({ reason: 'broken-json', account: 'demo', body, receivedAt: at(time) }), 30),
    ...(time === '08:00' && { dismissedAt: at('08:30'), dismissedBecause: 'a test' }),
  });
await deployment.put(
  'quarantine',
  quarantineRow(quarantineEntry({ reason: 'authentication-failed', body: 'a=b', receivedAt: at('08:10') }), 30),
);

const parked = (receivedAt: string) => ({
  kind: 'quarantine',
  entry: { reason: 'broken-json', account: 'demo', body: '{', receivedAt },
});
for (const time of ['05:10', '07:00', '07:05']) deadLetters.send(JSON.stringify(parked(at(time))), {}, 0);

const forwarded: ForwardMessage = {
  key: { account: 'demo', callId: '801' },
  post: 'p',
  address: 'https://old.example.com/calls',
};
for (const behind of ['a', 'b', 'c']) recordings.send(JSON.stringify({ ...forwarded, behind }), {}, 0);

await deployment.giveUp('801', 'https://recordings.example.com/801.mp3', 'too-large');

const counts = { records: 20, calls: 20, known: 18, found: 2, completed: 0, unreadable: 0 };
await deployment.put(
  'agents',
  reconciliationRow({
    account: 'demo',
    version: 1,
    requests: [],
    access: 0,
    days: {
      '2026-11-21': { ...counts, readAt: at('06:40') },
      '2026-11-20': { ...counts, readAt: at('03:40') },
    },
    problem: { reason: 'rejected', at: at('08:40') },
  }),
);

const status = (...options: readonly string[]) => deployment.at(['status', ...options], { connect });

const lines = [
  ['06:30', '06:35', 'quarantine', '2 posts or records rejected: broken-json: npx callfeed quarantine list --reason'],
  ['06:40', '-', 'reconciliation', 'the report of 2026-11-21 was read: 20 calls, of which it alone had 2'],
  ['07:00', '07:05', 'dead letters', '2 callbacks came that recovery could not store: npx callfeed dead-letters list'],
  ['07:10', '-', 'feed', 'interrupted: the telephony service’s limit of requests is used up (rate-limited)'],
  ['07:14', '-', 'feed', 'live again after 4m 00s'],
  ['07:20', '-', 'publishing', 'events were held up, last seen then'],
  ['08:00', '-', 'quarantine', '1 post or record rejected: broken-json, and dismissed: npx callfeed quarantine list'],
  ['08:40', '-', 'reconciliation', 'the latest run gave up: rejected'],
  ['09:00', '-', 'dead letters', '3 deliveries for another receiver could not be sent for a day: npx callfeed dead-'],
  [
    '09:00',
    '-',
    'dead letters',
    '1 recording could not be fetched for two days (it is larger than recordingMaxMegabytes',
  ],
] as const;

describe('callfeed status --since', () => {
  it('lists in the order of time what is stored of that time, and then what needs somebody now', async () => {
    const { output, code, notes } = await status('--since', '3h');
    const [happened = '', now = ''] = output.split('\n\n');
    const clock = (instant = '') => instant.slice(11, 16) || instant;

    expect([code, notes]).toEqual([0, '']);
    expect(
      happened
        .split('\n')
        .slice(1)
        .map((line) => line.split(/ {2,}/))
        .map(([from, until, _account, what, text]) => [clock(from), clock(until), what, text]),
    ).toEqual(lines.map(([from, until, what, text]) => [from, until, what, expect.stringContaining(text)]));
    expect(now).toMatch(/^QUARANTINE: 2 rejected posts/m);
  });

  it('has the same with --json, from an instant on', async () => {
    const [found] = jsonLines(await status('--since', at('07:12'), '--json'));

    expect(found).toMatchObject({
      since: at('07:12'),
      happened: [
        { at: at('07:14'), what: 'feed' },
        { what: 'publishing' },
        ...lines.slice(6).map(([, , what]) => ({ what })),
      ],
      warnings: expect.arrayContaining([expect.objectContaining({ word: 'RECONCILIATION' })]),
    });
    expect(found).not.toHaveProperty('problems');
  });

  it('says so where nothing is stored of that time', async () => {
    const clock = () => new Date('2026-12-20T09:00:00.000Z');
    const { output } = await deployment.at(['status', '--since', '90m'], { connect, clock });
    expect(output).toMatch(/^Nothing is stored that happened since 2026-12-20T07:30:00.000Z\.$/m);
  });

  it('leaves the dead letters to others, and lists the rest where a queue cannot be read', async () => {
    await status('--since', '3h');
    // Other tests read them too, in any order.
    expect(deadLetters.receive(10, 0)).toHaveLength(3);

    const connected = await connect();
    const sqs = { send: () => Promise.reject(Object.assign(new Error('no'), { name: 'TimeoutError', part: 'SQS' })) };
    const failed = await deployment.at(['status', '--since', '5h', '--json'], {
      connect: async () => ({ ...connected, sqs: sqs as never }),
    });
    const [found] = jsonLines({ ...failed, code: 0 });

    expect(failed.code).toBe(1);
    expect(Object(found).happened).toContainEqual(expect.objectContaining({ text: 'live again after 4m 00s' }));
    expect(Object(found).problems).toContainEqual({ part: 'deadLetters', message: expect.stringContaining('SQS') });
  });

  it('is not for --check', async () => {
    expect(await status('--since', '3h', '--check')).toMatchObject({ code: 2 });
  });
});

it.each([
  ['none', [], []],
  ['one', ['08:00'], [['08:00', undefined, 1]]],
  ['those without a long pause, in any order', ['08:15', '08:05', '08:10'], [['08:05', '08:15', 3]]],
  [
    'those before and after ten minutes',
    ['08:00', '08:10', '08:21'],
    [
      ['08:00', '08:10', 2],
      ['08:21', undefined, 1],
    ],
  ],
])('an episode has %s', (_title, times, expected) => {
  const told = episodesOf(times.map(at), {
    kindOf: () => [],
    at: (instant) => instant,
    tell: (_one, count) => ({ what: 'feed', text: String(count) }),
  });

  expect(told.map(({ at: from, until, text }) => [from, until, Number(text)])).toEqual(
    expected.map(([from, until, count]) => [at(String(from)), until && at(String(until)), count]),
  );
});
