import { EventEmitter } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';

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

/**
 * A log of all events that were put on the bus, oldest first: in memory, or in `file` if one is given. A log in a file
 * survives a restart.
 */
export const createEventLog = (file?: string) => {
  const stored = file === undefined ? inMemory() : inFile(file);
  const appended = new EventEmitter().setMaxListeners(0);
  let count = stored.all().length;

  return {
    append(events: readonly Envelope[]) {
      const added = events.map((event) => JSON.stringify(event));
      stored.add(added);
      count += added.length;
      for (const [index, line] of added.entries()) appended.emit('line', line, events[index]);
    },
    count: () => count,
    /** Each event as one line of JSON, without a line break. */
    lines: stored.all,
    follow(listener: (line: string, event: Envelope) => void) {
      appended.on('line', listener);
      return (): void => {
        appended.off('line', listener);
      };
    },
  };
};

export type EventLog = ReturnType<typeof createEventLog>;

interface Lines {
  readonly all: () => readonly string[];
  readonly add: (lines: readonly string[]) => void;
}

const inMemory = (): Lines => {
  const lines: string[] = [];

  return { all: () => lines, add: (added) => lines.push(...added) };
};

/** Lines are read from the file on demand, as it may hold the events of days. Lines that hold no event are skipped. */
const inFile = (file: string): Lines => {
  const text = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const before = text();
  // The last line is incomplete if the machine stopped during the write. The next line must not be appended to it.
  if (before !== '' && !before.endsWith('\n')) appendFileSync(file, '\n');

  return {
    all: () => text().split('\n').filter(isEvent),
    add: (added) => appendFileSync(file, added.map((line) => `${line}\n`).join('')),
  };
};

const isEvent = (line: string): boolean => Envelope.safeParse(tryParseJson(line)).success;
