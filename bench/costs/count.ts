import { endOfSlot, slotOf } from '../../functions/poll-agents/rate-limit.ts';
import { batches } from '../../lib/core/collections.ts';
import { parseJson } from '../../lib/core/json.ts';
import { ok } from '../../lib/core/result.ts';
import type { DeliveredEvent } from '../../sandbox/aws/event-bus.ts';
import type { Handle } from '../../sandbox/frame/serve.ts';
import type { FaultInjector } from '../../test/deployment/functions.ts';
import { createEnvironment } from '../../test/deployment/world.ts';
import type { LocalTables } from '../../test/support/dynamodb-local.ts';
import { formOf, httpApiEvent } from '../../test/support/local-servers.ts';
import { callNumbered, example, justEnded, simulatedAgents } from '../functions.ts';
import { type Counts, difference, sum } from '../meter/counts.ts';
import { meteredTables } from '../meter/metered-tables.ts';
import { type RowWrite, storedBytes, streamRecords } from '../meter/row-writes.ts';
import type { Deployed } from './deployed.ts';
import type { Worker } from './lambda.ts';
import { milliseconds, priceList } from './prices.ts';

/** Far ahead, as DynamoDB Local would remove rows that have expired by the clock of the machine. */
const startedAt = '2040-01-02T06:00:00.000Z';

/** The size of one request of an HTTP API. https://aws.amazon.com/api-gateway/pricing/ */
const requestBytes = 512 * 1024;

type Emitted = Pick<Deployed, 'deployment' | 'subscription'>;

/** An entry counts with 14 bytes for its time. https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html */
const countsOf = (event: DeliveredEvent): Partial<Counts> => ({
  events: 1,
  eventChunks: Math.ceil(
    (14 + Buffer.byteLength(event.source + event['detail-type'] + JSON.stringify(event.detail))) / (64 * 1024),
  ),
  // As an archive stores it, and as a subscriber gets it.
  eventBytes: Buffer.byteLength(JSON.stringify({ ...event, region: priceList.region })),
});

/**
 * The functions for one account as the driver of tests runs them, over tables that had no row of that account. Everything
 * that they consume is counted. The account's service gives `answer`.
 */
const startCounting = (
  tables: LocalTables,
  { deployment, subscription }: Emitted,
  userName: string,
  answer = () => '',
) => {
  const parts: Partial<Counts>[] = [];
  const changed: RowWrite[] = [];
  const problems: string[] = [];
  let running: Worker = 'receiver';
  const wait = (ms: number): void => void parts.push({ [`${running}WaitMs`]: ms });
  const metered = meteredTables(tables.handle, tables.declarations);

  const dynamodb: Handle = async (request) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    // The publisher writes the time of the latest callback once a minute: the month has it.
    if (operation === 'UpdateItem') return { status: 200, body: '{}' };
    parts.push({ dynamodbCalls: 1 });
    wait(milliseconds.dynamodbCall);
    try {
      const { answer, consumed } = await metered({ operation, input: JSON.parse(request.body.toString()) }, request);
      parts.push(consumed.counts, ...consumed.writes.map((write) => storedBytes(write, world.now())));
      changed.push(...consumed.writes);
      return answer;
    } catch (error) {
      problems.push(String(error));
      throw error;
    }
  };
  const count: FaultInjector = ({ service }) => {
    if (service === 'eventbridge') wait(milliseconds.busCall);
    else if (service === 'telephony') {
      parts.push({ serviceCalls: 1 });
      wait(milliseconds.serviceCall);
    } else if (service !== 'dynamodb') problems.push(`Something called ${service}`);
    return 'pass';
  };
  const account = { userName, apiKeys: ['demo-key'], timeZone: 'UTC', baseUrl: 'https://service.invalid' };
  const world = createEnvironment(dynamodb, {
    startedAt,
    accounts: [{ ...account, token: { kind: 'none' } }],
    env: tables.env,
    monitored: { deployment },
    telephony: { post: async () => ok({ status: 200, text: answer() }) },
    onLine(line) {
      if (line.includes('"level":"error"')) problems.push(line);
      parts.push({ logBytes: Buffer.byteLength(line.trimEnd()) });
    },
  });
  const pause = () => Promise.reject(new Error('No poll has to wait for another one'));
  const start = () => world.start(count, { pause });
  const first = start();

  const publish = async (): Promise<void> => {
    running = 'publisher';
    const records = streamRecords(changed.splice(0));
    const { batchSize, parallelizationFactor } = subscription;
    // The rows of one piece of work are spread over all parallel batches: that makes the most runs.
    const parallel = Map.groupBy(records, (record) => records.indexOf(record) % parallelizationFactor);
    for (const some of parallel.values())
      for (const batch of batches(some, ({ length }) => length < batchSize)) {
        parts.push({ publisherRuns: 1 });
        await first.publish({ Records: [...batch] });
      }
    parts.push(...world.takeEvents().map(countsOf));
  };
  /** What a piece of work takes, with the publishing of its changes. Throws if something failed: then it was not the usual work. */
  const counted = async (work: Promise<unknown>): Promise<Counts> => {
    await work;
    await publish();
    if (problems.length > 0) throw new Error(`The counted work failed:\n${problems.join('\n')}`);
    return sum(...parts.splice(0).map((part) => [1, part] as const));
  };

  return {
    now: world.now,
    goToNextSlot: () => world.advance(endOfSlot(slotOf(world.now())) - world.now().getTime()),
    async post(data: string): Promise<Counts> {
      const body = formOf(data);
      parts.push({ apiRequests: Math.ceil(Buffer.byteLength(body) / requestBytes), receiverRuns: 1 });
      running = 'receiver';
      const reply = world.post(first, httpApiEvent({ body })).then((reply) => {
        if (reply?.statusCode !== 200) problems.push(`A callback was answered with ${JSON.stringify(reply)}`);
      });
      return counted(reply);
    },
    /** A process that polls at a tick, besides any other. */
    startPoller() {
      const process = start();
      return (): Promise<Counts> => {
        parts.push({ pollerRuns: 1 });
        running = 'poller';
        return counted(world.tick(process));
      };
    },
  };
};

/** What each kind of callback takes, and a posted list if there is one. */
const countCallbacks = async (tables: LocalTables, emitted: Emitted, list: string | undefined) => {
  const { post: postAsItIs, now } = startCounting(tables, emitted, 'demo');
  const post = (data: string) => postAsItIs(justEnded(data, now()));
  const summary = example('call-summary');
  const first = await post(summary);
  const repeat = await post(summary);
  const revision = await post(example('with-disposition'));
  const both = parseJson(example('advanced-callback'));
  if (!both.ok || !Array.isArray(both.value)) throw new Error('The advanced callback is not a list any more');
  const call = JSON.stringify(both.value.slice(0, 1));
  const transferred = await post(call);
  const again = await post(call);
  // What a participant adds to the callback of its call.
  const participant = difference(await post(JSON.stringify(both.value)), again);
  // A new call that is recorded long after its start.
  const late = await postAsItIs(callNumbered(999_999_999));
  const calls = { first, late, repeat, revision, transferred, participant };
  return { calls, posted: list === undefined ? undefined : await post(list) };
};

/** Polls of some agents: at each, as many of them have changed as `changes` says. */
export interface PollScenario {
  readonly agents: number;
  readonly changes: readonly number[];
}

/** What polls of an account by two processes take: what the one has written, the other's memory lacks. */
const countPolls = async (tables: LocalTables, emitted: Emitted, { agents, changes }: PollScenario) => {
  const { answer, change } = simulatedAgents(agents);
  const { goToNextSlot, startPoller } = startCounting(tables, emitted, `account-${agents}`, answer);
  const processes = [startPoller(), startPoller()] as const;
  const poll = (process: 0 | 1) => {
    goToNextSlot();
    return processes[process]();
  };
  // All agents log in, the feed's row gets its usual length, and the second process reads the agents.
  for (const process of [0, 0, 0, 0, 1, 0] as const) await poll(process);

  const unchanged = await poll(0);
  // A second tick in a slot that was already polled.
  const taken = await processes[1]();
  const changed = new Map<number, Counts>();
  for (const count of changes) {
    change(count);
    changed.set(count, await poll(0));
  }
  await poll(1);
  await poll(0);
  return { agents, unchanged, taken, changed, byAnother: await poll(1) };
};

/** Runs the functions on each kind of work, and counts. `onProgress` is called with the current activity. */
export const countAll = async (
  tables: LocalTables,
  emitted: Emitted,
  scenarios: readonly PollScenario[],
  { list, onProgress = () => undefined }: { readonly list?: string; readonly onProgress?: (what: string) => void } = {},
) => {
  onProgress('counting callbacks');
  const ofCallbacks = await countCallbacks(tables, emitted, list);
  const polls: Awaited<ReturnType<typeof countPolls>>[] = [];
  for (const scenario of scenarios) {
    onProgress(`counting polls of ${scenario.agents} agents`);
    polls.push(await countPolls(tables, emitted, scenario));
  }
  return { ...ofCallbacks, polls };
};

/** What was counted: of the kinds of callbacks, of a posted list, and of polls from the fewest agents to the most. */
export type Counted = Awaited<ReturnType<typeof countAll>>;
