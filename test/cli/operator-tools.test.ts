import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../cli/command.ts';
import { connect } from '../../cli/connection/connect.ts';
import { accountIndex, keyFingerprint } from '../../lib/accounts/account-index.ts';
import type { QuarantineEntry, StorableItem } from '../../lib/callback/schema.ts';
import { quarantineEntry, quarantineRow } from '../../lib/callback/store-or-park.ts';
import { isMissed, missedCalls } from '../../lib/contract/rules.ts';
import { compressText } from '../../lib/core/encoding.ts';
import { matches } from '../docs/contract/support/event-bridge.ts';
import { demoCall, startScript } from '../support/sandbox.ts';
import { cli, jsonLines } from './support/cli-run.ts';
import { sandboxForThisFile } from './support/local-deployment.ts';

const { addresses, at, post, put, send, eventLines } = await sandboxForThisFile();

const soon = { timeout: 30_000 };
const receivedAt = '2026-11-20T06:00:00.000Z';
const json = async (...args: readonly string[]) => jsonLines(await at([...args, '--json']));

/** Published events of some calls, as a subscriber gets them. */
const eventsOf = async (...callIds: readonly string[]) =>
  (await eventLines()).map((line) => JSON.parse(line)).filter(({ detail }) => callIds.includes(detail.callId));

/** Quarantines a call summary, as an older version that did not understand it would. Resolves with the id. */
const quarantined = async (callId: string, changes: Partial<QuarantineEntry> = {}): Promise<string> => {
  const body = JSON.stringify({ ...demoCall(callId), Apikey: '***' });
  const entry = {
    reason: 'not-a-call-summary',
    account: 'demo',
    body,
    receivedAt: '2026-11-20T06:00:00.000Z',
    ...changes,
  };
  return quarantinedEntry(entry as QuarantineEntry);
};

const quarantinedEntry = async (entry: QuarantineEntry): Promise<string> => {
  const row = quarantineRow(entry, 30);
  await put('callfeed-quarantine', row);
  return row.id;
};

describe('callfeed quarantine', () => {
  it('lists entries without their bodies, newest first, by account, reason and time', async () => {
    const older = await quarantined('20000000000000001', {
      receivedAt: '2026-11-19T06:00:00.000Z',
      reason: 'too-deep',
    });
    const newer = await quarantined('20000000000000002', {
      receivedAt: '2026-11-19T07:00:00.000Z',
      reason: 'too-deep',
    });
    const others = await quarantined('20000000000000003', { account: 'other', reason: 'too-deep' });
    const unknown = await quarantined('20000000000000004', { account: undefined as never, reason: 'too-deep' });
    await put('callfeed-quarantine', { id: 'unknown-sender#2026-11-20T06:00', entryCount: 1 });
    const ids = async (...options: readonly string[]) =>
      (await json('quarantine', 'list', '--reason', 'too-deep', ...options)).map(({ id }) => id);

    expect((await ids()).toSorted()).toEqual([older, newer, others, unknown].toSorted());
    expect(await ids('--account', 'demo')).toEqual([newer, older]);
    expect(await ids('--account', 'demo', '--since', '2026-11-19T06:30:00Z')).toEqual([newer]);
    expect(await ids('--account', 'demo', '--limit', '1')).toEqual([newer]);
    const table = await at(['quarantine', 'list', '--reason', 'too-deep', '--limit', '2']);
    expect(table).toMatchObject({ code: 0, notes: '2 of 4 entries listed; --limit sets how many.\n' });
    expect(table.output).toMatch(/^ID +REASON +ACCOUNT +RECEIVED AT +BYTES\n/);
    expect(table.progress).not.toEqual([]);
    expect(table.output).not.toMatch(/asha|9876500000/);
  });

  it('shows an entry, its body only with --show-personal, and no control characters', async () => {
    const id = await quarantined('20000000000000005', {
      body: '{"CallerID": 12345678901234567890, "x": "\\u001b[2Ja"}',
    });
    const broken = await quarantined('20000000000000006', { body: 'Anna\u001B[2J\nBob', reason: 'broken-json' });

    expect((await at(['quarantine', 'show', id])).output).not.toMatch(/CallerID|1234567/);
    expect((await json('quarantine', 'show', id))[0]).toEqual({
      id,
      reason: 'not-a-call-summary',
      account: 'demo',
      receivedAt: '2026-11-20T06:00:00.000Z',
      bytes: 53,
    });
    const { output } = await at(['quarantine', 'show', id, '--show-personal']);
    expect(output).toContain('\n{\n  "CallerID": "12345678901234567890",\n  "x": "\\u001b[2Ja"\n}\n');
    expect((await at(['quarantine', 'show', broken, '--show-personal'])).output).toContain('Anna\\u001b[2J\nBob');
    expect((await json('quarantine', 'show', broken, '--show-personal'))[0]).toMatchObject({
      body: 'Anna\u001B[2J\nBob',
    });
    expect(await at(['quarantine', 'show', 'nobody'])).toMatchObject({
      code: 1,
      notes: 'Nothing in quarantine has the id nobody.\n',
    });
  });

  it('redrives an entry with the time of its receipt', async () => {
    const id = await quarantined('20000000000000010');
    const redrive = ['quarantine', 'redrive', id];

    expect(await json(...redrive, '--dry-run')).toEqual([
      { id, outcome: 'can-be-redriven', stored: 1, quarantined: 0 },
    ]);
    expect(await eventsOf('20000000000000010')).toEqual([]);
    const redriven = await at([...redrive, '--json']);
    expect([redriven.code, jsonLines(redriven)]).toEqual([
      0,
      [{ id, outcome: 'redriven', stored: 1, duplicates: 0, quarantined: 0 }],
    ]);
    expect((await at(['quarantine', 'show', id])).code).toBe(1);
    await expect.poll(() => eventsOf('20000000000000010'), soon).toHaveLength(1);
    const [event] = await eventsOf('20000000000000010');
    expect(event.detail).toMatchObject({ revision: 1, call: { startedAt: '2026-11-21T04:30:00.000Z' } });
    expect(JSON.stringify(event)).not.toContain('***');
  });

  it('redrives all entries with an account, and prints why an entry stays', async () => {
    const good = await quarantined('20000000000000020', { reason: 'forbidden-key' });
    const bad = await quarantined('20000000000000021', { reason: 'forbidden-key', body: '{"a":' });
    const truncated = await quarantined('20000000000000022', { reason: 'forbidden-key', bytes: 400_000 });
    const former = await quarantined('20000000000000023', { reason: 'forbidden-key', account: 'former' });
    const unknown = await quarantined('20000000000000024', { reason: 'forbidden-key', account: undefined as never });
    const keyFingerprints = [keyFingerprint('new-key-77')];
    const keyless = await quarantined('20000000000000025', {
      ...{ reason: 'unknown-key', account: undefined as never, viaSecret: true, keyFingerprints },
    });
    // With the fingerprint an operator can compare a key.
    expect(await json('quarantine', 'show', keyless)).toMatchObject([{ keyFingerprints }]);
    const redriven = await at(['quarantine', 'redrive', '--all', '--reason', 'forbidden-key', '--json']);

    expect(redriven).toMatchObject({
      code: 1,
      notes: '1 redriven, 3 not.\n',
    });
    expect(new Map(jsonLines(redriven).map(({ id, outcome }) => [id, outcome]))).toEqual(
      new Map([
        [good, 'redriven'],
        [bad, 'broken-json'],
        [truncated, 'body-truncated'],
        [former, 'unknown-account'],
      ]),
    );
    const byId = await at(['quarantine', 'redrive', bad, truncated, unknown, keyless, 'nobody']);
    expect(byId).toMatchObject({ code: 1, notes: '0 redriven, 5 not.\n' });
    for (const why of [
      'The content is no valid JSON.',
      'stored in full',
      'does not have its key yet',
      'name the account with --account',
      'has this id',
    ])
      expect(byId.output).toContain(why);
    const named = await at(['quarantine', 'redrive', unknown, '--account', 'demo', '--json']);
    expect([named.code, jsonLines(named)]).toMatchObject([0, [{ outcome: 'redriven', stored: 1 }]]);
  });
});

describe('callfeed quarantine dismiss', () => {
  it('keeps an entry with the reason, and neither status nor verify count it any more', async () => {
    const range = ['--since', '1h', '--account', 'demo', '--no-report'];
    const [bad, other] = [
      await quarantined('20000000000000028', {
        reason: 'broken-json',
        body: '{"a":',
        receivedAt: new Date().toISOString(),
      }),
      await quarantined('20000000000000029', { reason: 'not-a-call-summary' }),
    ];
    const statusCount = async () => Object((await json('status'))[0]).quarantine.entries;
    const before = await statusCount();
    expect((await at(['verify', ...range])).output).toContain(bad);

    const because = 'A test post of the vendor';
    expect(await at(['quarantine', 'dismiss', bad, 'nobody', '--because', because])).toMatchObject({
      code: 1,
      output: `${bad} dismissed.\nNothing in quarantine has the id nobody.\n`,
    });
    expect(await statusCount()).toBe(before - 1);
    expect((await at(['verify', ...range])).output).not.toContain(bad);
    const ids = async (...options: readonly string[]) =>
      (await json('quarantine', 'list', ...options)).map(({ id }) => id);
    expect(await ids()).toContain(other);
    expect(await ids()).not.toContain(bad);
    expect(await ids('--dismissed')).toContain(bad);
    expect((await at(['quarantine', 'list', '--dismissed'])).output).toContain(because);
    expect(await json('quarantine', 'show', bad)).toMatchObject([{ dismissedBecause: because }]);
    const all = await at(['quarantine', 'redrive', '--all', '--reason', 'broken-json', '--dry-run']);
    expect(all.output).not.toContain(bad);
    expect((await at(['quarantine', 'redrive', bad])).output).toContain('no valid JSON');
  });

  it('keeps all entries with a reason, of one account where it is named', async () => {
    const unreadable = (body: string, changes: Partial<QuarantineEntry> = {}) =>
      quarantined('', { reason: 'data-repeated', body, ...changes });
    const [one, two, other, kept] = [
      await unreadable('{1'),
      await unreadable('{2'),
      await unreadable('{3', { account: 'other' }),
      await unreadable('{4', { reason: 'data-empty' }),
    ];
    const dismiss = async (...options: readonly string[]) =>
      (await json('quarantine', 'dismiss', '--all', ...options, '--because', 'Mended')).map(({ id }) => id).toSorted();

    expect(await dismiss('--reason', 'data-repeated', '--account', 'demo')).toEqual([one, two].toSorted());
    expect(await dismiss('--reason', 'data-repeated')).toEqual([other]);
    expect((await json('quarantine', 'list', '--reason', 'data-empty')).map(({ id }) => id)).toEqual([kept]);
    expect(await at(['quarantine', 'dismiss', '--all', '--because', 'x'])).toMatchObject({ code: 2 });
    expect(await at(['quarantine', 'dismiss', one, '--all', '--reason', 'data-empty', '--because', 'x'])).toMatchObject(
      {
        code: 2,
      },
    );
  });

  it('leaves with --all what can be redriven, and says if nothing is left to dismiss', async () => {
    const about = { reason: 'too-many-fields', account: 'left' } as const;
    const bad = await quarantined('', { ...about, body: '{5' });
    const call = await quarantined('20000000000000044', { ...about, carriedAs: 'json' });
    const stranger = await quarantined('20000000000000045', { ...about, account: undefined, carriedAs: 'json' });
    const ofAll = ['quarantine', 'dismiss', '--all', '--reason', about.reason, '--because', 'Mended'];
    const left = '1 left with a call in them: redrive them first, or dismiss them by id.\n';

    const account = ['--account', 'left'];
    expect(await at([...ofAll, ...account])).toMatchObject({ code: 0, output: `${bad} dismissed.\n`, notes: left });
    // Nobody redrives what an earlier version kept of a stranger.
    expect(await at(ofAll)).toMatchObject({ code: 0, output: `${stranger} dismissed.\n`, notes: left });
    expect((await json('quarantine', 'list', ...account)).map(({ id }) => id)).toEqual([call]);
    expect(await at([...ofAll, '--account', 'nobody'])).toMatchObject({
      ...{ code: 0, output: '' },
      notes: 'Quarantine has no such entry that is not dismissed yet.\n',
    });
  });
});

it('callfeed quarantine redrive --all leaves what needs nothing, and tries a call that an earlier release took for it', async () => {
  const about = { reason: 'not-a-call-summary', account: 'pops' } as const;
  const popUp = await quarantined('20000000000000050', { ...about, body: '{"event":"popup","CallerID":"1"}' });
  const ofAll = ['quarantine', 'redrive', '--all', '--account', 'pops', '--json'];
  const redriven = await at(ofAll);
  expect(redriven).toMatchObject({ code: 0, output: '' });
  expect(redriven.notes).toBe('0 redriven, 0 not.\n1 that are no call summaries skipped: they need nothing.\n');
  expect(await at(['quarantine', 'redrive', popUp])).toMatchObject({ code: 1 });

  const call = await quarantined('20000000000000051', {
    ...about,
    body: '{"monitorUCID":"1","Event":"AgentDial","EndTime":"2026-11-20 10:00:00"}',
  });
  expect(jsonLines(await at(ofAll))).toMatchObject([{ id: call, outcome: 'unknown-account' }]);
});

describe('callfeed quarantine of a post that was too large', () => {
  it('shows its body and its sizes, and redrives it whole', async () => {
    const long = { ...demoCall('9'), Apikey: '***', Comments: 'x'.repeat(1_100_000) };
    const body = JSON.stringify([demoCall('21000000000000001'), long]);
    const id = await quarantinedEntry(quarantineEntry({ reason: 'body-too-large', account: 'demo', body, receivedAt }));

    expect((await json('quarantine', 'show', id))[0]).toMatchObject({ storedAs: 'gzip', bytes: body.length });
    expect((await json('quarantine', 'show', id))[0]).not.toHaveProperty('bytesStored');
    expect((await json('quarantine', 'show', id, '--show-personal'))[0]).toMatchObject({ body });
    // The last record is too large for a row of calls.
    expect(await json('quarantine', 'redrive', id)).toMatchObject([{ stored: 1, quarantined: 1 }]);
    expect(await json('quarantine', 'list', '--reason', 'not-storable')).toHaveLength(1);
  });
});

it('callfeed dead-letters lists what each is, and moves them back to be stored', async () => {
  const callId = '30000000000000010';
  const parked: StorableItem = {
    kind: 'delivery',
    key: { kind: 'call', account: 'demo', callId },
    delivery: {
      ...{ id: 'd', receivedAt, asSent: compressText('{}') },
      facts: { status: 'answered', timeZone: 'UTC', customerNumber: '9876500000' },
    },
  };
  const entry = { reason: 'broken-json', account: 'demo', body: 'Anna', receivedAt };
  for (const body of [JSON.stringify(parked), 'torn', JSON.stringify({ kind: 'quarantine', entry })])
    await send(addresses.deadLettersQueue, body);

  const about = { id: expect.any(String), receives: 1 };
  expect(await json('dead-letters', 'list', 'parked')).toEqual([
    { ...about, kind: 'call', account: 'demo', callId, receivedAt },
    { ...about, kind: 'unreadable' },
    { ...about, kind: 'quarantine', account: 'demo', receivedAt },
  ]);
  const table = await at(['dead-letters', 'list', 'parked', '--limit', '2']);
  expect(table.notes).toMatch(/^2 of about 3 dead letters listed; about 0 messages are being retried/);
  expect(table.output).not.toMatch(/9876500000|Anna/);
  expect(await json('dead-letters', 'redrive', 'parked', '--dry-run')).toEqual([{ canBeRedriven: 3 }]);
  const stopped = await at(['dead-letters', 'redrive', 'parked'], { interruption: () => AbortSignal.abort() });
  expect(stopped).toMatchObject({ code: 1, notes: 'Stopped after 0; run the command again to continue.\n' });
  expect(await json('dead-letters', 'redrive', 'parked')).toEqual([{ redriven: 3 }]);
  await expect.poll(() => eventsOf(callId), soon).toHaveLength(1);
});

describe('callfeed replay', () => {
  const always = ['--from', '2026-11-01', '--to', '2100-01-01'];
  const types = { feed: 'Agent Feed Interrupted', call: 'Call Summary Revised' };

  it('publishes the latest revision again, unchanged but for the mark, and only of the selected type', async () => {
    const [callId, other] = ['40000000000000001', '40000000000000002'];
    // Other tests revise calls of this account too.
    const since = ['--from', new Date().toISOString(), '--to', '2100-01-01'];
    await post(demoCall(callId));
    await post(demoCall(callId, { Disposition: 'Sale' }));
    await post(demoCall(callId, { Status: 'NotAnswered', CallDuration: '' }));
    await post(demoCall(other));
    await expect.poll(() => eventsOf(other), soon).toHaveLength(1);
    await expect.poll(() => eventsOf(callId), soon).toHaveLength(2);
    const published = (await eventsOf(callId)).at(-1);
    const replay = ['replay', ...since, '--account', 'demo', '--type', types.call];

    const dry = await json(...replay, '--dry-run');
    expect(dry).toEqual([{ wouldBeReplayed: 1, skipped: 0, read: expect.any(Number) }]);
    expect((await at(replay)).output).toMatch(
      /^1 replayed, marked 2\d{3}-.*Z; 0 skipped because they were revised or deleted meanwhile; \d+ rows read\.\n$/,
    );
    await expect.poll(() => eventsOf(callId), soon).toHaveLength(3);

    const again = (await eventsOf(callId)).at(-1);
    expect(again).toEqual({
      ...published,
      id: again.id,
      detail: { ...published.detail, replayedAt: expect.any(String) },
    });
    expect(again.detail).toMatchObject({ revision: 2, changedFields: ['dispositions'] });
    expect(await eventsOf(other)).toHaveLength(1);
    await post(demoCall(callId, { AudioFile: 'https://r.example.com/1.mp3' }));
    await expect.poll(() => eventsOf(callId), soon).toHaveLength(4);
    expect((await eventsOf(callId)).at(-1).detail).not.toHaveProperty('replayedAt');
  });

  it('publishes interruptions of the feed again', async () => {
    const at = '2026-11-20T06:00:00.000Z';
    const row = { kind: 'feed-change', account: 'demo', status: 'interrupted', at, previousSince: at, recordedAt: at };
    await put('callfeed-agents', { pk: 'demo#feed', sk: at, ...row });

    expect(await json('replay', ...always, '--type', types.feed)).toMatchObject([{ replayed: 1 }]);
    const events = async () => (await eventLines()).join().includes(`"replayedAt"`);
    await expect.poll(events, soon).toBe(true);
    expect(await json('replay', ...always, '--type', types.feed, '--account', 'other')).toMatchObject([
      { replayed: 0 },
    ]);
    expect(await json('replay', '--from', at, '--to', '2026-11-20T06:00:00.001Z', '--dry-run')).toMatchObject([
      { wouldBeReplayed: 1 },
    ]);
    expect(await json('replay', '--from', '2026-11-01', '--to', at, '--dry-run')).toMatchObject([
      { wouldBeReplayed: 0 },
    ]);
  });

  it('prints at Ctrl-C how to continue, and then replays each event once', async () => {
    const calls = Array.from({ length: 40 }, (_, index) => `50000000000000${100 + index}`);
    const to = new Date().toISOString();
    for (const callId of calls) await post(demoCall(callId));
    await expect.poll(() => eventsOf(...calls), soon).toHaveLength(calls.length);
    const state = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'replay.json');
    const range = ['--from', to, '--to', '2100-01-01', '--state', state, '--rate', '1'];
    const script = startScript('cli/callfeed.js', ['replay', ...range, '--endpoint', addresses.gateway]);
    const again = async () => (await eventsOf(...calls)).filter(({ detail }) => detail.replayedAt);
    await expect.poll(async () => (await again()).length, soon).toBeGreaterThan(0);
    script.child.kill('SIGINT');

    expect(await script.ended).toBe(1);
    expect(script.errors()).toMatch(
      new RegExp(
        `^(?:Stopping\\. A second signal ends the command at once\\.\n)?Stopped after \\d+ replayed. To continue: npx callfeed replay --resume ${state}\n$`,
      ),
    );
    const before = Number(/after (\d+)/.exec(script.errors())?.[1]);
    expect(before).toBeLessThan(calls.length);
    const [rest] = jsonLines(await cli(['replay', '--resume', state, '--rate', '1000', '--json']));
    expect(rest).toMatchObject({ replayed: calls.length - before });
    expect(existsSync(state)).toBe(false);
    await expect.poll(async () => (await again()).length, soon).toBe(calls.length);
    expect(new Set((await again()).map(({ detail }) => detail.callId)).size).toBe(calls.length);
    expect(new Set((await again()).map(({ detail }) => detail.replayedAt)).size).toBe(1);
  });
});

describe('callfeed reconcile', () => {
  it('finds calls whose callbacks were lost: first says which, then stores and publishes them as the report’s', async () => {
    // Yesterday at noon, so that no call is of another day. The limit allows this test two requests.
    const noon = `${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}T06:30:00Z`;
    const body = JSON.stringify({ count: 3, at: noon, kind: 'answered', callbacks: 'none' });
    const made = await fetch(`${addresses.provider}/_simulator/calls`, { method: 'POST', body });
    const { callIds } = (await made.json()) as { readonly callIds: readonly string[] };
    const [callId = ''] = callIds;
    const reconcile = ['reconcile', '--day', noon.slice(0, 10)];

    expect(await json(...reconcile, '--dry-run')).toMatchObject([{ calls: 3, found: 3, isDryRun: true }]);
    expect((await at(['call', callId])).code).toBe(1);
    expect(await at(reconcile)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^DAY .*\n\S+ +3 +0 +3 +0 +0\n$/),
      notes: expect.stringMatching(/\n3 calls in the report: 3 found and stored, 0 completed\.\n$/),
    });
    await expect.poll(() => eventsOf(...callIds), soon).toHaveLength(3);
    expect((await eventsOf(callId))[0].detail).toMatchObject({ source: 'report', revision: 1 });
    expect((await at(['call', callId])).output).toMatch(/ source +report\n[\s\S]*Z {2}from the call report; /);
    expect((await at(['call', callId, '--as-sent'])).output).toMatch(/^\S+Z {2}from the call report\n\{/);
    expect(await json('status')).toMatchObject([{ accounts: [{ reconciliation: { calls: 3, found: 3 } }] }]);
  });
});

describe('a word that Callfeed does not know', () => {
  const callId = '60000000000000001';
  const missed = { StartTime: '2026-11-21 10:00:00', Type: 'Inbound', HangupBy: 'UserHangup' };

  it('is listed, is added to the account, and corrects calls: the missed call that nobody saw is published', async () => {
    await post(demoCall(callId, { ...missed, Status: 'Abandoned' }));
    const range = ['--from', '2026-11-21T04:30:00Z', '--to', '2026-11-21T04:30:00Z'];
    const missedIds = async () => (await json('calls', ...range, '--missed')).map((call) => call['callId']);
    const listed = async () =>
      (await json('unknown', ...range, '--show-personal')).filter((one) => one['callId'] === callId);
    await expect.poll(listed, soon).toEqual([
      {
        ...{ in: 'call', field: 'status', word: 'Abandoned', records: 1, callId },
        ...{ first: '2026-11-21T04:30:00.000Z', last: '2026-11-21T04:30:00.000Z' },
      },
    ]);
    expect(await missedIds()).not.toContain(callId);
    await expect.poll(() => eventsOf(callId), soon).toHaveLength(1);
    expect(isMissed((await eventsOf(callId))[0].detail.call)).toBe(false);

    // What the accounts' secret has once somebody has added the word.
    const withWord: Context['connect'] = async (where) => {
      const connected = await connect(where);
      const { all } = await connected.accounts();
      const accounts = accountIndex(all.map((one) => ({ ...one, words: { status: { Abandoned: 'not-answered' } } })));
      return { ...connected, accounts: async () => accounts };
    };
    const renormalised = await at(['renormalise', ...range, '--json'], { connect: withWord });
    expect([renormalised.code, jsonLines(renormalised)]).toEqual([
      0,
      [{ callId, changedFields: ['status', 'statusAsSent'] }],
    ]);

    await expect.poll(() => eventsOf(callId), soon).toHaveLength(2);
    const [, revised] = await eventsOf(callId);
    expect(revised).toMatchObject({
      'detail-type': 'Call Summary Revised',
      detail: { revision: 2, changedFields: ['status', 'statusAsSent'], call: { status: 'not-answered' } },
    });
    expect(matches({ detail: { call: missedCalls } }, revised)).toBe(true);
    await expect.poll(missedIds, soon).toContain(callId);
    expect(await listed()).toEqual([]);
  });
});

describe('a sandbox as the deployment', () => {
  it('is reported missing or unknown where --endpoint is wrong', async () => {
    expect(await cli(['dead-letters', 'list', 'parked', '--endpoint', 'http://127.0.0.1:9'])).toMatchObject({
      code: 1,
      notes: 'No sandbox answers at http://127.0.0.1:9. Start one with: npm start\n',
    });
    expect(await cli(['dead-letters', 'list', 'parked', '--endpoint', addresses.sqs])).toMatchObject({
      code: 1,
      notes: expect.stringMatching(/is not a sandbox of this version/),
    });
    expect(await cli(['dead-letters', 'list', 'parked', '--endpoint', 'here'])).toMatchObject({
      code: 2,
      notes: expect.stringMatching(/such as http/),
    });
  });
});
