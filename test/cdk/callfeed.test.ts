import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it, vi } from 'vitest';
import { Callfeed, type CallfeedProps } from '../../cdk/callfeed.ts';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { runHere } from '../support/run-here.ts';
import { appFor, nameOf, only, propertiesOf, someOf } from './support/template.ts';

const app = appFor();
let stacks = 0;
const newStack = () => new Stack(app, `Customer${++stacks}`);

/** A customer's stack with Callfeed in it. All are created before the first is synthesised. */
const withCallfeed = (propsIn: (stack: Stack) => CallfeedProps = () => ({})) => {
  const stack = newStack();
  return { stack, callfeed: new Callfeed(stack, 'Callfeed', propsIn(stack)) };
};

const plainOne = withCallfeed();
const supplied = withCallfeed((stack) => ({
  bus: new EventBus(stack, 'OwnBus'),
  alarmTopic: new Topic(stack, 'OwnTopic'),
}));
const elsewhere = new Stack(app, 'Elsewhere');
const twice = withCallfeed();
const second = new Callfeed(twice.stack, 'Second', { callRetentionDays: 9 });
const imported = withCallfeed((stack) => ({
  bus: EventBus.fromEventBusName(stack, 'Found', 'company-events'),
  alarmTopic: new Topic(elsewhere, 'TopicElsewhere'),
}));

const samePath = ['first', 'second'].map((stackName) => {
  const stack = new Stack(appFor(), 'App', { stackName });
  new Callfeed(stack, 'Callfeed');
  return Template.fromStack(stack);
});

describe('Callfeed in a customer’s own app', () => {
  it('needs no settings, and exposes its resources', () => {
    const template = Template.fromStack(plainOne.stack);
    const { api, bus, calls, agents, quarantine, accounts, parking, publisher, poller, monitoring } = plainOne.callfeed;

    expect([api.api, bus, calls, agents, quarantine, accounts].map(({ stack }) => stack)).toEqual(
      Array(6).fill(plainOne.stack),
    );
    expect([parking.queue, publisher.failedChanges, poller?.ticks, monitoring.topic].every(Boolean)).toBe(true);
    expect(someOf(template, 'AWS::DynamoDB::GlobalTable')).toHaveLength(3);
    expect(template.findOutputs('*')).toEqual({});
  });

  it('publishes on a supplied bus, archives its own events from there, and sends every alarm to a supplied topic', () => {
    const template = Template.fromStack(supplied.stack);
    const [publisher] = someOf(template, 'AWS::Lambda::Function').filter(([id]) => id.includes('PublishChanges'));
    const [[, archive] = []] = someOf(template, 'AWS::Events::Archive');

    expect(supplied.callfeed.bus.eventBusName).toBeDefined();
    expect(someOf(template, 'AWS::Events::EventBus').map(([id]) => id)).toEqual([expect.stringMatching(/^OwnBus/)]);
    expect(nameOf(publisher?.[1]['Environment'].Variables.BUS_NAME)).toBe('OwnBus.Ref');
    expect(nameOf(archive?.['SourceArn'])).toBe('OwnBus.Arn');
    expect(propertiesOf(template, 'AWS::Events::EventBusPolicy')).toEqual({});
    expect(someOf(template, 'AWS::SNS::Topic').map(([id]) => id)).toEqual([expect.stringMatching(/^OwnTopic/)]);
    for (const [, { AlarmActions, OKActions }] of someOf(template, 'AWS::CloudWatch::Alarm'))
      expect([AlarmActions.map(nameOf), OKActions.map(nameOf)]).toEqual([['OwnTopic.Ref'], ['OwnTopic.Ref']]);
  });

  it('accepts a bus by its name, and a topic of another stack', () => {
    const template = Template.fromStack(imported.stack);

    expect(JSON.stringify(someOf(template, 'AWS::Lambda::Function'))).toContain('"BUS_NAME":"company-events"');
    expect(JSON.stringify(someOf(template, 'AWS::IAM::Policy'))).toContain(':event-bus/company-events');
    expect(propertiesOf(template, 'AWS::SNS::Topic')).toEqual({});
  });

  it('is another deployment in a stack of another name, even at the same path', () => {
    const namesIn = (template: Template) => [
      only(template, 'AWS::Events::EventBus', 'Bus')['Name'],
      only(template, 'AWS::Lambda::Function', 'ReceiveCallback')['Environment'].Variables.DEPLOYMENT,
    ];

    expect(samePath.map(namesIn)).toEqual([
      ['first-Callfeed-Bus', 'first-Callfeed'],
      ['second-Callfeed-Bus', 'second-Callfeed'],
    ]);
  });

  it('rejects a path that is too long for CloudWatch', () => {
    expect(() => new Callfeed(new Stack(appFor(), 'x'.repeat(120)), 'y'.repeat(80))).toThrow(
      /may have at most 200 characters together$/,
    );
  });

  it('has a name that a log group may have, whatever its ids are', () => {
    const stack = new Stack(appFor(), 'App', { stackName: 'app' });
    new Callfeed(stack, 'Call feed (téléphone)');
    const [name] = someOf(Template.fromStack(stack), 'AWS::Logs::LogGroup').flatMap(
      ([, log]) => log['LogGroupName'] ?? [],
    );

    expect(name).toBe('/aws/vendedlogs/app-Call-feed-t-l-phone-');
  });

  it.each([
    ['ap-southeast-4', undefined, 0],
    ['eu-west-1', 'ap-southeast-4', 1],
    [undefined, 'ap-southeast-4', 0],
    [undefined, undefined, 1],
  ])('in region %s, with credentials for %s, has %i registries of schemas', (region, ofCredentials, count) => {
    vi.stubEnv('CDK_DEFAULT_REGION', ofCredentials);
    const stack = new Stack(appFor(), 'App', region === undefined ? {} : { env: { region } });
    new Callfeed(stack, 'Callfeed');
    vi.unstubAllEnvs();

    expect(Object.keys(propertiesOf(Template.fromStack(stack), 'AWS::EventSchemas::Registry'))).toHaveLength(count);
  });

  it('can be created twice in a stack, each with its own metrics and settings', () => {
    const template = Template.fromStack(twice.stack);
    const variables = someOf(template, 'AWS::Lambda::Function').map(([, { Environment }]) => Environment.Variables);

    expect(second.node.path).toBe(`${twice.stack.stackName}/Second`);
    expect(new Set(variables.map(({ DEPLOYMENT }) => DEPLOYMENT))).toEqual(
      new Set([`${twice.stack.stackName}-Callfeed`, `${twice.stack.stackName}-Second`]),
    );
    expect(new Set(variables.map(({ CALL_RETENTION_DAYS }) => CALL_RETENTION_DAYS))).toEqual(
      new Set(['730', '9', undefined]),
    );
    expect(someOf(template, 'AWS::CloudWatch::Alarm').length).toBe(
      2 * someOf(Template.fromStack(plainOne.stack), 'AWS::CloudWatch::Alarm').length,
    );
  });
});

const newFolder = () => mkdtempSync(join(tmpdir(), 'callfeed-app-'));

/** What the CDK command line sets for the app. static-checks/templates.long.ts has the validation of templates, which takes seconds. */
const environmentOf = (outdir: string, context: object) => ({
  CDK_OUTDIR: outdir,
  CDK_CONTEXT_JSON: JSON.stringify(context),
  CDK_VALIDATION: 'false',
});

it('stops before synthesis at invalid settings of file and context: a sentence a line, no stack trace', async () => {
  const folder = newFolder();
  const outdir = newFolder();
  const settingsFile = join(folder, 'settings.json');
  writeFileSync(settingsFile, '{"callRetentionDays": 0}');
  const context = { settingsFile, tracing: 'yes', callbackSecret: 'short-SENTINEL' };

  expect(await runHere(() => import('../../cdk/app.ts'), { env: environmentOf(outdir, context) })).toEqual({
    code: 1,
    stdout: '',
    stderr: [
      'callRetentionDays must be a whole number of days from 1 to 3650.',
      'callbackSecret must be 16 to 128 characters that need no escape in an address: A-Z a-z 0-9 - . _ ~.',
      'tracing must be on or off.',
      '',
    ].join('\n'),
  });
  expect(readdirSync(outdir)).toEqual([]);
});

it('synthesises with all that adds resources, and prints nothing, not even a deprecation', async () => {
  const outdir = newFolder();
  const app = { ...cdkJson.context, settingsFile: '', 'aws:cdk:bundling-stacks': [] };
  const all = { subscriberAccounts: '111122223333', alarmEmail: 'ops@example.com', stage: 'test' };
  const env = { ...process.env, ...environmentOf(outdir, { ...app, ...all }) };

  expect(await promisify(execFile)(process.execPath, ['cdk/app.ts'], { env })).toEqual({ stdout: '', stderr: '' });
  expect(readdirSync(outdir)).toContain('manifest.json');
});
