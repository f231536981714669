import { EventEmitter } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { tryParseJson } from '../../lib/core/parse-json.ts';

/** An event as EventBridge hands it to a subscriber. */
export const Envelope = z.object({
  version: z.literal('0'),
  id: z.string(),
  'detail-type': z.string(),
  source: z.string(),
  account: z.string(),
  time: z.string(),
  region: z.string(),
  resources: z.array(z.string()),
  detail: z.record(z.string(), z.unknown()),
});
export type Envelope = z.infer<typeof Envelope>;

/** Everything that was ever put on the bus, oldest first. */
export interface EventLog {
  append(events: readonly Envelope[]): void;
  /** How many there are. */
  count(): number;
  /** Each event as one line of JSON, without a line break. */
  lines(): readonly string[];
  /** Calls `listener` with each line appended from now on, until the returned function is called. */
  follow(listener: (line: string) => void): () => void;
}

/** Where the lines are. */
interface Lines {
  readonly all: () => readonly string[];
  readonly add: (lines: readonly string[]) => void;
}

const inMemory = (): Lines => {
  const lines: string[] = [];

  return { all: () => lines, add: (added) => lines.push(...added) };
};

const isEvent = (line: string): boolean => Envelope.safeParse(tryParseJson(line)).success;

/** Lines that are read when they are asked for: a file may hold those of days. Whatever in it is no event is passed over. */
const inFile = (file: string): Lines => {
  const text = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const before = text();
  // The last line is torn when the machine stopped meanwhile; the next one must not join it.
  if (before !== '' && !before.endsWith('\n')) appendFileSync(file, '\n');

  return {
    all: () => text().split('\n').filter(isEvent),
    add: (added) => appendFileSync(file, added.map((line) => `${line}\n`).join('')),
  };
};

/** A log in memory, or in `file` where one is given, so that it goes on after a restart. */
export const createEventLog = (file?: string): EventLog => {
  const kept = file === undefined ? inMemory() : inFile(file);
  const appended = new EventEmitter().setMaxListeners(0);
  let count = kept.all().length;

  return {
    append(events) {
      const added = events.map((event) => JSON.stringify(event));
      kept.add(added);
      count += added.length;
      for (const line of added) appended.emit('line', line);
    },
    count: () => count,
    lines: kept.all,
    follow(listener) {
      appended.on('line', listener);
      return () => appended.off('line', listener);
    },
  };
};
