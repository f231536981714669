import { memoryMegabytes } from '../../functions/limits.ts';
import { questions } from '../../functions/transform-events/sql-files.ts';
import { tables } from '../../functions/transform-events/tables.ts';
import { views } from '../../functions/transform-events/views.ts';
import { dollarFigure, figure, markdownTable } from '../part.ts';
import type { Deployed } from './deployed.ts';
import { addQuantities, dollarsOf, prices, type Quantities } from './prices.ts';
import { platformLines, scenario, type Volume } from './scenario.ts';

/** Amazon Data Firehose charges each event as a multiple of it. */
const chunkBytes = 5 * 1_024;

/** Bytes of a row and of an empty file, counted in a simulated day of 5,600 calls and 25,000 changes of agents. */
const parquet = { calls: { row: 87, file: 10_000 }, agents: { row: 46, file: 3_500 } } as const;

/** How Firehose collects events for the function and rows for a file, as `cdk/constructs/lake-stream.ts` deploys it. */
const buffered = { functionMinutes: 5, fileMinutes: 15 } as const;

/** What the function takes, in milliseconds: a run, and besides each event that becomes a row. */
const transformed = { run: 30, row: 1 } as const;

/** In some quarters, calls of two UTC days arrive and make two files. */
const filesAtATime = 1.5;

/** What somebody asks of it: every question of the project once a day, and each over 28 days. */
const asked = { days: 28, leastBytes: 10 * 2 ** 20 } as const;

const viewSql = new Map(views.map(({ name, sql }) => [name, sql]));
const isTable = (name: string): boolean => name in tables;

/** How often some SQL reads the files of a table. Views may read it several times; Athena caches nothing. */
const scansIn = (sql: string): number => {
  const words = sql.split(/[\s();]+/);
  const read = words.filter((_, index) => ['FROM', 'JOIN'].includes(words[index - 1] ?? ''));
  return read.reduce((sum, name) => sum + (isTable(name) ? 1 : scansIn(viewSql.get(name) ?? '')), 0);
};

const scans = questions().reduce((sum, { sql }) => sum + scansIn(sql), 0);

interface Events {
  readonly events: number;
  readonly eventBytes: number;
}

const { daysAMonth, openHoursADay } = scenario;
const gigabyte = 2 ** 30;

/** What `analytics=on` adds to a month once rows expire as fast as they come. */
export const analyticsOf = (calls: Events, agents: Events, { logDays, analytics }: Deployed) => {
  const openMinutes = daysAMonth * openHoursADay * 60;
  const files = (openMinutes / buffered.fileMinutes) * filesAtATime;
  const events = calls.events + agents.events;
  const runs = (2 * openMinutes) / buffered.functionMinutes;
  const rowBytes = calls.events * parquet.calls.row + agents.events * parquet.agents.row;
  const storedBytes = rowBytes + files * (parquet.calls.file + parquet.agents.file);
  const readBytes = Math.max(asked.leastBytes, (storedBytes * asked.days) / daysAMonth);
  const lineBytes = platformLines.reduce((bytes, line) => bytes + line.length, 300);
  const firehoseGigabytes = (events * chunkBytes) / gigabyte;
  return addQuantities({
    firehoseGigabytes,
    convertedGigabytes: firehoseGigabytes,
    partitionedGigabytes: (calls.eventBytes + agents.eventBytes) / gigabyte,
    partitionedObjects: 2 * files,
    lambdaRequests: runs,
    lambdaGigabyteSeconds:
      ((runs * transformed.run + events * transformed.row) / 1_000) * (memoryMegabytes['transform-events'] / 1_024),
    logGigabytes: (runs * lineBytes) / gigabyte,
    keptLogGigabytes: (runs * lineBytes * logDays) / daysAMonth / gigabyte,
    // A scan lists the folder of each day, and reads each of its files, which are small, at once.
    objectsPut: 2 * files + scans * daysAMonth * asked.days,
    objectsRead: scans * asked.days * files,
    objectGigabytes: (storedBytes * analytics.days) / daysAMonth / gigabyte,
    athenaTerabytes: (questions().length * daysAMonth * readBytes) / 2 ** 40,
    alarmMetrics: analytics.alarmMetrics,
  });
};

export const analyticsTable = (months: readonly { readonly volume: Volume; readonly added: Quantities }[]): string => {
  const services = [...new Set(Object.values(prices).map(({ service }) => service))];
  const used = services.filter((service) => months.some(({ added }) => dollarsOf(added, service) > 0));
  return markdownTable({
    head: [
      '$ a month',
      ...months.map(({ volume }) => `${figure(volume.callsADay)} calls a day, ${volume.agents} agents`),
    ],
    rows: [
      ...used.map((service) => [service, ...months.map(({ added }) => dollarFigure(dollarsOf(added, service)))]),
      ['added by `analytics=on`', ...months.map(({ added }) => dollarFigure(dollarsOf(added)))],
    ],
  });
};

export const analyticsAssumptions = ({ analytics }: Deployed): readonly string[] => [
  `Firehose charges each event as ${chunkBytes / 1_024} KB, for taking it and for converting it, and its bytes once more for the folders of days.`,
  `A row takes ${parquet.calls.row} bytes of a call and ${parquet.agents.row} of an agent, and a file ${parquet.calls.file / 1_000} and ` +
    `${parquet.agents.file / 1_000} KB besides. Each stream writes ${filesAtATime} files every ${buffered.fileMinutes} minutes in opening hours.`,
  `The function runs every ${buffered.functionMinutes} minutes for each stream, and takes ${transformed.row} ms for an event.`,
  `Rows are kept for ${analytics.days} days. Each of ${questions().length} questions is asked once a day and reads ${asked.days} days whole.`,
  `By their views they read the files of a table ${scans} times together. Each time is a request to S3 for each file and each day.`,
];
