import { eventSource } from '../../lib/contract/call-events.ts';
import { RecordingMessage } from '../../lib/recordings/schema.ts';
import type { Closers } from '../closers.ts';
import { isAboutAgent } from '../console-log.ts';
import type { Monitors } from '../counters.ts';
import type { DataFiles } from '../data-files.ts';
import type { FaultBoard } from '../faults.ts';
import { serve } from '../http/serve.ts';
import { createEventLog, type Envelope } from './event-log.ts';
import { busEndpoint } from './put-events.ts';

/** The events of one poll arrive in several batches. The console shows them in one line. */
const batchMilliseconds = 1_000;

/** Starts the event bus behind an EventBridge endpoint. `onEvents` gets what a rule of the deployment would. */
export const startBus = async (
  files: DataFiles,
  board: FaultBoard,
  { consoleLog, counters }: Monitors,
  closers: Closers,
  onEvents: (events: readonly Envelope[]) => void,
) => {
  const name = 'callfeed';
  const log = createEventLog(files.events);
  const aboutAgents = createBatcher(batchMilliseconds, consoleLog.agents);
  closers.add(aboutAgents.flush);
  const bus = {
    name,
    onEvents(events: readonly Envelope[]) {
      log.append(events);
      onEvents(events);
      counters.add('events', events.length);
      consoleLog.events(events.filter((event) => !isAboutAgent(event)));
      aboutAgents.add(events.filter(isAboutAgent));
    },
  };
  const served = await serve(busEndpoint(bus, board));
  closers.add(served.close);

  return { name, url: served.url, log };
};

/** Calls `onBatch` with all items that were added within `milliseconds` of the first one, or at once by `flush`. */
const createBatcher = <Item>(milliseconds: number, onBatch: (items: readonly Item[]) => void) => {
  let waiting: readonly Item[] = [];
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    const items = waiting;
    waiting = [];
    if (items.length > 0) onBatch(items);
  };

  return {
    flush,
    add(items: readonly Item[]): void {
      if (waiting.length === 0 && items.length > 0) timer = setTimeout(flush, milliseconds);
      waiting = [...waiting, ...items];
    },
  };
};

const types = new Set(['Call Summary Recorded', 'Call Summary Revised', 'Call Participant Recorded']);

/** What the rule of a deployment sends to the queue of recordings for an event: the call, if it has recordings. */
export const recordingMessageOf = ({ source, 'detail-type': type, detail }: Envelope): RecordingMessage | undefined => {
  if (source !== eventSource || !types.has(type)) return undefined;
  const { call, participant } = detail;
  const fields = [call, participant].flatMap((record) =>
    typeof record === 'object' && record !== null ? Object.keys(record) : [],
  );
  const hasRecordings = fields.includes('recordings') || fields.includes('conferenceRecordings');
  return hasRecordings ? RecordingMessage.safeParse(detail).data : undefined;
};
