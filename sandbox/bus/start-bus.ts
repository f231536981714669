import type { Closers } from '../closers.ts';
import { type ConsoleLog, isAboutAgent } from '../console-log.ts';
import type { Counters } from '../counters.ts';
import type { DataFiles } from '../data-files.ts';
import type { FaultBoard } from '../faults.ts';
import { serve } from '../http/serve.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import { busEndpoint } from './put-events.ts';

/** Items that are told together. */
export interface Batcher<Item> {
  add(items: readonly Item[]): void;
  /** Tells what there is, now. */
  flush(): void;
}

/** Collects items for so long after the first of them, and then tells all at once. */
const createBatcher = <Item>(milliseconds: number, tell: (items: readonly Item[]) => void): Batcher<Item> => {
  let waiting: readonly Item[] = [];
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    const items = waiting;
    waiting = [];
    if (items.length > 0) tell(items);
  };

  return {
    flush,
    add(items) {
      if (waiting.length === 0 && items.length > 0) timer = setTimeout(flush, milliseconds);
      waiting = [...waiting, ...items];
    },
  };
};

/** The bus, where it is served, and what it took so far. */
export interface RunningBus {
  readonly name: string;
  readonly url: string;
  readonly log: EventLog;
}

/** A poll's events come in several batches, and are told in one line. */
const batchMilliseconds = 1_000;

/** Starts the bus behind an EventBridge endpoint. */
export const startBus = async (
  files: DataFiles,
  board: FaultBoard,
  { consoleLog, counters }: { readonly consoleLog: ConsoleLog; readonly counters: Counters },
  closers: Closers,
): Promise<RunningBus> => {
  const name = 'callfeed';
  const log = createEventLog(files.events);
  const aboutAgents = createBatcher(batchMilliseconds, consoleLog.agents);
  closers.add(aboutAgents.flush);
  const bus = {
    name,
    onEvents(events: Parameters<EventLog['append']>[0]) {
      log.append(events);
      counters.add('events', events.length);
      consoleLog.events(events.filter((event) => !isAboutAgent(event)));
      aboutAgents.add(events.filter(isAboutAgent));
    },
  };
  const served = await serve(busEndpoint(bus, board));
  closers.add(served.close);

  return { name, url: served.url, log };
};
