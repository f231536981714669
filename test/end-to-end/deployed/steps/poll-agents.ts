import { PurgeQueueCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { tickEntries } from '../../../../functions/poll-agents/ticks.ts';
import { expectEqual, expectFields, expectThat, mismatch, until } from '../assertions.ts';
import { rowsUnder } from '../clients.ts';
import { account } from '../fixtures.ts';
import type { TestContext } from '../test-context.ts';

/** A slot, and what a slow machine may take. */
const slotTimeoutSeconds = 30;

const runScript = ({ simulator }: TestContext, steps: readonly object[]): void => {
  const outcome = simulator.script(JSON.stringify(steps));
  if (!outcome.ok) throw mismatch('The simulated floor can be changed', outcome.problem, 'that it can');
};

/** The agents' rows, by their ids, and the row that says how old they are. */
const readAgents = async ({ clients, outputs }: TestContext) => {
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
const sendTicks = async ({ clients, outputs }: TestContext): Promise<void> => {
  const batch = { QueueUrl: outputs.TickQueueUrl, Entries: [...tickEntries] };
  const { Failed = [] } = await clients.sqs.send(new SendMessageBatchCommand(batch));
  expectEqual('The ticks that the queue refused', Failed, []);
};

/** Agents log in, change and log out at the simulated service, and the deployed poller tells of it. */
export const pollAgents = async (stage: TestContext): Promise<void> => {
  runScript(stage, [
    { action: 'log-in', agentId: 'asha', state: 'READY', skills: ['Sales'] },
    { action: 'log-in', agentId: 'ravi', state: 'INCALL' },
  ]);
  // A schedule may fire twice: the second tick finds its slot taken.
  await sendTicks(stage);
  await sendTicks(stage);
  await until(
    'both agents have rows',
    () => readAgents(stage),
    ({ agents }) => agents['asha'] === 'ready' && agents['ravi'] === 'in-call',
    { seconds: slotTimeoutSeconds },
  );

  runScript(stage, [
    { action: 'set-state', agentId: 'asha', state: 'PAUSE' },
    { action: 'log-out', agentId: 'ravi' },
  ]);
  const { feed } = await until(
    'one agent pauses and the other is gone',
    () => readAgents(stage),
    ({ agents }) => agents['asha'] === 'pause' && agents['ravi'] === undefined,
    { seconds: slotTimeoutSeconds },
  );
  expectFields('The row of the feed', feed, { status: 'live', agentCount: 1, unreadableRecords: 0 });
  checkRequests(stage);

  // What follows is not about polls.
  await stage.clients.sqs.send(new PurgeQueueCommand({ QueueUrl: stage.outputs.TickQueueUrl }));
};

/** Throws if the service was asked more often than it allows, or not in both slots. */
const checkRequests = ({ simulator }: TestContext): void => {
  const asked = simulator.accounts()[account.userName];
  expectEqual('The offences against the limit of the service', asked?.overLimit, 0);
  expectThat('The service was asked at least twice', (asked?.requests ?? 0) >= 2, asked);
};
