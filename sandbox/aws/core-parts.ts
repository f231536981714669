import { queueSources } from '../../functions/event-sources.ts';
import { scheduleMinutes, tickEntries } from '../../functions/poll-agents/ticks.ts';
import { agentsTable, callsTable } from '../../lib/storage/tables.ts';
import { startSchedule } from '../frame/lifecycle.ts';
import type { Queue } from '../queue/queue.ts';
import { type LocalAws, visibilityMilliseconds } from './aws-parts.ts';
import { deployedDeadLetterSeconds } from './sandbox-options.ts';

/** The queue of parked callbacks, its dead letters, and recovery. */
export const addRecovery = ({ options, consoleLog, counters, addQueue, addressOf, readQueue }: LocalAws) => {
  const deadLetters = addQueue('callfeed-parking-dead-letters', 'dead-letters.json');
  const reportDeadLetter = consoleLog.atMostOften(
    'recovery',
    'dead letters; npx callfeed dead-letters list parked lists them',
  );
  // The queue of dead letters, which also counts and reports what it gets.
  const accept: Queue['accept'] = (message) => {
    deadLetters.accept(message);
    counters.add('deadLetters', 1);
    reportDeadLetter();
  };
  const { deadLetterSeconds = deployedDeadLetterSeconds } = options;
  // SQS counts tries and not seconds: as many as fit into these seconds.
  const maxReceiveCount = Math.ceil((deadLetterSeconds * 1_000) / visibilityMilliseconds);
  const parking = addQueue('callfeed-parking', 'parking.json', {
    redrive: { maxReceiveCount, to: { name: deadLetters.name, accept } },
    onSent: () => counters.add('parked', 1),
  });
  readQueue(
    parking,
    'recover-callbacks',
    { succeeded: 'recovered', retried: 'recoveryRetries' },
    consoleLog.outage(
      'recovery',
      'parked callbacks fail again; each is retried every 2 seconds (in AWS every 6 minutes)',
      'parked callbacks are stored again',
    ),
  );
  return {
    parking,
    deadLetters,
    addresses: { parkingQueue: addressOf(parking), deadLettersQueue: addressOf(deadLetters) },
  };
};

/** The queue of ticks, its schedule, and the polls. */
export const addPolling = ({ board, consoleLog, counters, closers, addQueue, addressOf, readQueue }: LocalAws) => {
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
    { succeeded: 'ticksProcessed', retried: 'ticksRetried' },
    consoleLog.outage('agents', 'polls fail; each is retried', 'polls work again'),
  );

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
    addresses: { tickQueue: addressOf(ticks) },
    startTicks: () => startSchedule(sendTicks, { firstAfterMs: 0, everyMs: scheduleMinutes * 60_000 }, closers),
  };
};

/** Publishes the changes of both tables: of the calls' table also the kinds of row that features publish. */
export const readTables = (
  { store, consoleLog, counters, readStream }: LocalAws,
  alsoPublished: readonly string[],
): void => {
  const onFailure = (records: number): void => {
    counters.add('publishRetries', 1);
    consoleLog.publishing(records);
  };
  const { calls, agents } = store.streamArns;
  const ofCalls = [...callsTable.published, ...alsoPublished];
  readStream(calls, ofCalls, 'stream-checkpoints.json', 'publish-changes', onFailure);
  readStream(agents, agentsTable.published, 'agents-stream-checkpoints.json', 'publish-changes', onFailure);
};
