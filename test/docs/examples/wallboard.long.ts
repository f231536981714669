import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createCallfeedClient } from '../../../lib/client/index.ts';
import { compile } from '../../package/support.ts';
import { type AgentsSandbox, startAgentsSandbox } from '../../support/agents-sandbox.ts';
import { logIn, setState, startScript } from '../../support/sandbox.ts';
import { exampleProject, sandboxEnvironment } from './support/example-project.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const soon = { timeout: 60_000, interval: 20 };
let project: string;
let sandbox: AgentsSandbox;

beforeAll(async () => {
  project = await exampleProject('wallboard');
  sandbox = await startAgentsSandbox();
});
afterAll(() => sandbox?.stop());

const wallboardOf = (account: string) =>
  startScript(
    join(project, 'main.ts'),
    [],
    sandboxEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: sandbox.addresses.dynamodb, ACCOUNT: account }),
  );

describe('the wallboard', () => {
  it('compiles', async () => {
    expect(await compile(project)).toEqual({ code: 0, output: '', errors: '' });
  });

  it('shows each agent’s state and the time in it, and STALE once polls fail', async () => {
    const { showFloor } = await import(pathToFileURL(join(project, 'show-floor.ts')).href);
    const { dynamodb, script, poll, setFault } = sandbox;
    const tables = { calls: 'callfeed-calls', agents: 'callfeed-agents' };
    const callfeed = createCallfeedClient({ dynamodb, tables, account: 'demo' });
    const wall: string[] = [];
    const end = new AbortController();

    await script(
      { ...logIn('asha'), name: 'Asha Rao', skills: ['Sales', 'Returns'] },
      { ...logIn('ravi', 'PAUSE'), name: 'Ravi\u001B[2J', skills: [] },
    );
    await poll();
    const watch: typeof callfeed.watch = (options) => callfeed.watch({ ...options, everySeconds: 1 });
    const shown = showFloor({ watch }, { show: (text: string) => wall.push(text), signal: end.signal });
    await expect
      .poll(() => wall.at(-1), soon)
      .toBe(
        [
          'Live: seen 0 s ago.\n',
          'pause 1',
          '  Ravi?[2J                        0 s\n',
          'ready 1',
          '  Asha Rao                        0 s  Sales, Returns\n',
        ].join('\n'),
      );
    await script(setState('asha', 'INCALL'));
    const seenAt = await poll();
    const floor = /^in-call 1\n {2}Asha Rao .* \d+ s {2}Sales, Returns\n\npause 1\n {2}Ravi/m;
    await expect.poll(() => wall.at(-1), soon).toMatch(floor);
    expect(wall.at(-1)).toContain('Live: seen 0 s ago.');

    await setFault('provider', 'error');
    for (let polls = 0; polls < 3; polls += 1) await poll();
    await expect
      .poll(() => wall.at(-1), soon)
      .toContain(`STALE: last seen at ${seenAt}, 45 s ago: the telephony service`);
    expect(wall.at(-1)).toMatch(floor);
    await setFault('provider', 'none');
    await poll(60);
    await expect.poll(() => wall.at(-1), soon).toMatch(/^Live: seen 0 s ago/);

    end.abort();
    await shown;
  });

  it('shows STALE by its own clock though the feed is live, and ends at Ctrl-C', async () => {
    await sandbox.poll();
    const feed = await sandbox.dynamodb.send(
      new GetItemCommand({ TableName: 'callfeed-agents', Key: { pk: { S: 'demo' }, sk: { S: 'feed' } } }),
    );
    const old = { asOf: { S: '2020-11-21T10:00:00.000Z' }, staleAt: { S: '2020-11-21T10:00:30.000Z' } };
    const Item = { ...feed.Item, ...old, pk: { S: 'old' } };
    await sandbox.dynamodb.send(new PutItemCommand({ TableName: 'callfeed-agents', Item }));
    expect(feed.Item).toMatchObject({ status: { S: 'live' } });

    const script = wallboardOf('old');
    await expect.poll(script.output, soon).toContain('STALE: last seen at 2020-11-21T10:00:00.000Z');
    script.child.kill('SIGINT');

    expect([await script.ended, script.errors()]).toEqual([0, '']);
  });

  it('shows NEVER POLLED instead of an empty list before the first poll', async () => {
    const script = wallboardOf('nobody');
    await expect.poll(script.output, soon).toContain('NEVER POLLED');
    script.child.kill('SIGINT');

    expect(await script.ended).toBe(0);
    expect(script.output()).not.toContain('nobody is logged in');
  });
});
