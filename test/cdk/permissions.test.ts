import { describe, expect, it } from 'vitest';
import { permissionsIn as listedIn } from '../../cdk/bin/permission-table.ts';
import { expandedPermissions, functionPermissions } from '../fixtures/function-permissions.ts';
import { runHere } from '../support/run-here.ts';
import { configurations, switchedOn } from './support/configurations.ts';
import { allStatements, nameOf, only, permissionsIn, policyTypes, someOf, synthesise } from './support/template.ts';

/** What one function shares with every other: its log and its traces. */
const loggingAndTracing = (name: string) => `
  logs: CreateLogStream PutLogEvents on ${name}ServiceLogs.Arn
  xray: PutTelemetryRecords PutTraceSegments on *`;
const streamWrites = (table: string) => {
  const glue = 'arn:AWS::Partition.Ref:glue:AWS::Region.Ref:AWS::AccountId.Ref';
  const inGlue = ['catalog', 'database/callfeed_prod_callfeed', `table/callfeed_prod_callfeed/${table}`];
  return `
    s3: AbortMultipartUpload GetObject PutObject on AnalyticsLake.Arn/${table}/*
    s3: AbortMultipartUpload GetObject PutObject on AnalyticsLake.Arn/errors/${table}/*
    s3: GetBucketLocation ListBucket ListBucketMultipartUploads on AnalyticsLake.Arn
    lambda: GetFunctionConfiguration InvokeFunction on AnalyticsServiceFunction.Arn
    lambda: GetFunctionConfiguration InvokeFunction on AnalyticsServiceFunction.Arn:$LATEST
    ${inGlue.map((one) => `glue: GetTable GetTableVersion GetTableVersions on ${glue}:${one}`).join('\n')}`;
};

/** Every role of the stack, with all that it may do. */
const ofRoles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(functionPermissions).map(([name, own]) => [
      `${name}ServiceRole`,
      `${own}${loggingAndTracing(name)}`,
    ]),
  ),
  PollAgentsEveryMinuteRole: 'sqs: SendMessage on PollAgentsTicks.Arn',
  ReconcileCallsScheduleRole: 'sqs: SendMessage on ReconcileCallsQueue.Arn',
  AnalyticsCallRevisionsRole: streamWrites('call_revisions'),
  AnalyticsAgentChangesRole: streamWrites('agent_changes'),
  AnalyticsCallRevisionsRuleRole: 'firehose: PutRecord PutRecordBatch on AnalyticsCallRevisionsStream.Arn',
  AnalyticsAgentChangesRuleRole: 'firehose: PutRecord PutRecordBatch on AnalyticsAgentChangesStream.Arn',
};

describe('the permissions of', () => {
  const { template } = synthesise({ context: { tracing: 'on', ...switchedOn } });

  it.each(Object.entries(ofRoles))('%s are these and no others', (role, lines) => {
    expect(permissionsIn(only(template, 'AWS::IAM::Policy', role)).toSorted()).toEqual(expandedPermissions(lines));
  });

  it('are those of every role that has any', () => {
    expect(someOf(template, 'AWS::IAM::Policy')).toHaveLength(Object.keys(ofRoles).length);
  });
});

describe('policies', () => {
  /** Actions that AWS grants only on all resources. */
  const withoutResource = ['dynamodb:ListStreams', 'xray:PutTelemetryRecords', 'xray:PutTraceSegments'];

  const { template } = synthesise({ context: configurations.everything });
  const allowed = allStatements(template).filter(([, { Effect }]) => Effect === 'Allow');

  describe('every allowed action', () => {
    it('is in a policy of a known type, so that the checks below see it', () => {
      const types = Object.values<{ readonly Type: string }>(template.toJSON()['Resources']).map(({ Type }) => Type);

      expect(new Set(types.filter((type) => /Policy$/.test(type)))).toEqual(new Set(policyTypes));
      expect(allowed.length).toBeGreaterThan(20);
    });

    it.each(allowed)(
      '%s: has no wildcard, names a resource, and is for a role, an account, or a service on its behalf',
      (_id, statement) => {
        const { Action, Resource, Principal = {}, Condition } = statement;

        for (const action of [Action].flat()) expect(action).toMatch(/^[a-z0-9]+:[A-Za-z]+$/);
        if ([Resource].flat().includes('*')) expect(withoutResource).toEqual(expect.arrayContaining([Action].flat()));
        else expect([Resource].flat().map(nameOf).join()).not.toMatch(/^\*|:\*/);
        expect(JSON.stringify(Principal)).not.toContain('*');
        if (JSON.stringify(Principal).includes('Service'))
          expect([
            { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
            ...['CallfeedBus8482B2DA', ...someOf(template, 'AWS::Events::Rule').map(([id]) => id)].map((id) => ({
              ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [id, 'Arn'] } },
            })),
          ]).toContainEqual(Condition);
      },
    );
  });
});

const run = (...args: readonly string[]) => runHere(() => import('../../cdk/bin/print-permissions.ts'), { args });

describe('npm run permissions', () => {
  it('prints a table of the permissions under the given settings', async () => {
    const { code, stdout, stderr } = await run('-c', 'agentPolling=off');
    const [heading = '', ...lines] = stdout.trimEnd().split('\n');

    expect([code, stderr]).toEqual([0, '']);
    expect(heading).toMatch(/^function +action +resource +why$/);
    expect(lines.length).toBeGreaterThan(20);
    const columns = [...heading.matchAll(/\w+/g)].map(({ index }) => index);
    for (const line of lines) for (const at of columns) expect(` ${line}`.slice(at, at + 2)).toMatch(/^ \S$/);
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
  const { stack, template } = synthesise({ context });
  const permissions = listedIn(stack);

  it('what is listed is what the policies of the roles allow', () => {
    const allowed = someOf(template, 'AWS::IAM::Policy').flatMap(([, policy]) => permissionsIn(policy));
    const plainly = (text: string) => text.replaceAll(/\.(?:Arn|Ref)\b/g, '').replaceAll('/', '');
    const granted = permissions.map(({ action, resource }) => `${action} on ${resource.replace(/ \((\w+)\)$/, '.$1')}`);

    expect(granted.map(plainly).toSorted()).toEqual(allowed.map(plainly).toSorted());
  });

  it('every permission is listed once, for a function or a schedule, with the name of its resource and a reason', () => {
    const lines = permissions.map(({ who, action, resource }) => [who, action, resource].join(' '));

    expect([...new Set(permissions.map(({ who }) => who))]).toEqual(roles);
    expect(new Set(lines).size).toBe(lines.length);
    for (const { resource, why } of permissions) {
      expect(resource).not.toMatch(/\$\{|[0-9A-F]{8}$/);
      expect(why).toMatch(/^[A-Z].{10,}\.$/);
    }
  });
});
