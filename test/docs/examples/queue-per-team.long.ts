import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { compile } from '../../package/support.ts';
import { demoCall, postCall, published } from '../../support/sandbox.ts';
import { matches } from '../contract/support/event-bridge.ts';
import { type SynthesisedExample, synthesisedExample } from './support/example-project.ts';

/** Compilers and CDK are slow on a busy machine. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let example: SynthesisedExample;
let sandbox: Sandbox;

beforeAll(async () => {
  example = await synthesisedExample('queue-per-team', 'queue-per-team', { context: { stage: 'prod' } });
  sandbox = await startSandbox({ port: 0, dynamodbPort: 0, providerPort: 0, traffic: false, polling: false });
});
afterAll(() => sandbox?.stop());

/** The names of the queues that an event goes to. */
const queuesOf = (event: object): readonly string[] =>
  example
    .ofType('AWS::Events::Rule')
    .filter(({ EventPattern }) => matches(EventPattern, event))
    .flatMap(({ Targets }) =>
      Targets.map(({ Arn }: { Arn: { 'Fn::GetAtt': readonly [string] } }) => Arn['Fn::GetAtt'][0]),
    )
    .map((logicalId: string) => logicalId.replace(/[0-9A-F]{8}$/, ''));

it('the stack compiles, and every queue has the dead letters', async () => {
  const queues = example.ofType('AWS::SQS::Queue');

  expect(await compile(example.project)).toEqual({ code: 0, output: '', errors: '' });
  expect(queues.map(({ RedrivePolicy }) => RedrivePolicy?.maxReceiveCount)).toEqual([undefined, 5, 5, 5]);
  for (const { Targets } of example.ofType('AWS::Events::Rule'))
    expect(Targets).toEqual([expect.objectContaining({ DeadLetterConfig: { Arn: expect.anything() } })]);
});

it('refuses a skill of two teams', async () => {
  const { QueuePerTeamStack } = await import(pathToFileURL(join(example.project, 'queue-per-team-stack.ts')).href);
  const stackOf = (teams: object) => new QueuePerTeamStack(new App(), 'stack', { stage: 'prod', teams });

  expect(() => stackOf({ One: ['Sales', 'Returns'], Two: ['General', 'Sales'] })).toThrow(
    'More than one team has the skill Sales.',
  );
  expect(() => stackOf({ One: ['Sales'], Two: ['General'] })).not.toThrow();
});

it('every call is in exactly one queue, by the skill of its first event', async () => {
  const skills: readonly (readonly [string, string])[] = [
    ['Sales', 'Sales'],
    ['Sales Hindi', 'Sales'],
    ['General', 'Support'],
    ['Returns', 'Support'],
    ['sales', 'Rest'],
    ['Sales ', 'Sales'],
    ['Billing', 'Rest'],
    ['*', 'Rest'],
    ['', 'Rest'],
  ];
  const post = (callId: string, changes: Readonly<Record<string, string>>) =>
    postCall(sandbox.addresses.callbacks, demoCall(callId, changes));
  for (const [index, [Skill]] of skills.entries()) await post(`90000000000000000${index}`, { Skill });
  await post('900000000000000008', { Skill: 'Returns' });
  const lastId = '900000000000000010';
  await post(lastId, { Skill: 'Returns', Type: 'Manual', Status: '' });
  const events = (await published(sandbox, skills.length + 2)).map((line) => JSON.parse(line));

  const placed = events.map((event) => [event.detail.callId, event.detail.revision, queuesOf(event)]);
  expect(placed).toEqual([
    ...skills.map(([, queue], index) => [`90000000000000000${index}`, 1, [queue]]),
    ['900000000000000008', 2, []],
    [lastId, 1, ['Support']],
  ]);
});
