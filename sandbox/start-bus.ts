import { busEndpoint } from './bus/bus-endpoint.ts';
import { createEventLog, type EventLog } from './bus/event-log.ts';
import type { Closers } from './closers.ts';
import { isAboutAgent } from './console/agents-line.ts';
import { collected } from './console/collected.ts';
import type { Telling } from './console/telling.ts';
import type { DataFiles } from './disk/data-files.ts';
import type { FaultBoard } from './faults/fault-board.ts';
import { serve } from './http/serve.ts';
import type { Tally } from './tally.ts';

/** The bus, where it is served, and what it took so far. */
export interface RunningBus {
  readonly name: string;
  readonly url: string;
  readonly log: EventLog;
}

/** A poll's events come in several batches, and are told in one line. */
const togetherMilliseconds = 1_000;

/** Starts the bus behind an EventBridge endpoint. */
export const startBus = async (
  files: DataFiles,
  board: FaultBoard,
  { telling, tally }: { readonly telling: Telling; readonly tally: Tally },
  closers: Closers,
): Promise<RunningBus> => {
  const name = 'callfeed';
  const log = createEventLog(files.events);
  const aboutAgents = collected(togetherMilliseconds, telling.agents);
  closers.add(aboutAgents.flush);
  const bus = {
    name,
    onEvents(events: Parameters<EventLog['append']>[0]) {
      log.append(events);
      tally.add('events', events.length);
      telling.events(events.filter((event) => !isAboutAgent(event)));
      aboutAgents.add(events.filter(isAboutAgent));
    },
  };
  const served = await serve(busEndpoint(bus, board));
  closers.add(served.close);

  return { name, url: served.url, log };
};
