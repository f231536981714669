import { describe, expect, it } from 'vitest';
import { permissionsIn, permissionTable } from '../../../cdk/bin/permission-table.ts';
import { synthesiseStack } from '../../../cdk/callfeed-stack.ts';
import { runHere } from '../../support/run-here.ts';
import { configurations } from '../support/configurations.ts';
import { appFor } from '../support/synthesise.ts';

const run = (...args: readonly string[]) => runHere(() => import('../../../cdk/bin/permissions.ts'), { args });

describe('npm run permissions', () => {
  it('prints a table of the permissions under the given settings', async () => {
    const { code, stdout, stderr } = await run('-c', 'agentPolling=off');
    const [heading, ...lines] = stdout.trimEnd().split('\n');

    expect([code, stderr]).toEqual([0, '']);
    expect(heading).toMatch(/^function +action +resource +why$/);
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.find((line) => line.includes('PutEvents'))).toMatch(
      /^PublishChanges +events:PutEvents +Bus +Publishes events; no other function may\.$/,
    );
    expect(stdout).not.toContain('PollAgents');
  });

  it('prints them as JSON', async () => {
    const { code, stdout } = await run('--json');

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual({
      who: 'PollAgents',
      action: 'secretsmanager:GetSecretValue',
      resource: 'Accounts',
      why: 'Polls with the keys of the accounts.',
    });
  });

  it('prints its usage', async () => {
    const { code, stdout } = await run('--help');

    expect(code).toBe(0);
    expect(stdout).toMatch(/npm run permissions -- -c agentPolling=off/);
  });

  it.each([
    [
      ['-c', 'callRetention=9', '-c', 'agentPolling=maybe'],
      /^agentPolling must be on or off\.\ncallRetention: unknown setting/,
    ],
    [['-c', 'callRetentionDays'], /^-c callRetentionDays: expected NAME=VALUE\n/],
  ])('rejects %j with a sentence and without a stack trace', async (args, message) => {
    const { code, stdout, stderr } = await run(...args);

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/ {4}at /);
  });
});

const permissionsOf = (context: Readonly<Record<string, string>>) => {
  const stack = synthesiseStack(context, appFor().outdir);
  if (!stack.ok) throw new Error(stack.problem.join('\n'));

  return permissionsIn(stack.value);
};

const functions = ['ReceiveCallback', 'RecoverCallbacks', 'PublishChanges'];
const withPolling = [...functions, 'PollAgents', 'PollAgents/EveryMinute'];
const optional = ['ReconcileCalls', 'ReconcileCalls/Schedule', 'ForwardDeliveries', 'ArchiveRecordings', 'Analytics'];
const streams = ['CallRevisions', 'AgentChanges'].map((table) => `Analytics/${table}`);
const all = [...withPolling, ...optional, ...streams.flatMap((stream) => [stream, `${stream}/RuleRole`])];

describe.each([
  ['no settings', configurations['no settings'], withPolling],
  ['everything', configurations.everything, all],
  ['the least', configurations['the least'], functions],
])('with %s', (_name, context, roles) => {
  const permissions = permissionsOf(context);

  it.each(permissions)('$who has a reason for $action on $resource', ({ why }) => {
    expect(why).toMatch(/^[A-Z].{10,}\.$/);
  });

  it('every permission is listed once, for a function or a schedule, with the name of its resource', () => {
    const lines = permissions.map(({ who, action, resource }) => [who, action, resource].join(' '));

    expect([...new Set(permissions.map(({ who }) => who))]).toEqual(roles);
    expect(new Set(lines).size).toBe(lines.length);
    for (const { resource } of permissions) expect(resource).not.toMatch(/\$\{|[0-9A-F]{8}$/);
  });
});

it('the table has a line for each permission below its heading, in columns', () => {
  const permission = { who: 'PollAgents', action: 'sqs:SendMessage', resource: 'Ticks', why: 'Because.' };

  expect(permissionTable([permission, { ...permission, who: 'A', why: undefined }])).toEqual([
    'function    action           resource  why',
    'PollAgents  sqs:SendMessage  Ticks     Because.',
    'A           sqs:SendMessage  Ticks',
  ]);
});
