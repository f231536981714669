import { queueSources } from '../../functions/event-sources.ts';
import { scheduleMinutes, tickEntries } from '../../functions/poll-agents/ticks.ts';
import { agentsTable, callsTable } from '../../lib/storage/tables.ts';
import { fileIn } from '../frame/data-folder.ts';
import { startSchedule } from '../frame/lifecycle.ts';
import type { Variables } from '../functions/function-environment.ts';
import type { Queue } from '../queue/queue.ts';
import { startS3 } from '../s3/s3-endpoint.ts';
import {
  type Added,
  type AwsParts,
  createReaders,
  type LocalAws,
  type SandboxFeature,
  startBus,
  startQueues,
  visibilityMilliseconds,
} from './aws-parts.ts';
import { deployedDeadLetterSeconds } from './sandbox-options.ts';

export const startAws = async (parts: AwsParts, features: readonly SandboxFeature[]) => {
  const queues = await startQueues(parts);
  const s3 = await startS3(fileIn(parts.options.data, 'recordings'), parts.closers);
  const bus = await startBus(parts);
  const readers = createReaders(parts);
  const aws = { ...parts, ...queues, log: bus.log, ...readers };
  const added: Added[] = [];
  for (const feature of features) added.push(await feature(aws));
  const own = addOwnParts(
    aws,
    added.flatMap(({ published = [] }) => published),
  );
  readers.startReading();

  return {
    log: bus.log,
    ...own,
    urls: { sqs: queues.sqsUrl, s3: s3.url, eventbridge: bus.url },
    addresses: Object.assign(own.addresses, joined(added.map(({ addresses }) => addresses))),
    state: joined(added.map(({ state }) => state)),
    variables: (simulatorUrl: string | undefined): Variables =>
      joined(added.map(({ variables }) => variables?.(simulatorUrl))),
  };
};

const joined = <Value>(records: readonly (Readonly<Record<string, Value>> | undefined)[]) =>
  Object.fromEntries(records.flatMap((record = {}) => Object.entries(record)));

export type RunningAws = Awaited<ReturnType<typeof startAws>>;

export const addOwnParts = (
  { options, store, board, consoleLog, counters, closers, addQueue, addressOf, readQueue, readStream }: LocalAws,
  alsoPublished: readonly string[],
) => {
  const deadLetters = addQueue('callfeed-parking-dead-letters', 'dead-letters.json');
  const givenUp = consoleLog.outage('recovery', 'dead letters; npx callfeed dead-letters list parked lists them');
  const accept: Queue['accept'] = (message) => {
    deadLetters.accept(message);
    counters.add('deadLetters', 1);
    for (const failed of [1, 0]) givenUp(failed);
  };
  const { deadLetterSeconds = deployedDeadLetterSeconds } = options;
  const maxReceiveCount = Math.ceil((deadLetterSeconds * 1_000) / visibilityMilliseconds);
  const parking = addQueue('callfeed-parking', 'parking.json', {
    redrive: { maxReceiveCount, to: { name: deadLetters.name, accept } },
    onSent: () => counters.add('parked', 1),
  });
  readQueue(
    parking,
    'recover-callbacks',
    ['recovered', 'recoveryRetries'],
    consoleLog.outage(
      'recovery',
      'parked callbacks fail again; each is retried every 2 seconds (in AWS every 6 minutes)',
      'parked callbacks are stored again',
    ),
  );
  // Ticks are not stored between runs, as those of an earlier run are stale. A failed tick stays hidden until its poll has
  // certainly ended.
  const ticks = addQueue('callfeed-ticks', undefined, {
    visibilityMilliseconds: queueSources['poll-agents'].visibilitySeconds * 1_000,
    retentionMilliseconds: queueSources['poll-agents'].retentionSeconds * 1_000,
    onSent: () => counters.add('ticks', 1),
  });
  readQueue(
    ticks,
    'poll-agents',
    ['ticksProcessed', 'ticksRetried'],
    consoleLog.outage('agents', 'polls fail; each is retried', 'polls work again'),
  );

  const onFailure = (records: number): void => {
    counters.add('publishRetries', 1);
    consoleLog.publishing(records);
  };
  const { calls, agents } = store.streamArns;
  const ofCalls = [...callsTable.published, ...alsoPublished];
  readStream(calls, ofCalls, 'stream-checkpoints.json', 'publish-changes', onFailure);
  readStream(agents, agentsTable.published, 'agents-stream-checkpoints.json', 'publish-changes', onFailure);

  /** As EventBridge Scheduler does, it loses ticks that the queue does not accept: their time slots pass. */
  const sendTicks = (): void => {
    const fault = board.draw('queue');
    if (fault !== 'none') {
      consoleLog.line('schedule', `${tickEntries.length} ticks not sent: ${fault}`);
      return;
    }
    for (const { MessageBody, DelaySeconds } of tickEntries) ticks.send(MessageBody, {}, DelaySeconds * 1_000);
  };
  return {
    parking,
    deadLetters,
    addresses: {
      parkingQueue: addressOf(parking),
      deadLettersQueue: addressOf(deadLetters),
      tickQueue: addressOf(ticks),
    },
    startTicks: () => startSchedule(sendTicks, { firstAfterMs: 0, everyMs: scheduleMinutes * 60_000 }, closers),
  };
};
