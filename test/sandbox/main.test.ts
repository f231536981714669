import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../sandbox/http/listen.ts';
import type { SandboxState } from '../../sandbox/sandbox-state.ts';
import { isListening } from '../support/local-servers.ts';
import { childrenOf, demoCall, postCall, publishedCalls, type RunningScript, startScript } from '../support/sandbox.ts';

const running: RunningScript[] = [];
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
});

const start = (args: readonly string[], environment = {}) => {
  const ports = ['--port', '0', '--dynamodb-port', '0', '--provider-port', '0'];
  const script = startScript('sandbox/main.ts', [...ports, ...args], environment);
  running.push(script);
  return script;
};
const patience = { timeout: 15_000 };

/** The address of the gateway, and all ports, once everything runs. */
const started = async ({ output }: RunningScript) => {
  await expect.poll(output, patience).toContain('Ctrl-C stops everything.');
  const [, gateway = ''] = /POST (http:\/\/127\.0\.0\.1:\d+)/.exec(output()) ?? [];
  const { addresses } = (await (await fetch(`${gateway}/_sandbox`)).json()) as SandboxState;
  const ports = Object.values(addresses).map((address) => Number(new URL(address).port));

  return { gateway, ports: [...new Set(ports)] };
};
const listening = async (ports: readonly number[]) => {
  const answers = await Promise.all(ports.map(isListening));
  return ports.filter((_port, index) => answers[index]);
};

describe('npm start', () => {
  it('says where everything is, with examples that work, and ends everything on Ctrl-C', async () => {
    const script = start([]);
    const { gateway, ports } = await started(script);
    const [, data = ''] = /--data-urlencode 'data=(.*)'/.exec(script.output()) ?? [];

    // Stored, or parked where the machine is too busy for the table's deadline; the event tells that it is there.
    expect(await postCall(`${gateway}/callDetails`, JSON.parse(data))).toMatchObject([200, { quarantined: 0 }]);
    expect(script.output()).toContain('callfeed-calls, callfeed-agents, callfeed-quarantine');
    await expect.poll(script.output, patience).toContain('Call Summary Recorded');
    const [, step = ''] = /_sandbox\/agents" -d '(.*)'/.exec(script.output()) ?? [];
    expect((await fetch(`${gateway}/_sandbox/agents`, { method: 'POST', body: step })).status).toBe(200);
    await expect.poll(script.output, patience).toMatch(/agents +\d+ logged in/);
    expect(await listening(ports)).toEqual(ports);
    script.child.kill('SIGINT');

    expect([await script.ended, script.errors()]).toEqual([0, '']);
    expect(await listening(ports)).toEqual([]);
  });

  it('leaves nothing behind when it is killed', async () => {
    const script = start(['--no-traffic']);
    const { ports } = await started(script);
    script.child.kill('SIGKILL');

    await expect.poll(() => listening(ports), patience).toEqual([]);
  });

  it('leaves nothing behind when it is interrupted while it starts', async () => {
    const script = start([]);
    await expect.poll(script.output, patience).toContain('starting DynamoDB Local');
    script.child.kill('SIGINT');

    expect(await script.ended).toBe(0);
  });

  it('keeps tables and events with --data, and publishes nothing twice', async () => {
    const args = ['--no-traffic', '--data', join(await mkdtemp(join(tmpdir(), 'callfeed-')), 'kept')];
    const first = start(args);
    const before = await started(first);
    await postCall(`${before.gateway}/callDetails`, demoCall('10000000000000001'));
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);

    const second = start(args);
    const { gateway } = await started(second);
    const repeated = await postCall(`${gateway}/callDetails`, demoCall('10000000000000001'));
    await postCall(`${gateway}/callDetails`, demoCall('10000000000000002'));

    expect(repeated).toEqual([200, { stored: 0, duplicates: 1, quarantined: 0 }]);
    await expect
      .poll(() => publishedCalls(`${gateway}/_sandbox/events`), patience)
      .toEqual(['10000000000000001', '10000000000000002']);
  });

  it('stops when DynamoDB Local ends by itself', async () => {
    const script = start(['--no-traffic']);
    const { ports } = await started(script);
    const [guard = 0] = await childrenOf(script.child.pid);
    process.kill(guard, 'SIGTERM');

    expect(await script.ended).toBe(1);
    expect(script.errors()).toContain('DynamoDB Local ended');
    expect(await listening(ports)).toEqual([]);
  });

  it('prints nothing with --quiet, and ends with its terminal', async () => {
    const port = await freePort({ number: 0, flag: '--port' });
    const script = start(['--quiet', '--port', String(port)]);
    await expect.poll(() => isListening(port), patience).toBe(true);
    await postCall(`http://127.0.0.1:${port}/callDetails`, demoCall('10000000000000001'));
    script.child.kill('SIGHUP');

    expect([await script.ended, script.output(), script.errors()]).toEqual([0, '', '']);
  });

  it('ends at once on a second Ctrl-C, and leaves nothing behind', async () => {
    const script = start(['--no-traffic']);
    const { ports } = await started(script);
    const [guard = 0] = await childrenOf(script.child.pid);
    // With its guard held, DynamoDB Local cannot be stopped in time.
    process.kill(guard, 'SIGSTOP');
    const interrupted = () => {
      script.child.kill('SIGINT');
      return script.child.exitCode;
    };
    await expect.poll(interrupted, patience).toBe(130);
    process.kill(guard, 'SIGCONT');

    await expect.poll(() => listening(ports), patience).toEqual([]);
  });
});

describe('npm start, asked for what it cannot do', () => {
  it('says what a flag may be, with exit code 2', async () => {
    const script = start(['--port', 'http']);

    expect(await script.ended).toBe(2);
    expect(script.errors()).toBe('--port must be a whole number from 0 to 65535; 0 picks a free port.\n');
    expect(script.output()).toBe('');
  });

  it.each(['--port', '--dynamodb-port', '--provider-port'])(
    'names %s when its port is in use, with exit code 1',
    async (flag) => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      const script = start([flag, String(port)]);
      const code = await script.ended;
      server.close();

      expect([code, script.errors()]).toEqual([
        1,
        `Port ${port} is in use. Stop what uses it, or choose another with ${flag} (0 picks a free one).\n`,
      ]);
    },
  );

  it('says what to install when there is no Java, with exit code 1', async () => {
    const script = start([], { PATH: '/nowhere', JAVA_HOME: '' });

    expect(await script.ended).toBe(1);
    expect(script.errors()).toMatch(/needs Java, but no Java was found\.\nInstall a Java runtime of version 17/);
  });

  it('prints its flags when asked', async () => {
    const script = start(['--help']);

    expect(await script.ended).toBe(0);
    for (const word of ['CALLFEED_CALLBACK_SECRET', 'callfeed-agents', 'POST /_sandbox/agents'])
      expect(script.output()).toContain(word);
  });
});
