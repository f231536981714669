import { EventEmitter } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parsed } from '../../lib/json/parsed.ts';
import { Envelope } from './envelope.ts';

/** Everything that was ever put on the bus, oldest first. */
export interface EventLog {
  append(events: readonly Envelope[]): void;
  /** Each event as one line of JSON, without a line break. */
  lines(): readonly string[];
  /** Calls `listener` with each line appended from now on, until the returned function is called. */
  follow(listener: (line: string) => void): () => void;
}

const isEvent = (line: string): boolean => Envelope.safeParse(parsed(line)).success;

/** What an earlier run wrote. Its last line is torn when the machine stopped meanwhile; the next one must not join it. */
const kept = (file: string | undefined): string[] => {
  if (file === undefined || !existsSync(file)) return [];

  const text = readFileSync(file, 'utf8');
  if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n');
  return text.split('\n').filter(isEvent);
};

/** A log in memory, and in `file` as well where one is given, so that it goes on after a restart. */
export const createEventLog = (file?: string): EventLog => {
  const lines = kept(file);
  const appended = new EventEmitter().setMaxListeners(0);

  return {
    append(events) {
      const added = events.map((event) => JSON.stringify(event));
      if (file !== undefined) appendFileSync(file, added.map((line) => `${line}\n`).join(''));
      lines.push(...added);
      for (const line of added) appended.emit('line', line);
    },
    lines: () => lines,
    follow(listener) {
      appended.on('line', listener);
      return () => appended.off('line', listener);
    },
  };
};
