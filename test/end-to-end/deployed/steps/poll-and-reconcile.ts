import { PurgeQueueCommand, SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import * as z from 'zod';
import { tickEntries } from '../../../../functions/poll-agents/ticks.ts';
import type { ReconcileMessage } from '../../../../functions/reconcile-calls/reconcile-calls.ts';
import { until } from '../../../support/process-tree.ts';
import { account, rowsUnder, type TestContext } from '../test-context.ts';

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

const CallsSent = z.object({ callIds: z.array(z.string()), posts: z.number() });

/** An hour ago: the callback of a call that has just ended may still be on its way. */
const anHourAgo = (): string => new Date(Date.now() - 60 * 60_000).toISOString();

/** Calls at the simulated service, none of whose callbacks is sent. Returns their ids. */
const makeLostCalls = async ({ simulator }: TestContext, count: number): Promise<readonly string[]> => {
  const body = JSON.stringify({ count, callbacks: 'none', at: anHourAgo() });
  const answer = await fetch(`${simulator.url}/_simulator/calls`, { method: 'POST', body });
  const { callIds, posts } = CallsSent.parse(await answer.json());
  expect(posts, 'The callbacks of calls that are lost').toStrictEqual(0);
  return callIds;
};

/**
 * Calls whose callbacks are lost become rows. As for ticks, the schedule's message is sent here; twice, since a schedule may
 * fire twice. Returns the ids of the calls.
 */
export const reconcileCalls = async (context: TestContext): Promise<readonly string[]> => {
  const { clients, outputs, simulator } = context;
  const callIds = await makeLostCalls(context, 3);
  const MessageBody = JSON.stringify({ kind: 'all' } satisfies ReconcileMessage);
  const begin = { QueueUrl: outputs.ReconciliationQueueUrl, MessageBody };
  await Promise.all([begin, begin].map((message) => clients.sqs.send(new SendMessageCommand(message))));

  const rowsOf = (callId: string) =>
    rowsUnder(clients.dynamodb, outputs.CallsTableName, { pk: `${account.userName}#${callId}` });
  const rows = await until(
    'calls of the report have rows',
    async () => (await Promise.all(callIds.map(rowsOf))).flat().filter(({ sk }) => sk === 'call'),
    ({ length }) => length === callIds.length,
    { seconds: 30 },
  );
  for (const { deliveries } of rows)
    expect(
      // One for each leg.
      [
        ...new Set(
          z
            .array(z.looseObject({}))
            .parse(deliveries)
            .map(({ source }) => source),
        ),
      ],
      'The sources of its deliveries',
    ).toStrictEqual(['report']);
  expect(
    simulator.accounts()[account.userName]?.reports.overLimit,
    'The requests of the report over its limit',
  ).toStrictEqual(0);
  return callIds;
};

/** Throws unless the events that a subscriber got for these calls say that only the report told of them. */
export const expectReported = async ({ subscriber }: TestContext, callIds: readonly string[]): Promise<void> => {
  const details = (await subscriber.events()).map(({ detail }) => detail);
  const found = details.filter(({ callId }) => callIds.includes(String(callId)));
  expect(
    found.map(({ source }) => source),
    'What their events say of the source',
  ).toStrictEqual(callIds.map(() => 'report'));
};
