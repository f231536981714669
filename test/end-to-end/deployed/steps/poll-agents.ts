import { PurgeQueueCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import { tickEntries } from '../../../../functions/poll-agents/ticks.ts';
import { until } from '../../../support/until.ts';
import { rowsUnder } from '../clients.ts';
import { account } from '../fixtures.ts';
import type { TestContext } from '../test-context.ts';

/** A slot of 15 seconds, and the time that a slow machine may need. */
const slotTimeoutSeconds = 30;

const runScript = ({ simulator }: TestContext, steps: readonly object[]): void => {
  expect(simulator.script(JSON.stringify(steps)), 'The script of the simulated agents').toMatchObject({ ok: true });
};

/** The states of the agents' rows, by agent, and the feed's row. */
const readAgents = async ({ clients, outputs }: TestContext) => {
  const rows = await rowsUnder(clients.dynamodb, outputs.AgentsTableName, { pk: account.userName });

  return {
    feed: rows.find(({ sk }) => sk === 'feed'),
    agents: Object.fromEntries(rows.flatMap(({ agentId, state }) => (agentId === undefined ? [] : [[agentId, state]]))),
  };
};

/**
 * MiniStack's Scheduler does not support the universal target that sends the ticks. So the schedule's batch is sent here,
 * and the schedule itself is not tested. Queue, poller and tables are the deployed ones.
 */
const sendTicks = async ({ clients, outputs }: TestContext): Promise<void> => {
  const batch = { QueueUrl: outputs.TickQueueUrl, Entries: [...tickEntries] };
  const { Failed = [] } = await clients.sqs.send(new SendMessageBatchCommand(batch));
  expect(Failed, 'The ticks that the queue rejected').toStrictEqual([]);
};

/** Agents log in, change and log out at the simulated service, and the deployed poller writes it to their rows. */
export const pollAgents = async (context: TestContext): Promise<void> => {
  runScript(context, [
    { action: 'log-in', agentId: 'asha', state: 'READY', skills: ['Sales'] },
    { action: 'log-in', agentId: 'ravi', state: 'INCALL' },
  ]);
  // A schedule may fire twice: the second tick finds its slot already polled.
  await sendTicks(context);
  await sendTicks(context);
  await until(
    'both agents have rows',
    () => readAgents(context),
    ({ agents }) => agents['asha'] === 'ready' && agents['ravi'] === 'in-call',
    { seconds: slotTimeoutSeconds },
  );

  runScript(context, [
    { action: 'set-state', agentId: 'asha', state: 'PAUSE' },
    { action: 'log-out', agentId: 'ravi' },
  ]);
  const { feed } = await until(
    'one agent pauses and the other is gone',
    () => readAgents(context),
    ({ agents }) => agents['asha'] === 'pause' && agents['ravi'] === undefined,
    { seconds: slotTimeoutSeconds },
  );
  expect(feed, 'The row of the feed').toMatchObject({ status: 'live', agentCount: 1, unreadableRecords: 0 });
  checkRequests(context);

  // The next steps are not about polls.
  await context.clients.sqs.send(new PurgeQueueCommand({ QueueUrl: context.outputs.TickQueueUrl }));
};

/** Polls once more: what another version stored of the agents goes on, and nobody has changed. */
export const pollAgain = async (context: TestContext): Promise<void> => {
  const before = await readAgents(context);
  await sendTicks(context);
  const { agents } = await until(
    'the agents are polled again',
    () => readAgents(context),
    ({ feed }) => String(feed?.['asOf']) > String(before.feed?.['asOf']),
    { seconds: slotTimeoutSeconds },
  );
  expect(agents, 'The states of the agents').toStrictEqual(before.agents);
  checkRequests(context);
  await context.clients.sqs.send(new PurgeQueueCommand({ QueueUrl: context.outputs.TickQueueUrl }));
};

/** Throws if the service got more requests than it allows, or fewer than one in each slot. */
const checkRequests = ({ simulator }: TestContext): void => {
  const report = simulator.accounts()[account.userName];
  expect(report?.overLimit, 'The requests over the limit of the service').toStrictEqual(0);
  expect(report?.requests, 'The requests that the service got').toBeGreaterThanOrEqual(2);
};
