import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../sandbox/frame/listen.ts';
import type { SandboxState } from '../../sandbox/sandbox-routes.ts';
import { javaStandIn } from '../support/dynamodb-local.ts';
import { isListening } from '../support/local-servers.ts';
import { childrenOf, demoCall, postCall, publishedCalls, type RunningScript, startScript } from '../support/sandbox.ts';

const soon = { timeout: 40_000 };

const start = (args: readonly string[], environment = {}): RunningScript => {
  const ports = ['--port', '0', '--dynamodb-port', '0', '--provider-port', '0'];
  return startScript('sandbox/start.js', [...ports, ...args], environment);
};
const kill = async ({ child, ended }: RunningScript) => {
  child.kill('SIGKILL');
  await ended;
};
const startForTest = (...args: Parameters<typeof start>): RunningScript => {
  const script = start(...args);
  onTestFinished(() => kill(script));
  return script;
};

/** The address of the gateway, and all ports, once everything runs. */
const started = async ({ output }: RunningScript) => {
  await expect.poll(output, soon).toContain('Ctrl-C stops everything.');
  const [, gateway = ''] = /POST (http:\/\/127\.0\.0\.1:\d+)/.exec(output()) ?? [];
  const { addresses } = (await (await fetch(`${gateway}/_sandbox`)).json()) as SandboxState;
  const ports = Object.values(addresses).map((address) => Number(new URL(address).port));

  return { gateway, ports: [...new Set(ports)] };
};
const listening = async (ports: readonly number[]) => {
  const answers = await Promise.all(ports.map(isListening));
  return ports.filter((_port, index) => answers[index]);
};

/** DynamoDB Local takes seconds to start, so these tests share two starts. They run in the order given. */
describe('npm start --data', { shuffle: false }, () => {
  let data: string;
  let script: RunningScript;
  let sandbox: Awaited<ReturnType<typeof started>>;
  beforeAll(async () => {
    data = join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'new-folder');
  });
  afterAll(() => kill(script));
  const post = (call: object) => postCall(`${sandbox.gateway}/callDetails`, call);

  it('prints where everything is, with examples that work', async () => {
    script = start(['--data', data]);
    sandbox = await started(script);
    const [, call = ''] = /--data-urlencode 'data=(.*)'/.exec(script.output()) ?? [];

    // The call is parked instead of stored where the machine is too busy for the deadline of the table.
    expect(await post(JSON.parse(call))).toMatchObject([200, { quarantined: 0 }]);
    expect(script.output()).toContain('callfeed-calls, callfeed-agents, callfeed-quarantine');
    await expect.poll(script.output, soon).toContain('Call Summary Recorded');
    const [, step = ''] = /_sandbox\/agents"? -d '(.*)'/.exec(script.output()) ?? [];
    expect((await fetch(`${sandbox.gateway}/_sandbox/agents`, { method: 'POST', body: step })).status).toBe(200);
    await expect.poll(script.output, soon).toMatch(/event .*Agent Logged In/);
  });

  it('ends everything on Ctrl-C', async () => {
    expect(await post(demoCall('10000000000000001'))).toMatchObject([200, { quarantined: 0 }]);
    expect(await listening(sandbox.ports)).toEqual(sandbox.ports);
    script.child.kill('SIGINT');

    expect([await script.ended, script.errors()]).toEqual([0, '']);
    expect(await listening(sandbox.ports)).toEqual([]);
  });

  it('has the tables and events of the run before, and publishes nothing twice', async () => {
    script = start(['--data', data, '--no-traffic']);
    sandbox = await started(script);
    const repeated = await post(demoCall('10000000000000001'));
    await post(demoCall('10000000000000002'));

    expect(repeated).toEqual([200, { stored: 0, duplicates: 1, quarantined: 0 }]);
    const published = async () =>
      (await publishedCalls(`${sandbox.gateway}/_sandbox/events`)).filter((id) => /^10{15}/.test(id));
    await expect.poll(published, soon).toEqual(['10000000000000001', '10000000000000002']);
  });

  it('leaves nothing behind when it is killed', async () => {
    script.child.kill('SIGKILL');

    await expect.poll(() => listening(sandbox.ports), soon).toEqual([]);
  });
});

describe('npm start as a process', () => {
  let environment: { readonly JAVA_HOME: string };
  beforeAll(async () => {
    environment = { JAVA_HOME: await javaStandIn() };
  });

  it('leaves nothing behind when it is interrupted while it starts', async () => {
    const script = startForTest([], environment);
    await expect.poll(script.output, soon).toContain('starting DynamoDB Local');
    script.child.kill('SIGINT');

    expect(await script.ended).toBe(0);
  });

  it('stops when DynamoDB Local ends by itself', async () => {
    const script = startForTest(['--no-traffic'], environment);
    const { ports } = await started(script);
    const [guard = 0] = await childrenOf(script.child.pid);
    process.kill(guard, 'SIGTERM');

    expect(await script.ended).toBe(1);
    expect(script.errors()).toContain('DynamoDB Local ended');
    await expect.poll(() => listening(ports), soon).toEqual([]);
  });

  it('prints nothing with --quiet, and ends with its terminal', async () => {
    const port = await freePort({ number: 0, flag: '--port' });
    const script = startForTest(['--quiet', '--port', String(port)], environment);
    const isReady = () => fetch(`http://127.0.0.1:${port}/_sandbox`).then(({ ok }) => ok);
    await expect.poll(() => isReady().catch(() => false), soon).toBe(true);
    await postCall(`http://127.0.0.1:${port}/callDetails`, demoCall('10000000000000001'));
    script.child.kill('SIGHUP');

    expect([await script.ended, script.output(), script.errors()]).toEqual([0, '', '']);
  });

  it('ends at once on a second Ctrl-C, and leaves nothing behind', async () => {
    const script = startForTest(['--no-traffic'], environment);
    const { ports } = await started(script);
    const [guard = 0] = await childrenOf(script.child.pid);
    // While its guard is halted, DynamoDB Local cannot be stopped in time.
    process.kill(guard, 'SIGSTOP');
    const interrupted = () => {
      script.child.kill('SIGINT');
      return script.child.exitCode;
    };
    await expect.poll(interrupted, soon).toBe(130);
    process.kill(guard, 'SIGCONT');

    await expect.poll(() => listening(ports), soon).toEqual([]);
  });
});

describe('npm start with wrong settings', () => {
  it.each([
    [
      'which values a flag allows',
      ['--port', 'http'],
      {},
      2,
      /^option '--port <number>' argument 'http' is invalid\. It must be a whole number from 0 to 65535\. /,
    ],
    [
      'what to install without Java',
      [],
      { PATH: '/nowhere', JAVA_HOME: '' },
      1,
      /needs Java, but no Java was found\.\nInstall a Java runtime of version 17/,
    ],
    [
      'which Node it needs',
      [],
      { NODE_OPTIONS: '--no-strip-types' },
      1,
      /^The sandbox needs Node 24; this is [^\n]+\n$/,
    ],
  ])('prints %s', async (_what, args, environment, code, errors) => {
    const script = startForTest(args, environment);

    expect(await script.ended).toBe(code);
    expect(script.errors()).toMatch(errors);
  });

  it('prints its flags with --help', async () => {
    const script = startForTest(['--help']);

    expect(await script.ended).toBe(0);
    for (const word of ['CALLFEED_CALLBACK_SECRET', 'callfeed-agents', 'POST /_sandbox/agents'])
      expect(script.output()).toContain(word);
  });
});
