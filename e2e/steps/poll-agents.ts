import { PurgeQueueCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { tickEntries } from '../../functions/poll-agents/ticks.ts';
import { rowsUnder } from '../cloud/rows.ts';
import { account } from '../examples.ts';
import { has, holds, mismatch, same } from '../runner/facts.ts';
import { until } from '../runner/until.ts';
import type { Stage } from '../stage.ts';

/** A slot, and what a slow machine may take. */
const aSlotSeconds = 30;

const scripted = ({ simulator }: Stage, steps: readonly object[]): void => {
  const outcome = simulator.script(JSON.stringify(steps));
  if (!outcome.ok) throw mismatch('The simulated floor can be changed', outcome.problem, 'that it can');
};

/** The agents' rows, by their ids, and the row that says how old they are. */
const floor = async ({ clients, outputs }: Stage) => {
  const rows = await rowsUnder(clients.dynamodb, outputs.AgentsTableName, { pk: account.userName });

  return {
    feed: rows.find(({ sk }) => sk === 'feed'),
    agents: Object.fromEntries(rows.flatMap(({ agentId, state }) => (agentId === undefined ? [] : [[agentId, state]]))),
  };
};

/**
 * MiniStack's Scheduler does not know the universal target that sends the ticks, so the schedule's batch is sent by hand:
 * the schedule itself is not tried here. What follows is the deployed queue, poller and tables.
 */
const sendTicks = async ({ clients, outputs }: Stage): Promise<void> => {
  const batch = { QueueUrl: outputs.TickQueueUrl, Entries: [...tickEntries] };
  const { Failed = [] } = await clients.sqs.send(new SendMessageBatchCommand(batch));
  same('The ticks that the queue refused', Failed, []);
};

/** Agents log in, change and log out at the simulated service, and the deployed poller tells of it. */
export const pollAgents = async (stage: Stage): Promise<void> => {
  scripted(stage, [
    { action: 'log-in', agentId: 'asha', state: 'READY', skills: ['Sales'] },
    { action: 'log-in', agentId: 'ravi', state: 'INCALL' },
  ]);
  // A schedule may fire twice: the second tick finds its slot taken.
  await sendTicks(stage);
  await sendTicks(stage);
  await until(
    'both agents have rows',
    () => floor(stage),
    ({ agents }) => agents['asha'] === 'ready' && agents['ravi'] === 'in-call',
    { seconds: aSlotSeconds },
  );

  scripted(stage, [
    { action: 'set-state', agentId: 'asha', state: 'PAUSE' },
    { action: 'log-out', agentId: 'ravi' },
  ]);
  const { feed } = await until(
    'one agent pauses and the other is gone',
    () => floor(stage),
    ({ agents }) => agents['asha'] === 'pause' && agents['ravi'] === undefined,
    { seconds: aSlotSeconds },
  );
  has('The row of the feed', feed, { status: 'live', agentCount: 1, unreadableRecords: 0 });
  checkRequests(stage);

  // What follows is not about polls.
  await stage.clients.sqs.send(new PurgeQueueCommand({ QueueUrl: stage.outputs.TickQueueUrl }));
};

/** Throws if the service was asked more often than it allows, or not in both slots. */
const checkRequests = ({ simulator }: Stage): void => {
  const asked = simulator.accounts()[account.userName];
  same('The offences against the limit of the service', asked?.offences, 0);
  holds('The service was asked at least twice', (asked?.requests ?? 0) >= 2, asked);
};
