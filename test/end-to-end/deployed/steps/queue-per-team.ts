import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import { until } from '../../../support/until.ts';
import { callSummary } from '../fixtures.ts';
import type { DeployedExample } from '../from-package.ts';
import { Event, type TestContext } from '../test-context.ts';

const skills = { Sales: 'Sales Hindi', Support: 'Returns', Rest: 'Billing' } as const;

/** The example with a queue for each team, deployed: each call is in the queue of its skill, once, though it is posted twice. */
export const queuePerTeam = async (
  { api, clients: { sqs } }: TestContext,
  { outputs, destroy }: DeployedExample,
  callIds: Readonly<Record<keyof typeof skills, string>>,
): Promise<void> => {
  const teams = ['Sales', 'Support', 'Rest'] as const;
  const summaryFor = (team: (typeof teams)[number]) =>
    callSummary(callIds[team])
      .replaceAll('2026-11-20', '2026-11-12')
      .replace('"Type"', `"Skill":"${skills[team]}","Type"`);
  for (const team of [...teams, ...teams])
    expect((await api.post(summaryFor(team))).status, `The answer to a call of ${team}`).toStrictEqual(200);

  const received = new Map<string, unknown[]>(teams.map((team) => [team, []]));
  const receive = async () => {
    for (const [team, ids] of received) {
      const QueueUrl = outputs[`${team}QueueUrl`];
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
      for (const { Body = '', ReceiptHandle } of Messages) {
        ids.push(Event.parse(JSON.parse(Body)).detail['callId']);
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
    }
    return [...received.values()];
  };
  await until('each team has its call', receive, (lists) => lists.every(({ length }) => length > 0));
  await receive();
  expect(Object.fromEntries(received), 'The calls in the queues').toStrictEqual(
    Object.fromEntries(teams.map((team) => [team, [callIds[team]]])),
  );
  await destroy();
};
