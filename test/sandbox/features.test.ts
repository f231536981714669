import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createEventLog, type DeliveredEvent } from '../../sandbox/aws/event-bus.ts';
import { demoAccount } from '../../sandbox/aws/sandbox-options.ts';
import { startAnalytics } from '../../sandbox/features/analytics.ts';
import { startReconciliationSchedule } from '../../sandbox/features/reconciliation.ts';
import { recordingMessageOf } from '../../sandbox/features/recordings.ts';
import { createClosers } from '../../sandbox/frame/lifecycle.ts';
import { createQueue } from '../../sandbox/queue/queue.ts';
import type { SandboxState } from '../../sandbox/sandbox-routes.ts';
import { wavOf } from '../../sandbox/simulator/recordings.ts';
import { askViews } from '../analytics/simulated-day.ts';
import { cli, jsonLines } from '../cli/support/cli-run.ts';
import { startSharedSandbox } from '../support/dynamodb-local.ts';
import { everyEvent } from '../support/every-event.ts';
import { demoCall, postCall } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const envelope = (type: string, detail: object): DeliveredEvent => ({
  version: '0',
  id: '1',
  'detail-type': type,
  source: 'callfeed',
  account: '1',
  time: '',
  region: 'local',
  resources: [],
  detail: { ...detail },
});
const url = (name: string) => `https://recordings.example.com/${name}.mp3`;

it('archives a recording as deployed, tells of it, and the commands find it', { timeout: 90_000 }, async () => {
  const folder = temporaryFolder('recordings');
  onTestFinished(folder.remove);
  const sandbox = await startSharedSandbox({ recordings: true });
  onTestFinished(() => sandbox.stop());
  const { addresses } = sandbox;
  const at = (...args: readonly string[]) => cli([...args, '--endpoint', addresses.gateway]);
  const recordings = async (id: string) => jsonLines(await at('recording', id, '--json'));

  await postCall(addresses.callbacks, demoCall('801', { AudioFile: url('801-1') }));
  await expect.poll(() => recordings('801'), { timeout: 60_000 }).toMatchObject([{ status: 'archived' }]);
  const file = join(folder.path, 'call.wav');
  expect((await at('recording', '801', '--save', file)).code).toBe(0);
  expect(readFileSync(file).equals(wavOf(url('801-1')))).toBe(true);
  const [{ link } = {}] = jsonLines(await at('recording', '801', '--url', '--json'));
  expect(Buffer.from(await (await fetch(String(link))).arrayBuffer()).equals(wavOf(url('801-1')))).toBe(true);
  const told = async () => (await at('events', '--type', 'Call Recording Archived', '--json')).output;
  await expect.poll(told, { timeout: 30_000 }).toContain('"callId":"801"');

  const odd = { method: 'PUT', body: JSON.stringify({ mode: 'elsewhere' }) };
  expect((await fetch(`${addresses.faults}/recordings`, odd)).status).toBe(200);
  await postCall(addresses.callbacks, demoCall('802', { AudioFile: `${url('802-1')},http://elsewhere.example/x.mp3` }));
  const reasons = async () => (await recordings('802')).map(({ status, reason }) => [status, reason]).sort();
  await expect.poll(reasons, { timeout: 60_000 }).toEqual([
    ['given-up', 'not-https'],
    ['given-up', 'other-host'],
  ]);
  expect(jsonLines(await at('recordings', '--json'))).toMatchObject([{ callId: '802' }, { callId: '802' }]);
  const status = jsonLines(await at('status', '--json'));
  expect(status).toMatchObject([{ recordings: { waiting: 0, deadLetters: 2 } }]);
});

it('archives nothing unless it is told to', { timeout: 60_000 }, async () => {
  const sandbox = await startSharedSandbox();
  onTestFinished(() => sandbox.stop());
  const { addresses } = sandbox;
  const state = (await (await fetch(addresses.sandbox)).json()) as SandboxState;

  expect(state).not.toHaveProperty('recordingsBucket');
  const { notes } = await cli(['recordings', '--endpoint', addresses.gateway]);
  expect(notes).toContain('This deployment archives no recordings: set recordings to archive.');
  expect(jsonLines(await cli(['status', '--json', '--endpoint', addresses.gateway]))[0]).not.toHaveProperty(
    'recordings',
  );
});

it.each([
  ['a call with a recording', 'Call Summary Recorded', { call: { recordings: ['x'] } }, true],
  ['a conference', 'Call Summary Revised', { call: { conferenceRecordings: ['x'] } }, true],
  ['a participant', 'Call Participant Recorded', { participant: { recordings: ['x'] } }, true],
  ['a call without one', 'Call Summary Recorded', { call: {} }, false],
  ['its own event', 'Call Recording Archived', { recording: {} }, false],
])('asks for the recordings of %s, if it has any', (_, type, detail, isAsked) => {
  const message = recordingMessageOf(envelope(type, { account: 'demo', callId: '1', ...detail }));

  expect(message).toEqual(isAsked ? { account: 'demo', callId: '1' } : undefined);
});

it('asks for two days of each account a minute after the start and then every two minutes, unless runs wait', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T18:29:30.000Z') });
  onTestFinished(() => void vi.useRealTimers());
  const queue = createQueue({ name: 'q', visibilityMilliseconds: 60_000 });
  const closers = createClosers();
  const accounts = [demoAccount, { ...demoAccount, userName: 'other', timeZone: 'UTC' }];
  startReconciliationSchedule(queue, () => accounts, closers);
  const waitingAfter = (seconds: number) => {
    vi.advanceTimersByTime(seconds * 1_000);
    return queue.messages().length;
  };

  expect([59, 1, 120].map(waitingAfter)).toEqual([0, 2, 2]);
  const bodies = queue.messages().map(({ body }) => JSON.parse(body));
  expect(bodies).toMatchObject([
    { kind: 'start', account: 'demo', days: ['2026-11-22', '2026-11-21'] },
    { kind: 'start', account: 'other', days: ['2026-11-21', '2026-11-20'] },
  ]);
  expect(bodies[0].run).not.toBe(bodies[1].run);
  for (const { receipt = '' } of queue.receive(10)) queue.remove(receipt);
  expect([119, 1].map(waitingAfter)).toEqual([0, 2]);
  for (const { receipt = '' } of queue.receive(10)) queue.remove(receipt);
  await closers.closeAll();
  expect(waitingAfter(240)).toBe(0);
});

const started = async (folder: string, everyMs: number) => {
  const log = createEventLog();
  const closers = createClosers();
  const problems = [] as string[];
  await startAnalytics(folder, { log, onProblem: (problem) => problems.push(problem), everyMs }, closers);
  return { log, stop: closers.closeAll, problems, files: () => globSync(join(folder, '*', 'day=*', '*.parquet')) };
};

it('writes the rows of events by table and day, and the last ones when it stops', async () => {
  const { path } = temporaryFolder('sandbox-analytics');
  const { log, stop, problems, files } = await started(path, 60_000);
  log.append((await everyEvent('keep')).map(({ type, detail }) => envelope(type, detail)));
  log.append([envelope('Object Created', {})]);
  expect(files()).toEqual([]);
  await stop();

  expect(files()).toHaveLength(2);
  expect(problems).toEqual(['an event makes no row: detail-type is none of Callfeed’s.']);
  const { ask, close } = await askViews(path);
  expect(await ask('SELECT call_id, revision, day FROM calls')).toMatchObject([{ revision: 2, day: '2026-11-20' }]);
  close();
});

it('writes the rows of other days once, and leaves no file behind, beside one that can never be written', async () => {
  const { path } = temporaryFolder('sandbox-analytics');
  const { log, stop, problems, files } = await started(path, 50);
  const [recorded] = await everyEvent('keep');
  const on = (day: string, more: object = {}) => {
    const call = { timeZone: 'UTC', startedAt: `2026-11-${day}T10:00:00.000Z`, ...more };
    return envelope('Call Summary Recorded', { ...recorded?.detail, callId: day, call });
  };
  log.append([on('20'), on('21', { skillName: 'half a character: \ud800' }), on('22')]);
  await vi.waitFor(() => expect(problems.length).toBeGreaterThan(2), 45_000);
  await stop();

  const days = files().map((file) => basename(dirname(file)));
  expect(days.sort()).toEqual(['day=2026-11-20', 'day=2026-11-22']);
  expect(globSync(join(path, '.incoming', '*'))).toEqual([]);
});

it('tries again what it could not write', async () => {
  const { path } = temporaryFolder('sandbox-analytics');
  const place = join(path, 'call_revisions');
  writeFileSync(place, 'a file where the folder should be');
  const { log, stop, problems, files } = await started(path, 50);
  log.append((await everyEvent('keep')).map(({ type, detail }) => envelope(type, detail)));
  await vi.waitFor(() => expect(problems[0]).toMatch(/^\d+ rows could not be written to /), 45_000);
  rmSync(place);
  await vi.waitFor(() => expect(files().length).toBeGreaterThan(1), 45_000);
  await stop();
});
