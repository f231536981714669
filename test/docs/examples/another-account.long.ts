import { expect, it } from 'vitest';
import { exampleBesideSandbox } from './support/example-project.ts';

const owner = 'eu-west-1:111122223333';
const context = {
  busArn: `arn:aws:events:${owner}:event-bus/callfeed-prod`,
  callsTableArn: `arn:aws:dynamodb:${owner}:table/calls`,
  agentsTableArn: `arn:aws:dynamodb:${owner}:table/agents`,
  keyArn: `arn:aws:kms:${owner}:key/1234abcd-12ab-34cd-56ef-1234567890ab`,
};
const { ofType, example, environment, ...sandbox } = exampleBesideSandbox('another-account', {
  ...{ stack: 'repeat-callers', context, account: '444455556666' },
});

it('its rule on the bus of Callfeed sends to a bus only, and its function may read tables and key', () => {
  const rules = ofType('AWS::Events::Rule');
  const [foreign, ...others] = rules.filter(({ EventBusName }) => EventBusName === context.busArn);
  const [bus] = foreign?.['Targets'] ?? [];
  const resources = JSON.stringify(ofType('AWS::IAM::Policy').map(({ PolicyDocument }) => PolicyDocument));

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
    sandbox.post(callId, { ...missed, ...changes });
  await post('1', { CallerID: '09000000045' });
  await post('2', { StartTime: '2026-11-19 10:00:00', EndTime: '2026-11-19 10:02:00' });
  await post('3', {});
  await post('4', {});
  const events = (await sandbox.published(4)).map((line) => JSON.parse(line));
  const event = events.find(({ detail }) => detail.callId === '4');

  const tables = { CALLS_TABLE: 'callfeed-calls', AGENTS_TABLE: 'callfeed-agents' };
  const { lines, errors } = await example().invoke(event, environment(tables));

  expect([lines[0], errors]).toEqual([{ message: 'call missed', callId: '4', callsInADay: 2 }, '']);
});
