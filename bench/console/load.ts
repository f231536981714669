import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createCallfeedClient } from '../../lib/client/index.ts';
import { localClient, tableNames } from '../../sandbox/local-aws.ts';
import { demoAccount } from '../../sandbox/sandbox-options.ts';
import { pick, seededRandom } from '../../sandbox/simulator/random.ts';
import type { SandboxChild } from '../../test/faults/endurance/sandbox-child.ts';
import { until } from '../../test/support/until.ts';
import { callNumbered } from '../examples.ts';

/** How much happens: agents that are logged in, those of them that change between two polls, and calls a second. */
export interface LoadSize {
  readonly agents: number;
  readonly changing: number;
  readonly callsASecond: number;
}

/** What the sandbox carried since the load began. */
export interface Carried {
  readonly seconds: number;
  /** Calls in the table. */
  readonly stored: number;
  /** Posts that were parked, rejected or not answered, and those that were left out because too many waited. */
  readonly notStored: number;
  /** Polls that brought the floor up to date. */
  readonly polls: number;
  /** Why the load ended before it was stopped. */
  readonly problem: string | undefined;
}

const { userName: account, timeZone } = demoAccount;
const slotMs = 15_000;
const maxInFlight = 200;
const states = ['READY', 'INCALL', 'ACW', 'PAUSE', 'BUSY', 'calling'];
const skills = ['Sales', 'Support', 'Billing', 'Claims', 'Renewals', 'General'];
/** The first floor of thousands is written over several polls. */
const logInWithin = { seconds: 240, everyMilliseconds: 1_000 };

const meanCallMs = 180_000;

/** This one changes between any two polls. */
export const busiestAgent = 'agent-0000';
const agentName = (index: number): string => `agent-${String(index).padStart(4, '0')}`;

/** A time on the account's clocks, as the service writes it. */
const localTime = (ms: number): string => new Date(ms).toLocaleString('sv-SE', { timeZone });

/** A call of an agent that ends now. Long calls began before short ones that are in the table already. */
const justEnded = (number: number, agent: string, lastedMs: number): string =>
  callNumbered(number)
    .replace('"asha"', `"${agent}"`)
    .replace(/(?<="StartTime": ")[^"]+/, localTime(Date.now() - lastedMs))
    .replace(/(?<="EndTime": ")[^"]+/, localTime(Date.now()));

/**
 * Logs the agents in at the simulated service, and waits until all have their rows. From then on agents change before each
 * poll, and calls are posted as they end, until it is stopped. The deployed functions write every row.
 */
export const startLoad = async ({ addresses }: SandboxChild, { agents, changing, callsASecond }: LoadSize) => {
  const random = seededRandom(42);
  const dynamodb = new DynamoDBClient(localClient(addresses.dynamodb));
  const client = createCallfeedClient({ dynamodb, tables: tableNames, account });
  const script = async (steps: readonly object[]): Promise<void> => {
    const answer = await fetch(addresses.agents, { method: 'POST', body: JSON.stringify(steps) });
    if (!answer.ok) throw new Error(`The sandbox rejected a change of agents: ${await answer.text()}`);
  };
  await script(
    Array.from({ length: agents }, (_, index) => ({
      ...{ action: 'log-in', agentId: agentName(index), state: pick(random, states) },
      ...{
        name: `Somebody with a name of average length ${index}`,
        skills: [...new Set([pick(random, skills), 'General'])],
      },
    })),
  );
  const written = async () => (await client.feed()).feed?.agentCount;
  await until(`${agents} agents have their rows`, written, (count) => count === agents, logInWithin);

  const stopping = new AbortController();
  const wait = (ms: number) => pause(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  const startedAt = performance.now();
  const polledAt = new Set<string>();
  let [number, stored, notStored, inFlight, turn] = [0, 0, 0, 0, 0];

  /** All take turns, so that everyone changes at some time. */
  const nextAgent = (): string => {
    turn += 1;
    return agentName(1 + (turn % (agents - 1)));
  };
  const changeAgents = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const names = [busiestAgent, ...Array.from({ length: changing - 1 }, nextAgent)];
      await script(names.map((agentId) => ({ action: 'set-state', agentId, state: pick(random, states) })));
      await wait(slotMs);
      polledAt.add((await client.feed()).feed?.asOf ?? '');
    }
  };
  const postCall = async (): Promise<void> => {
    number += 1;
    const agent = number % 500 === 0 ? busiestAgent : agentName(number % agents);
    const data = justEnded(number, agent, -Math.log(1 - random()) * meanCallMs);
    inFlight += 1;
    const isStored = await fetch(addresses.callbacks, { method: 'POST', body: new URLSearchParams({ data }) })
      .then((answer) => answer.json())
      .then(
        (counts) => Object(counts).stored === 1,
        () => false,
      );
    inFlight -= 1;
    if (isStored) stored += 1;
    else notStored += 1;
  };
  const postCalls = async (): Promise<void> => {
    for (let dueAt = startedAt; !stopping.signal.aborted; dueAt += 1_000 / callsASecond) {
      const early = dueAt - performance.now();
      if (early > 0) await wait(early);
      if (inFlight < maxInFlight) void postCall();
      else notStored += 1;
    }
  };
  let problem: string | undefined;
  const running = Promise.all([changeAgents(), postCalls()]).catch((error: unknown) => {
    problem = String(error);
    stopping.abort();
  });
  return {
    carried: (): Carried => ({
      seconds: (performance.now() - startedAt) / 1_000,
      ...{ stored, notStored, polls: polledAt.size, problem },
    }),
    async stop() {
      stopping.abort();
      await running;
      dynamodb.destroy();
    },
  };
};
