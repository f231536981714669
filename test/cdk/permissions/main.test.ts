import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

/** What the command prints, and its exit code. */
const permissions = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, ['cdk/permissions/main.ts', ...args]).then(
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
