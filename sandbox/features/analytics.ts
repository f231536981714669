import { openDuckDb, writeParquet } from '../../functions/transform-events/duckdb.ts';
import { type AnalyticsRow, historyRowOf } from '../../functions/transform-events/tables.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import type { SandboxFeature } from '../aws/aws-parts.ts';
import type { EventLog } from '../aws/event-bus.ts';
import type { Closers } from '../frame/lifecycle.ts';

/** Somebody who tries the sandbox waits for the rows. Firehose collects them for 15 minutes. */
const intervalMs = 60_000;

export const analytics: SandboxFeature = async ({ options: { analytics: folder }, log, consoleLog, closers }) => {
  if (folder !== undefined) await startAnalytics(folder, { log, onProblem: consoleLog.note }, closers);
  return {};
};

export interface AnalyticsParts {
  readonly log: Pick<EventLog, 'follow'>;
  readonly onProblem: (problem: string) => void;
  readonly everyMs?: number;
}

export const startAnalytics = async (
  folder: string,
  { log, onProblem, everyMs = intervalMs }: AnalyticsParts,
  closers: Closers,
): Promise<void> => {
  const connection = await openDuckDb();
  let waiting: readonly AnalyticsRow[] = [];
  let writing = Promise.resolve();

  /** What could not be written waits for the next time. The rows of a table and day are one file, which fails as a whole. */
  const write = async (): Promise<void> => {
    const files = Map.groupBy(waiting, ({ table, day }) => `${table} ${day}`);
    waiting = [];
    for (const rows of files.values())
      await writeParquet(connection, folder, rows).catch(() => {
        onProblem(`${rows.length} rows could not be written to ${folder}; they are tried again`);
        waiting = [...rows, ...waiting];
      });
  };
  const flush = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };

  const unfollow = log.follow((line) => {
    const read = historyRowOf(tryParseJson(line));
    if (!read.ok) onProblem(`an event makes no row: ${read.problem}`);
    else if (read.value !== undefined) waiting = [...waiting, read.value];
  });
  const timer = setInterval(flush, everyMs);
  closers.add(async () => {
    clearInterval(timer);
    unfollow();
    await flush();
    connection.closeSync();
  });
};
