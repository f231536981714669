import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { permissionsIn, permissionTable } from '../../../cdk/bin/permission-table.ts';
import { synthesiseStack } from '../../../cdk/callfeed-stack.ts';
import { appFor, configurations } from '../support/synthesise.ts';

/** What the command prints, and its exit code. */
const permissions = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, ['cdk/bin/permissions.ts', ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  );

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe.concurrent('npm run permissions', () => {
  it('prints the rights as a table, with these settings', async () => {
    const { code, stdout, stderr } = await permissions('-c', 'agentPolling=off');
    const [heading, ...lines] = stdout.trimEnd().split('\n');

    expect([code, stderr]).toEqual([0, '']);
    expect(heading).toMatch(/^function +action +resource +why$/);
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.find((line) => line.includes('PutEvents'))).toMatch(
      /^PublishChanges +events:PutEvents +Bus +Publishes, alone in the deployment\.$/,
    );
    expect(stdout).not.toContain('PollAgents');
  });

  it('prints them as JSON', async () => {
    const { code, stdout } = await permissions('--json');

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual({
      who: 'PollAgents',
      action: 'secretsmanager:GetSecretValue',
      resource: 'Accounts',
      why: 'Polls with the keys of the accounts.',
    });
  });

  it('says how it is used', async () => {
    const { code, stdout } = await permissions('--help');

    expect(code).toBe(0);
    expect(stdout).toMatch(/npm run permissions -- -c agentPolling=off/);
  });

  it.each([
    [
      ['-c', 'callRetention=9', '-c', 'agentPolling=maybe'],
      /^agentPolling must be on or off\.\ncallRetention: no such/,
    ],
    [['-c', 'callRetentionDays'], /^-c callRetentionDays: expected NAME=VALUE\n/],
  ])('refuses %j with a sentence, and no stack trace', async (args, complaint) => {
    const { code, stdout, stderr } = await permissions(...args);

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(complaint);
    expect(stderr).not.toMatch(/ {4}at /);
  });
});

const permissionsOf = (context: Readonly<Record<string, string>>) => {
  const stack = synthesiseStack(context, appFor().outdir);
  if (!stack.ok) throw new Error(stack.problem.join('\n'));

  return permissionsIn(stack.value);
};

describe.each(Object.entries(configurations))('with %s', (_name, context) => {
  const rights = permissionsOf(context);

  it.each(rights)('$who has a reason for $action on $resource', ({ why }) => {
    expect(why).toMatch(/^[A-Z].{10,}\.$/);
  });

  it('every right is told once, and named as in the source', () => {
    const lines = rights.map(({ who, action, resource }) => [who, action, resource].join(' '));

    expect(new Set(lines).size).toBe(lines.length);
    for (const { resource } of rights) expect(resource).not.toMatch(/\$\{|[0-9A-F]{8}$/);
  });
});

describe('the rights', () => {
  const [ofAll, withoutPolling, withKey] = [
    permissionsOf({}),
    permissionsOf({ agentPolling: 'off' }),
    permissionsOf(configurations.everything),
  ] as const;

  it('are of the functions and of the schedule, which goes with polling', () => {
    const whose = (rights = ofAll) => [...new Set(rights.map(({ who }) => who))];

    expect(whose()).toEqual([
      'ReceiveCallback',
      'RecoverCallbacks',
      'PublishChanges',
      'PollAgents',
      'PollAgents/EveryMinute',
    ]);
    expect(whose(withoutPolling)).toEqual(['ReceiveCallback', 'RecoverCallbacks', 'PublishChanges']);
  });

  it('reach to a key, where there is one', () => {
    const onKey = (rights = ofAll) => rights.filter(({ resource }) => resource.startsWith('arn:aws:kms:'));

    expect(onKey()).toEqual([]);
    expect(onKey(withKey).length).toBeGreaterThan(4);
  });
});

describe('the table', () => {
  const right = { who: 'PollAgents', action: 'sqs:SendMessage', resource: 'Ticks', why: 'Because.' };

  it('has a line for each right below its heading, in columns', () => {
    expect(permissionTable([right, { ...right, who: 'A', why: undefined }])).toEqual([
      'function    action           resource  why',
      'PollAgents  sqs:SendMessage  Ticks     Because.',
      'A           sqs:SendMessage  Ticks',
    ]);
  });
});
