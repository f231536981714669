import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { recordingMessageOf } from '../../sandbox/bus/start-bus.ts';
import type { SandboxState } from '../../sandbox/sandbox-state.ts';
import { wavOf } from '../../sandbox/simulator/recordings.ts';
import { cli, jsonLines } from '../cli/support/cli-run.ts';
import { startSharedSandbox } from '../support/java-stand-in.ts';
import { demoCall, postCall } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const url = (name: string) => `https://recordings.example.com/${name}.mp3`;
const ports = { port: 0, dynamodbPort: 0, providerPort: 0, traffic: false, polling: false };

it('archives a recording as deployed, tells of it, and the commands find it', { timeout: 90_000 }, async () => {
  const folder = temporaryFolder('recordings');
  onTestFinished(folder.remove);
  const sandbox = await startSharedSandbox({ ...ports, recordings: true });
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
  const sandbox = await startSharedSandbox(ports);
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
  const at = { account: '0', time: '', region: '', resources: [] };
  const message = recordingMessageOf({
    version: '0',
    id: '1',
    source: 'callfeed',
    ...at,
    'detail-type': type,
    detail: { account: 'demo', callId: '1', ...detail },
  });

  expect(message).toEqual(isAsked ? { account: 'demo', callId: '1' } : undefined);
});
