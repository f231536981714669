import { endOfSlot, slotOf } from '../../functions/poll-agents/rate-limit.ts';
import { batches } from '../../lib/core/collections.ts';
import { ok } from '../../lib/core/result.ts';
import type { DeliveredEvent } from '../../sandbox/aws/event-bus.ts';
import type { Handle } from '../../sandbox/frame/serve.ts';
import type { FaultInjector } from '../../test/deployment/functions.ts';
import { createEnvironment } from '../../test/deployment/world.ts';
import type { LocalTables } from '../../test/support/dynamodb-local.ts';
import { formOf, httpApiEvent } from '../../test/support/local-servers.ts';
import { type Counts, sum } from '../meter/counts.ts';
import { meteredTables } from '../meter/metered-tables.ts';
import { type RowWrite, storedBytes, streamRecords } from '../meter/row-writes.ts';
import type { Deployed } from './deployed.ts';
import type { Worker } from './lambda.ts';
import { priceList } from './prices.ts';
import { milliseconds } from './scenario.ts';

/** Far ahead, as DynamoDB Local would remove rows that have expired by the clock of the machine. */
const startedAt = '2040-01-02T06:00:00.000Z';

/** The size of one request of an HTTP API. https://aws.amazon.com/api-gateway/pricing/ */
const requestBytes = 512 * 1024;

export type Emitted = Pick<Deployed, 'deployment' | 'subscription'>;

/** An entry counts with 14 bytes for its time. https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html */
const countsOf = (event: DeliveredEvent): Partial<Counts> => ({
  events: 1,
  eventChunks: Math.ceil(
    (14 + Buffer.byteLength(event.source + event['detail-type'] + JSON.stringify(event.detail))) / (64 * 1024),
  ),
  // As an archive stores it, and as a subscriber gets it.
  eventBytes: Buffer.byteLength(JSON.stringify({ ...event, region: priceList.region })),
});

/** What was consumed and changed since it was taken last, and what failed. */
interface Tally {
  readonly parts: Partial<Counts>[];
  readonly changed: RowWrite[];
  readonly problems: string[];
  running: Worker;
}

const addWait = ({ parts, running }: Tally, ms: number): void => {
  parts.push({ [`${running}WaitMs`]: ms });
};

const meteringHandle = (tables: LocalTables, tally: Tally, now: () => Date): Handle => {
  const metered = meteredTables(tables.handle, tables.declarations);
  return async (request) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    // The publisher writes the time of the latest callback once a minute: the month has it.
    if (operation === 'UpdateItem') return { status: 200, body: '{}' };
    tally.parts.push({ dynamodbCalls: 1 });
    addWait(tally, milliseconds.dynamodbCall);
    try {
      const { answer, consumed } = await metered({ operation, input: JSON.parse(request.body.toString()) }, request);
      tally.parts.push(consumed.counts, ...consumed.writes.map((write) => storedBytes(write, now())));
      tally.changed.push(...consumed.writes);
      return answer;
    } catch (error) {
      tally.problems.push(String(error));
      throw error;
    }
  };
};

/** Lets every call pass, and counts it. */
const meteringFaults =
  (tally: Tally): FaultInjector =>
  ({ service }) => {
    if (service === 'eventbridge') addWait(tally, milliseconds.busCall);
    else if (service === 'telephony') {
      tally.parts.push({ serviceCalls: 1 });
      addWait(tally, milliseconds.serviceCall);
    } else if (service !== 'dynamodb') tally.problems.push(`Something called ${service}`);
    return 'pass';
  };

/**
 * Runs the functions for one account over tables without its rows, and counts what they consume. The account's service answers
 * with `answer`.
 */
export const startCounting = (
  tables: LocalTables,
  { deployment, subscription }: Emitted,
  userName: string,
  answer = () => '',
) => {
  const tally: Tally = { parts: [], changed: [], problems: [], running: 'receiver' };
  const { parts, changed, problems } = tally;
  const account = { userName, apiKeys: ['demo-key'], timeZone: 'UTC', baseUrl: 'https://service.invalid' };
  const dynamodb = meteringHandle(tables, tally, () => world.now());
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
  const start = () => world.start(meteringFaults(tally), { pause });
  const first = start();

  const publish = async (): Promise<void> => {
    tally.running = 'publisher';
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
      tally.running = 'receiver';
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
        tally.running = 'poller';
        return counted(world.tick(process));
      };
    },
  };
};
