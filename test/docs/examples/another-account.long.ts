import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { compile } from '../../package/support.ts';
import { demoCall, postCall, published } from '../../support/sandbox.ts';
import { type SynthesisedExample, sandboxEnvironment, synthesisedExample } from './support/example-project.ts';

/** Compilers and CDK are slow on a busy machine. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const owner = 'eu-west-1:111122223333';
const context = {
  busArn: `arn:aws:events:${owner}:event-bus/callfeed-prod`,
  callsTableArn: `arn:aws:dynamodb:${owner}:table/calls`,
  agentsTableArn: `arn:aws:dynamodb:${owner}:table/agents`,
  keyArn: `arn:aws:kms:${owner}:key/1234abcd-12ab-34cd-56ef-1234567890ab`,
};
let example: SynthesisedExample;
let sandbox: Sandbox;

beforeAll(async () => {
  example = await synthesisedExample('another-account', 'repeat-callers', { context, account: '444455556666' });
  sandbox = await startSandbox({ port: 0, dynamodbPort: 0, providerPort: 0, traffic: false, polling: false });
});
afterAll(() => sandbox?.stop());

it('the stack for another account compiles', async () => {
  expect(await compile(example.project)).toEqual({ code: 0, output: '', errors: '' });
});

it('its rule on the bus of Callfeed sends to a bus only, and its function may read tables and key', () => {
  const rules = example.ofType('AWS::Events::Rule');
  const [foreign, ...others] = rules.filter(({ EventBusName }) => EventBusName === context.busArn);
  const [bus] = foreign?.['Targets'] ?? [];
  const resources = JSON.stringify(example.ofType('AWS::IAM::Policy').map(({ PolicyDocument }) => PolicyDocument));

  expect([rules.length, others]).toEqual([2, []]);
  expect(bus).toMatchObject({
    Arn: { 'Fn::GetAtt': [expect.stringContaining('Bus'), 'Arn'] },
    RoleArn: expect.anything(),
  });
  for (const arn of Object.values(context).slice(1)) expect(resources).toContain(`"${arn}"`);
});

it('its function counts the calls of the customer in the day up to the missed one', async () => {
  const missed = { Status: 'NotAnswered', CallerID: '09000000044', AgentID: '' };
  const post = (callId: string, changes: Readonly<Record<string, string>>) =>
    postCall(sandbox.addresses.callbacks, demoCall(callId, { ...missed, ...changes }));
  await post('1', { CallerID: '09000000045' });
  await post('2', { StartTime: '2026-11-19 10:00:00', EndTime: '2026-11-19 10:02:00' });
  await post('3', {});
  await post('4', {});
  const events = (await published(sandbox, 4)).map((line) => JSON.parse(line));
  const event = events.find(({ detail }) => detail.callId === '4');

  const tables = { CALLS_TABLE: 'callfeed-calls', AGENTS_TABLE: 'callfeed-agents' };
  const variables = sandboxEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: sandbox.addresses.dynamodb, ...tables });
  const { lines, errors } = await example.invoke(event, variables);

  expect([lines[0], errors]).toEqual([{ message: 'call missed', callId: '4', callsInADay: 2 }, '']);
});
