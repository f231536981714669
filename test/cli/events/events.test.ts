import { describe, expect, it } from 'vitest';
import type { Context } from '../../../cli/frame/command.ts';
import { connect } from '../../../cli/frame/connect.ts';
import type { Bus } from '../../../cli/frame/deployment.ts';
import { startHttpServer } from '../../support/local-servers.ts';
import { demoCall, startScript } from '../../support/sandbox.ts';
import { jsonLines } from '../support/cli-run.ts';
import { sandboxForThisFile } from '../support/local-deployment.ts';
import { callWithAllFields, personalDeliveries, personalParticipant, sentinel } from '../support/reading-deployment.ts';

const soon = { timeout: 30_000 };
const { addresses, at, post } = await sandboxForThisFile();
/** The sandbox as a deployment, with some parts replaced. */
const withParts =
  (parts: object): Context['connect'] =>
  async (where) => ({ ...(await connect(where)), ...parts });

describe('callfeed events', () => {
  const events = async (...args: readonly string[]) => jsonLines(await at(['events', '--json', ...args]));

  it('prints the published events of some types and of an account', async () => {
    await post(demoCall('810000000000000001'));
    await expect.poll(async () => JSON.stringify(await events()), soon).toContain('810000000000000001');

    expect(await events('--type', 'Call Summary Revised', '--type', 'Agent Logged In')).toEqual([]);
    expect(await events('--type', 'Call Summary Recorded', '--account', 'demo')).not.toEqual([]);
    expect(await events('--account', 'other')).toEqual([]);
  });

  it('hides personal fields and escapes control characters, except with --show-personal', async () => {
    for (const delivery of personalDeliveries) await post([delivery, personalParticipant]);
    const ofCall = async (...args: readonly string[]) => (await at(['events', ...args])).output;
    await expect.poll(() => ofCall('--type', 'Call Participant Recorded'), soon).toContain(callWithAllFields);
    await expect.poll(() => ofCall('--json', '--show-personal'), soon).toMatch(/SENTINEL comment/);

    for (const output of [await ofCall(), await ofCall('--json')]) {
      expect(output).toContain(callWithAllFields);
      expect(output).not.toMatch(sentinel);
      expect(output).not.toContain('\u001B');
    }
  });

  it('prints new events with --follow until it is interrupted', async () => {
    const lines: string[] = [];
    const stop = new AbortController();
    const terminal = { print: (line: string) => lines.push(line), note: (line: string) => lines.push(line) };
    const followed = at(['events', '--follow'], { interruption: () => stop.signal, terminal });
    for (const callId of ['820000000000000001', '820000000000000002']) {
      await post(demoCall(callId));
      await expect.poll(() => lines.join('\n'), soon).toContain(`call ${callId}`);
    }
    stop.abort();

    expect((await followed).code).toBe(0);
    expect(lines.join('\n')).not.toContain('stopped');
  });

  it('ends with exit code 141 when the reader closes its output', async () => {
    const script = startScript('cli/main.ts', ['events', '--follow', '--endpoint', addresses.gateway]);
    await post(demoCall('830000000000000001'));
    await expect.poll(script.output, soon).toContain('call 830000000000000001');
    script.child.stdout?.destroy();
    await post(demoCall('830000000000000002'));

    expect(await script.ended).toBe(141);
    expect(script.errors()).toBe('');
  });

  it('reports when the sandbox stops, or closes the connection', async () => {
    const line = JSON.stringify({ 'detail-type': 'Agent Logged In', detail: { agentId: 'asha' } });
    const follows = async (text: string) => {
      const { url } = await startHttpServer((_request, response) => void response.end(text));
      const bus: Bus = { kind: 'sandbox', eventsAddress: url };
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
