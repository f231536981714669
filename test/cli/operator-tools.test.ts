import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { keyFingerprint } from '../../lib/accounts/account-index.ts';
import type { QuarantineEntry, StorableItem } from '../../lib/callback/schema.ts';
import { quarantineEntry, quarantineRow } from '../../lib/callback/store-or-park.ts';
import { compressText } from '../../lib/core/encoding.ts';
import { demoCall } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { cli, jsonLines } from './support/cli-run.ts';
import { sandboxForThisFile } from './support/local-deployment.ts';

const { addresses, dynamodb, at, post, put, send, eventLines } = await sandboxForThisFile();

const soon = { timeout: 30_000 };
const receivedAt = '2026-11-20T06:00:00.000Z';
const json = async (...args: readonly string[]) => jsonLines(await at([...args, '--json']));

/** Published events of some calls, as a subscriber gets them. */
const eventsOf = async (...callIds: readonly string[]) =>
  (await eventLines()).map((line) => JSON.parse(line)).filter(({ detail }) => callIds.includes(detail.callId));

/** Quarantines a call summary, as an older version that did not understand it would. Resolves with the id. */
const quarantined = async (callId: string, changes: Partial<QuarantineEntry> = {}): Promise<string> => {
  const body = JSON.stringify({ ...demoCall(callId), Apikey: '***' });
  const entry = { reason: 'not-a-call-summary', account: 'demo', body, receivedAt, ...changes };
  return quarantinedEntry(entry as QuarantineEntry);
};

const quarantinedEntry = async (entry: QuarantineEntry): Promise<string> => {
  const row = quarantineRow(entry, 30);
  await put('callfeed-quarantine', row);
  return row.id;
};

describe('callfeed quarantine', () => {
  it('lists entries without their bodies, newest first, by account, reason and time', async () => {
    const deep = (callId: string, changes: object) => quarantined(callId, { reason: 'too-deep', ...changes });
    const older = await deep('1', { receivedAt: '2026-11-19T06:00:00.000Z' });
    const newer = await deep('2', { receivedAt: '2026-11-19T07:00:00.000Z' });
    const others = await deep('3', { account: 'other' });
    const unknown = await deep('4', { account: undefined });
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
      body: '{"CallerID": 12345678901234567890, "x": "\\u001b[2Jä"}',
    });
    const broken = await quarantined('20000000000000006', { body: 'Anna\u001B[2J\nBob', reason: 'broken-json' });

    expect((await at(['quarantine', 'show', id])).output).not.toMatch(/CallerID|1234567/);
    const entry = { id, reason: 'not-a-call-summary', account: 'demo', receivedAt, bytes: 54 };
    expect(await json('quarantine', 'show', id)).toEqual([entry]);
    expect(await json('quarantine', 'list')).toContainEqual(entry);
    const { output } = await at(['quarantine', 'show', id, '--show-personal']);
    expect(output).toContain('\n{\n  "CallerID": "12345678901234567890",\n  "x": "\\u001b[2Jä"\n}\n');
    expect((await at(['quarantine', 'show', broken, '--show-personal'])).output).toContain('Anna\\u001b[2J\nBob');
    const body = 'Anna\u001B[2J\nBob';
    expect(await json('quarantine', 'show', broken, '--show-personal')).toMatchObject([{ body }]);
    const notes = 'Nothing in quarantine has the id nobody.\n';
    expect(await at(['quarantine', 'show', 'nobody'])).toMatchObject({ code: 1, notes });
  });

  it('redrives all entries with an account, and prints why an entry stays', async () => {
    const forbidden = (callId: string, changes: object = {}) =>
      quarantined(`2000000000000002${callId}`, { reason: 'forbidden-key', ...changes });
    const good = await forbidden('0');
    const bad = await forbidden('1', { body: '{"a":' });
    const truncated = await forbidden('2', { bytes: 400_000, body: '{"a":"ä' });
    expect(await json('quarantine', 'show', truncated)).toMatchObject([{ bytes: 400_000, bytesStored: 8 }]);
    const former = await forbidden('3', { account: 'former' });
    const list = JSON.stringify([demoCall('200000000000000024'), { Event: 'Pop' }]);
    const unknown = await forbidden('4', { account: undefined, body: list });
    const keyFingerprints = [keyFingerprint('new-key-77')];
    const ofStranger = { reason: 'unknown-key', account: undefined, viaSecret: true, keyFingerprints };
    const keyless = await forbidden('5', ofStranger);
    // With the fingerprint an operator can compare a key.
    expect(await json('quarantine', 'show', keyless)).toMatchObject([{ keyFingerprints }]);
    expect(await json('quarantine', 'redrive', good, '--dry-run')).toEqual([
      { id: good, outcome: 'can-be-redriven', stored: 1, quarantined: 0 },
    ]);
    const all = ['quarantine', 'redrive', '--all', '--reason', 'forbidden-key', '--json'];
    expect(await at([...all, '--dry-run'])).toMatchObject({ code: 0, notes: '1 can be redriven, 3 not.\n' });
    const redriven = await at(all);

    expect(redriven).toMatchObject({ code: 1, notes: '1 redriven, 3 not.\n' });
    expect(await at([...all, '--dry-run'])).toMatchObject({ code: 0, notes: '0 can be redriven, 3 not.\n' });
    expect(await at(['quarantine', 'redrive', bad, '--dry-run'])).toMatchObject({
      code: 1,
      notes: '0 can be redriven, 1 not.\n',
    });
    expect((await at(['quarantine', 'show', good])).code).toBe(1);
    await expect.poll(() => eventsOf('20000000000000020'), soon).toHaveLength(1);
    expect(Object.fromEntries(jsonLines(redriven).map(({ id, outcome }) => [id, outcome]))).toEqual({
      [good]: 'redriven',
      [bad]: 'broken-json',
      [truncated]: 'body-truncated',
      [former]: 'unknown-account',
    });
    const byId = await at(['quarantine', 'redrive', bad, truncated, unknown, keyless, 'nobody']);
    expect(byId).toMatchObject({ code: 1, notes: '0 redriven, 5 not.\n' });
    const reasons = ['The content is no valid JSON.', 'stored in full', 'does not have its key yet'];
    for (const why of [...reasons, 'name the account with --account', 'has this id'])
      expect(byId.output).toContain(why);
    const named = await at(['quarantine', 'redrive', unknown, '--account', 'demo', '--json']);
    expect([named.code, jsonLines(named)]).toMatchObject([0, [{ outcome: 'redriven', stored: 1, quarantined: 1 }]]);
    const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: 'callfeed-quarantine' }));
    // What stays expires when the rest of its list would have.
    const [expiry, ...others] = Items.filter((row) => row['receivedAt']?.S === receivedAt).map(
      (row) => row['expiresAt'],
    );
    expect(others).toEqual(others.map(() => expiry));
  });
});

describe('callfeed quarantine dismiss', () => {
  it('keeps an entry with the reason, and neither status nor verify count it any more', async () => {
    const range = ['--since', '1h', '--account', 'demo', '--no-report'];
    const bad = await quarantined('', { reason: 'broken-json', body: '{"a":', receivedAt: new Date().toISOString() });
    const other = await quarantined('20000000000000029', { reason: 'not-a-call-summary' });
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
    const one = await unreadable('{1');
    const two = await unreadable('{2');
    const other = await unreadable('{3', { account: 'other' });
    const kept = await unreadable('{4', { reason: 'data-empty' });
    const dismiss = async (...options: readonly string[]) =>
      (await json('quarantine', 'dismiss', '--all', ...options, '--because', 'Mended')).map(({ id }) => id).toSorted();

    expect(await dismiss('--reason', 'data-repeated', '--account', 'demo')).toEqual([one, two].toSorted());
    expect(await dismiss('--reason', 'data-repeated')).toEqual([other]);
    expect((await json('quarantine', 'list', '--reason', 'data-empty')).map(({ id }) => id)).toEqual([kept]);
    expect(await at(['quarantine', 'dismiss', '--all', '--because', 'x'])).toMatchObject({ code: 2 });
    const both = await at(['quarantine', 'dismiss', one, '--all', '--reason', 'data-empty', '--because', 'x']);
    expect(both).toMatchObject({ code: 2 });
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
    const none = { code: 0, output: '', notes: 'Quarantine has no such entry that is not dismissed yet.\n' };
    expect(await at([...ofAll, '--account', 'nobody'])).toMatchObject(none);
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

  const body = '{"monitorUCID":"1","Event":"AgentDial","EndTime":"2026-11-20 10:00:00"}';
  const call = await quarantined('20000000000000051', { ...about, body });
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
      id: 'd',
      receivedAt,
      asSent: compressText('{}'),
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
  it('publishes the latest revisions of the selected type again, and after Ctrl-C the rest: each once, but for the mark unchanged', async () => {
    // Other tests revise calls of this account too.
    const since = new Date().toISOString();
    const calls = ['40000000000000001', '40000000000000002', '40000000000000003'];
    for (const callId of ['40000000000000009', ...calls]) await post(demoCall(callId));
    for (const callId of calls) await post(demoCall(callId, { Disposition: 'Sale' }));
    await expect.poll(() => eventsOf('40000000000000009', ...calls), soon).toHaveLength(7);
    const published = (await eventsOf(...calls)).filter(({ detail }) => detail.revision === 2);
    const state = join(temporaryFolder('replay').path, 'replay.json');
    const type = ['--type', 'Call Summary Revised', '--state', state];
    const stop = new AbortController();
    const stopped = await at(['replay', '--from', since, '--to', '2100-01-01', '--account', 'demo', ...type], {
      interruption: () => stop.signal,
      terminal: { progress: () => stop.abort() },
    });

    const notes = `Stopped after 1 replayed. To continue: npx callfeed replay --resume ${state}\n`;
    expect(stopped).toMatchObject({ code: 1, notes });
    expect((await cli(['replay', '--resume', state])).output).toMatch(
      /^2 replayed, marked 2\d{3}-.*Z; 0 skipped because they were revised or deleted meanwhile; \d+ rows read\.\n$/,
    );
    expect(existsSync(state)).toBe(false);
    await expect.poll(() => eventsOf('40000000000000009', ...calls), soon).toHaveLength(10);
    const again = (await eventsOf(...calls)).filter(({ detail }) => detail.replayedAt !== undefined);
    const unmarked = again.map(({ detail: { replayedAt, ...detail } }) => detail);
    const sorted = (details: readonly { readonly callId: string }[]) =>
      details.toSorted((a, b) => (a.callId < b.callId ? -1 : 1));
    expect(sorted(unmarked)).toEqual(sorted(published.map(({ detail }) => detail)));
    expect(new Set(again.map(({ detail }) => detail.replayedAt)).size).toBe(1);
  });

  it('publishes interruptions of the feed again', async () => {
    const at = '2026-11-20T06:00:00.000Z';
    const row = { kind: 'feed-change', account: 'demo', status: 'interrupted', at, previousSince: at, recordedAt: at };
    await put('callfeed-agents', { pk: 'demo#feed', sk: at, ...row });
    const ofFeed = (from: string, to: string, ...more: readonly string[]) =>
      json('replay', '--from', from, '--to', to, '--type', 'Agent Feed Interrupted', ...more);

    expect(await ofFeed('2026-11-01', '2100-01-01')).toMatchObject([{ replayed: 1 }]);
    const events = async () =>
      (await eventLines()).filter((line) => /Agent Feed Inter.*"replayedAt"/.test(line)).length;
    await expect.poll(events, soon).toBe(1);
    expect(await ofFeed('2026-11-01', '2100-01-01', '--account', 'other')).toMatchObject([{ replayed: 0 }]);
    expect(await ofFeed(at, '2026-11-20T06:00:00.001Z', '--dry-run')).toMatchObject([{ wouldBeReplayed: 1 }]);
    expect(await ofFeed('2026-11-01', at, '--dry-run')).toMatchObject([{ wouldBeReplayed: 0 }]);
  });
});

describe('callfeed reconcile', () => {
  it('finds calls whose callbacks were lost: first says which, then stores and publishes them as the report’s', async () => {
    // Yesterday at noon, so that no call is of another day. The limit allows this test two requests.
    const noon = `${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}T06:30:00Z`;
    const make = async (count: number, callbacks: string) => {
      const body = JSON.stringify({ count, seed: count, at: noon, kind: 'answered', callbacks, pace: 0 });
      const made = await fetch(`${addresses.provider}/_simulator/calls`, { method: 'POST', body });
      return ((await made.json()) as { readonly callIds: readonly string[] }).callIds;
    };
    const callIds = await make(3, 'none');
    const [callId = ''] = callIds;
    const [poorer = ''] = await make(1, 'poorer');
    await make(8, 'all');
    const reconcile = ['reconcile', '--day', noon.slice(0, 10)];

    expect(await json(...reconcile, '--dry-run')).toMatchObject([{ calls: 12, found: 3, isDryRun: true }]);
    expect((await at(['call', callId])).code).toBe(1);
    expect(await at(reconcile)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^DAY .*\n\S+ +12 +\d +3 +\d +0\n$/),
      notes: expect.stringMatching(/\n12 calls in the report: 3 found and stored, [1-9] completed\.\n$/),
    });
    await expect.poll(() => eventsOf(...callIds), soon).toHaveLength(3);
    expect((await eventsOf(callId))[0].detail).toMatchObject({ source: 'report', revision: 1 });
    await expect.poll(() => eventsOf(poorer), soon).toHaveLength(2);
    const { source, call } = (await eventsOf(poorer))[1].detail;
    expect([source, call.status, call.recordings.length]).toEqual([undefined, 'answered', 1]);
    expect((await at(['call', callId])).output).toMatch(/ source +report\n[\s\S]*Z {2}from the call report; /);
    expect((await at(['call', callId, '--as-sent'])).output).toMatch(/^\S+Z {2}from the call report\n\{/);
    expect(await json('status')).toMatchObject([{ accounts: [{ reconciliation: { calls: 12, found: 3 } }] }]);
  });
});

it.each([
  ['http://127.0.0.1:9', 1, 'No sandbox answers at http://127.0.0.1:9. Start one with: npm start\n'],
  [addresses.sqs, 1, 'is not a sandbox of this version'],
  ['here', 2, 'such as http'],
])('an --endpoint that is none is reported: %s', async (endpoint, code, notes) => {
  const done = await cli(['dead-letters', 'list', 'parked', '--endpoint', endpoint]);
  expect(done).toMatchObject({ code, notes: expect.stringContaining(notes) });
});
