import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../cli/connection/connect.ts';
import type { Bus } from '../../cli/connection/deployment.ts';
import type { Context } from '../../cli/context.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { startSharedSandbox } from '../support/java-stand-in.ts';
import { startHttpServer } from '../support/local-servers.ts';
import { demoCall, startScript } from '../support/sandbox.ts';
import { cli, jsonLines } from './support/cli-run.ts';
import { callWithAllFields, personalDeliveries, personalParticipant, sentinel } from './support/reading-deployment.ts';

const secret = 'SENTINEL-secret-1234';
const folder = mkdtempSync(join(tmpdir(), 'callfeed-'));
const soon = { timeout: 30_000 };
let sandbox: Sandbox;

beforeAll(async () => {
  const quiet = { traffic: false, polling: false, callbackSecret: secret };
  sandbox = await startSharedSandbox({ port: 0, dynamodbPort: 0, providerPort: 0, ...quiet });
});
afterAll(() => sandbox.stop());

const environment = (name: string) => ({ SECRET: secret, WRONG: 'SENTINEL-another-one', EMPTY: '' })[name];
const at = (args: readonly string[], replaced: Partial<Context> = {}) =>
  cli([...args, '--endpoint', sandbox.addresses.gateway], { environment, ...replaced });
const fileWith = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const fileOf = (callId: string) => fileWith(`${callId}.json`, JSON.stringify(demoCall(callId)));
const withSecret = ['--secret-from-env', 'SECRET'];
const send = (callId: string) => at(['send', fileOf(callId), ...withSecret]);
/** The sandbox as a deployment, with some parts replaced. */
const withParts =
  (parts: object): Context['connect'] =>
  async (where) => ({ ...(await connect(where)), ...parts });

describe('callfeed send', () => {
  it('posts a callback, prints the answer, and fails unless it is 200 without a reason', async () => {
    expect(await send('800000000000000001')).toMatchObject({
      code: 0,
      output: '200 {"stored":1,"duplicates":0,"quarantined":0}\n',
    });
    const again = await at(['send', '-', ...withSecret, '--json'], {
      readInput: async () => Buffer.from(JSON.stringify(demoCall('800000000000000001'))),
    });
    expect([again.code, jsonLines(again)]).toEqual([
      0,
      [{ status: 200, reply: { stored: 0, duplicates: 1, quarantined: 0 } }],
    ]);
    expect(await at(['send', fileOf('1'), '--secret-from-env', 'WRONG'])).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^401 .*callback-secret-wrong/),
    });
  });

  it('sends every digit of a long number', async () => {
    const file = fileWith('digits.json', JSON.stringify(demoCall('X')).replace('"X"', '12345678901234567890'));
    expect((await at(['send', file, ...withSecret])).code).toBe(0);

    expect((await at(['call', '12345678901234567890'])).code).toBe(0);
  });

  it.each<[string, readonly string[], RegExp]>([
    ['a file that does not exist', ['send', join(folder, 'none')], /none cannot be read: it does not exist\.\n$/],
    ['a folder', ['send', folder], /cannot be read: it is a folder\.\n$/],
    [
      'broken JSON',
      ['send', fileWith('broken', '{"Apikey":\n "SENTINEL" x}')],
      /no valid JSON\. It breaks at line 2, column 13\. --as-is/,
    ],
    ['JSON that ends too early', ['send', fileWith('truncated', '{"Apikey": "SENTINEL"')], /no valid JSON\..*--as-is/],
    [
      'a file in another encoding',
      ['send', fileWith('latin1', Buffer.from('{"AgentName":"SENTINEL Jos\u00E9"}', 'latin1'))],
      /latin1 is not UTF-8, which a callback must be\.\n$/,
    ],
    [
      'another encoding with --as-is',
      ['send', fileWith('utf16', Buffer.from('\uFEFF{}', 'utf16le')), '--as-is'],
      /utf16 is not UTF-8/,
    ],
    ['an empty file', ['send', fileWith('empty', ' \n')], /empty: .*is empty; .*--as-is/],
    ['no secret where one is needed', ['send', fileOf('2')], /name the variable .* with --secret-from-env/],
    [
      'a variable that is not set',
      ['send', fileOf('2'), '--secret-from-env', 'NOTHING'],
      /variable NOTHING is not set, or is empty/,
    ],
    ['a variable that is empty', ['send', fileOf('2'), '--secret-from-env', 'EMPTY'], /variable EMPTY is not set/],
  ])('sends nothing and prints why: %s', async (_title, args, why) => {
    const done = await at(args);

    expect(done).toMatchObject({ code: 2, output: '', notes: expect.stringMatching(why) });
    expect(done.notes).not.toContain('SENTINEL');
  });

  it('sends a file without its byte-order mark', async () => {
    const file = fileWith(
      'marked.json',
      `\uFEFF${JSON.stringify(demoCall('800000000000000002', { AgentName: 'José' }))}`,
    );

    expect((await at(['send', file, ...withSecret])).code).toBe(0);
    expect((await at(['call', '800000000000000002', '--show-personal'])).output).toMatch(/agentNames +José\n/);
  });

  it('sends a file that is not JSON with --as-is', async () => {
    expect(await at(['send', fileWith('as-is', 'Apikey'), '--as-is', ...withSecret])).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^200 .*"quarantined":1,"reason":"broken-json"/),
    });
  });

  it('hides the secret and escapes control characters in the answer', async () => {
    const { url } = await startHttpServer((request, response) => {
      request.resume();
      response.end(`\u001B[2J${request.url}`);
    });
    const callbackAddress = (given: string | undefined) => `${url}/${given}/callDetails`;
    const { output, notes } = await at(['send', fileOf('3'), ...withSecret], {
      connect: withParts({ callbackAddress }),
    });

    expect([output, notes]).toEqual(['200 \\u001b[2J/***/callDetails\n', '']);
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    [
      'does not answer',
      async () => (await startHttpServer((request) => request.resume())).url,
      /^The callback address did not answer within 1 second\. /,
    ],
    [
      'does not listen',
      async () => 'http://127.0.0.1:9',
      /^The callback address cannot be reached over the network\.\n$/,
    ],
  ])('fails when the deployment %s', async (_title, address, notes) => {
    const url = await address();
    const callbackAddress = (given: string | undefined) => `${url}/${given}`;
    const args = ['send', fileOf('4'), '--timeout', '1', ...withSecret];

    expect(await at(args, { connect: withParts({ callbackAddress }) })).toMatchObject({
      code: 1,
      output: '',
      notes: expect.stringMatching(notes),
    });
  });
});

describe('callfeed events', () => {
  const events = async (...args: readonly string[]) => jsonLines(await at(['events', '--json', ...args]));

  it('prints the published events of some types and of an account', async () => {
    await send('810000000000000001');
    await expect.poll(async () => JSON.stringify(await events()), soon).toContain('810000000000000001');

    expect(await events('--type', 'Call Summary Revised', '--type', 'Agent Logged In')).toEqual([]);
    expect(await events('--type', 'Call Summary Recorded', '--account', 'demo')).not.toEqual([]);
    expect(await events('--account', 'other')).toEqual([]);
  });

  it('hides personal fields and escapes control characters, except with --show-personal', async () => {
    for (const [index, delivery] of personalDeliveries.entries()) {
      const file = fileWith(`personal-${index}.json`, JSON.stringify([delivery, personalParticipant]));
      await at(['send', file, ...withSecret]);
    }
    const ofCall = async (...args: readonly string[]) => (await at(['events', ...args])).output;
    await expect.poll(() => ofCall('--type', 'Call Participant Recorded'), soon).toContain(callWithAllFields);

    for (const output of [await ofCall(), await ofCall('--json')]) {
      expect(output).toContain(callWithAllFields);
      expect(output).not.toMatch(sentinel);
      expect(output).not.toContain('\u001B');
    }
    expect(await ofCall('--json', '--show-personal')).toMatch(/SENTINEL comment/);
  });

  it('prints new events with --follow until it is interrupted', async () => {
    const lines: string[] = [];
    const stop = new AbortController();
    const terminal = { print: (line: string) => lines.push(line), note: (line: string) => lines.push(line) };
    const followed = at(['events', '--follow'], {
      interruption: () => stop.signal,
      terminal: { ...terminal, progress: () => undefined, hasColours: false, width: 80 },
    });
    for (const callId of ['820000000000000001', '820000000000000002']) {
      await send(callId);
      await expect.poll(() => lines.join('\n'), soon).toContain(`call ${callId}`);
    }
    stop.abort();

    expect((await followed).code).toBe(0);
    expect(lines.join('\n')).not.toContain('stopped');
  });

  it('ends with exit code 141 when the reader closes its output', async () => {
    const script = startScript('cli/main.ts', ['events', '--follow', '--endpoint', sandbox.addresses.gateway]);
    await send('830000000000000001');
    await expect.poll(script.output, soon).toContain('call 830000000000000001');
    script.child.stdout?.destroy();
    await send('830000000000000002');

    expect(await script.ended).toBe(141);
    expect(script.errors()).toBe('');
  });

  it('reports when the sandbox stops, closes the connection or does not answer', async () => {
    const line = JSON.stringify({ 'detail-type': 'Agent Logged In', detail: { agentId: 'asha' } });
    const follows = async (text: string) => {
      const { url } = await startHttpServer((_request, response) => void response.end(text));
      const bus: Bus = { kind: 'sandbox', name: url };
      return at(['events', '--follow'], { connect: withParts({ bus }) });
    };

    expect(await follows(`${line}\nodd\n`)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/agent asha\n$/),
      notes: 'Skipped a message that is not an event.\nThe sandbox has stopped.\n',
    });
    expect(await follows(`${line}\n{"det`)).toMatchObject({
      code: 1,
      notes: expect.stringMatching(/in the middle of an event/),
    });
    const missing: Bus = { kind: 'sandbox', name: 'http://127.0.0.1:9' };
    expect(await at(['events'], { connect: withParts({ bus: missing }) })).toMatchObject({
      code: 1,
      notes: 'The sandbox no longer answers.\n',
    });
  });

  it('needs --follow on AWS, and fails if a temporary resource could not be deleted', async () => {
    const failing = { send: () => Promise.reject(Object.assign(new Error('SENTINEL'), { name: 'Odd' })) };
    const bus: Bus = { kind: 'event-bridge', name: 'bus', client: failing as never };
    const sqs = { send: async () => ({ QueueUrl: 'https://sqs/follow' }) };
    const connected = { connect: withParts({ bus, sqs }) };

    expect(await at(['events'], connected)).toMatchObject({
      code: 2,
      output: '',
      notes: expect.stringMatching(/stores no events.*--follow.*callfeed replay/),
    });
    const { code, notes } = await at(['events', '--follow'], connected);
    expect(code).toBe(1);
    expect(notes).toMatch(/rule callfeed-follow-[0-9a-f]{8} of the bus bus could not be deleted/);
    expect(notes).not.toContain('SENTINEL');
  });
});
