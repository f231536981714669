import { memoryMegabytes } from '../../functions/limits.ts';
import { questions } from '../../functions/transform-events/sql-files.ts';
import { tables } from '../../functions/transform-events/tables.ts';
import { views } from '../../functions/transform-events/views.ts';
import { dollarFigure, figure, markdownTable } from '../part.ts';
import type { Deployed } from './deployed.ts';

/** The region of the prices, and the day of the look-up. */
export const priceList = { region: 'us-east-1', date: '2026-11-21' } as const;

interface Price {
  readonly service: string;
  readonly unit: string;
  readonly dollars: number;
  /** How many units the dollars are for. */
  readonly per: number;
  readonly page: string;
  /** Whether a dated public quotation of that page has the same figure; otherwise it is from memory. */
  readonly checked: boolean;
}

const million = 1_000_000;

const apiGateway = { service: 'API Gateway', page: 'https://aws.amazon.com/api-gateway/pricing/' };
const lambda = { service: 'Lambda', page: 'https://aws.amazon.com/lambda/pricing/' };
const lambdaStarts = { service: 'Lambda, starts', page: lambda.page };
const dynamodbPage = 'https://aws.amazon.com/dynamodb/pricing/on-demand/';
const dynamodb = { service: 'DynamoDB, requests', page: dynamodbPage };
const dynamodbStorage = { service: 'DynamoDB, storage', page: dynamodbPage };
const eventBridge = { service: 'EventBridge', page: 'https://aws.amazon.com/eventbridge/pricing/' };
const sqs = { service: 'SQS', page: 'https://aws.amazon.com/sqs/pricing/' };
const cloudWatchPage = 'https://aws.amazon.com/cloudwatch/pricing/';
const s3 = { service: 'S3', page: 'https://aws.amazon.com/s3/pricing/' };
const logs = { service: 'CloudWatch, logs', page: cloudWatchPage };
const monitoring = { service: 'CloudWatch, metrics and alarms', page: cloudWatchPage };
const secretsManager = { service: 'Secrets Manager', page: 'https://aws.amazon.com/secrets-manager/pricing/' };
const kms = { service: 'KMS', page: 'https://aws.amazon.com/kms/pricing/' };

const firehose = { service: 'Firehose', page: 'https://aws.amazon.com/firehose/pricing/' };
const athena = { service: 'Athena', page: 'https://aws.amazon.com/athena/pricing/' };

export const prices = {
  apiRequests: { ...apiGateway, unit: 'request of 512 KB', dollars: 1, per: million, checked: true },
  lambdaRequests: { ...lambda, unit: 'request', dollars: 0.2, per: million, checked: true },
  lambdaGigabyteSeconds: { ...lambda, unit: 'GB-second, arm64', dollars: 0.0000133334, per: 1, checked: true },
  lambdaStarts: { ...lambdaStarts, unit: 'GB-second, arm64', dollars: 0.0000133334, per: 1, checked: true },
  writeUnits: { ...dynamodb, unit: 'write request unit', dollars: 0.625, per: million, checked: true },
  readUnits: { ...dynamodb, unit: 'read request unit', dollars: 0.125, per: million, checked: true },
  storedGigabytes: { ...dynamodbStorage, unit: 'GB-month stored', dollars: 0.25, per: 1, checked: false },
  recoverableGigabytes: { ...dynamodbStorage, unit: 'GB-month, point in time', dollars: 0.2, per: 1, checked: false },
  infrequentWriteUnits: {
    ...dynamodb,
    unit: 'write unit, infrequent access',
    dollars: 0.78,
    per: million,
    checked: false,
  },
  infrequentReadUnits: {
    ...dynamodb,
    unit: 'read unit, infrequent access',
    dollars: 0.155,
    per: million,
    checked: false,
  },
  infrequentGigabytes: {
    ...dynamodbStorage,
    unit: 'GB-month, infrequent access',
    dollars: 0.1,
    per: 1,
    checked: true,
  },
  eventChunks: { ...eventBridge, unit: 'custom event of 64 KB', dollars: 1, per: million, checked: true },
  archivedGigabytes: { ...eventBridge, unit: 'GB into the archive', dollars: 0.1, per: 1, checked: true },
  archiveGigabytes: { ...eventBridge, unit: 'GB-month in the archive', dollars: 0.023, per: 1, checked: true },
  scheduledCalls: { ...eventBridge, unit: 'call of a schedule', dollars: 1, per: million, checked: true },
  sqsRequests: { ...sqs, unit: 'request of 64 KB', dollars: 0.4, per: million, checked: true },
  fifoRequests: { ...sqs, unit: 'request of a FIFO queue', dollars: 0.5, per: million, checked: false },
  objectsPut: { ...s3, unit: 'PUT or LIST request', dollars: 5, per: million, checked: false },
  objectsRead: { ...s3, unit: 'GET request', dollars: 0.4, per: million, checked: false },
  objectGigabytes: { ...s3, unit: 'GB-month of objects', dollars: 0.023, per: 1, checked: false },
  logGigabytes: { ...logs, unit: 'GB of log taken in', dollars: 0.5, per: 1, checked: true },
  keptLogGigabytes: { ...logs, unit: 'GB-month of log', dollars: 0.03, per: 1, checked: false },
  searchedGigabytes: { ...logs, unit: 'GB of log searched', dollars: 0.005, per: 1, checked: false },
  metrics: { ...monitoring, unit: 'custom metric', dollars: 0.3, per: 1, checked: true },
  alarmMetrics: { ...monitoring, unit: 'metric of an alarm', dollars: 0.1, per: 1, checked: true },
  dashboards: { ...monitoring, unit: 'dashboard', dollars: 3, per: 1, checked: true },
  secrets: { ...secretsManager, unit: 'secret', dollars: 0.4, per: 1, checked: true },
  secretReads: { ...secretsManager, unit: 'request', dollars: 0.05, per: 10_000, checked: true },
  firehoseGigabytes: { ...firehose, unit: 'GB taken in, by 5 KB', dollars: 0.029, per: 1, checked: false },
  convertedGigabytes: { ...firehose, unit: 'GB converted, by 5 KB', dollars: 0.018, per: 1, checked: false },
  partitionedGigabytes: { ...firehose, unit: 'GB partitioned', dollars: 0.02, per: 1, checked: false },
  partitionedObjects: { ...firehose, unit: 'object of a partition', dollars: 0.005, per: 1_000, checked: false },
  athenaTerabytes: { ...athena, unit: 'TB read', dollars: 5, per: 1, checked: false },
  keys: { ...kms, unit: 'customer managed key', dollars: 1, per: 1, checked: true },
} as const satisfies Readonly<Record<string, Price>>;

type Priced = keyof typeof prices;

export type Quantities = Readonly<Partial<Record<Priced, number>>>;

export const priced = Object.keys(prices) as readonly Priced[];

export const addQuantities = (...parts: readonly Quantities[]): Quantities =>
  Object.fromEntries(priced.map((name) => [name, parts.reduce((all, { [name]: one = 0 }) => all + one, 0)]));

/** The dollars for some quantities; with a service those of its line of the bill. */
export const dollarsOf = (quantities: Quantities, service?: string): number =>
  priced
    .filter((name) => service === undefined || prices[name].service === service)
    .reduce((all, name) => all + ((quantities[name] ?? 0) * prices[name].dollars) / prices[name].per, 0);

/** For how many milliseconds a run waits for others. They are assumed, as this machine cannot show how long requests take in AWS. */
export const milliseconds = {
  /** A conditional write: AWS promises single digits, and a transaction takes two rounds. */
  dynamodbCall: 10,
  /** PutEvents, which stores in several zones before it answers. */
  busCall: 30,
  /** getAgentLogins: a service on another network, with a TLS handshake now and then. */
  serviceCall: 500,
} as const;

/**
 * The lines that Lambda writes to the log of every run, in the log format JSON.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export const platformLines = [
  '{"time":"2026-11-21T06:00:00.000Z","type":"platform.start","record":{"requestId":"00000000-0000-0000-0000-000000000000","version":"$LATEST"}}',
  '{"time":"2026-11-21T06:00:00.000Z","type":"platform.report","record":{"requestId":"00000000-0000-0000-0000-000000000000","metrics":{"durationMs":41.234,"billedDurationMs":42,"memorySizeMB":512,"maxMemoryUsedMB":112},"status":"success"}}',
] as const;

/**
 * How Lambda polls a queue: with five pollers, each waiting for up to 20 seconds.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
export const queuePolling = { pollers: 5, secondsAPoll: 20 } as const;

/** The requests of a forwarded delivery to its queue: it is sent, received and deleted alone at the most. */
export const forwardRequests = 3;

/**
 * What archiving a recording takes, where the host has it at once: its message is sent, received and deleted; its call is read
 * before and after, and its row is written before and after. A megabyte is some minutes of a call.
 */
export const archiving = { messages: 3, queries: 3, writes: 2, eventBytes: 700, megabytes: 1 } as const;

/** Processes that read the secret every five minutes: three receivers and two pollers. */
export const secretReaders = { processes: 5, readsAnHour: 12 } as const;

/** The share of polls by another process than the one before: both get a tick for each slot. */
export const servedByAnother = 0.5;

/**
 * Every minute with callbacks, each process of the publisher writes the row of the account's latest callback, a unit; and
 * each process of the poller reads it, a unit. So many processes of each are busy at the same time.
 */
export const receipts = { publishers: 4, pollers: 2 } as const;

export interface Volume {
  readonly callsADay: number;
  readonly agents: number;
}

export const volumes: readonly Volume[] = [
  { callsADay: 1_000, agents: 20 },
  { callsADay: 10_000, agents: 100 },
  { callsADay: 100_000, agents: 500 },
];

export const scenario = {
  daysAMonth: 30,
  /** Every callback comes twice. */
  deliveries: 2,
  /** The share of calls whose summary comes again with the disposition, as a revision. */
  revisedShare: 0.5,
  transferredShare: 0.1,
  /** Participant records of a call: only accounts with advanced callbacks send them. */
  participants: 0,
  openHoursADay: 10,
  /** The share of agents who changed their state at each poll in opening hours: each does so every two and a half minutes. */
  changedShare: 0.1,
} as const;

export const changedAgents = ({ agents }: Volume): number => Math.round(agents * scenario.changedShare);

/** Amazon Data Firehose charges each event as a multiple of it. */
const chunkBytes = 5 * 1_024;

/** What a row takes in a file, and a file besides, of calls and of agents: as counted in a simulated day of 5,600 and 25,000 rows. */
const parquet = { calls: { row: 87, file: 10_000 }, agents: { row: 46, file: 3_500 } } as const;

/** How Firehose collects events for the function and rows for a file, as `cdk/constructs/lake-stream.ts` deploys it. */
const buffered = { functionMinutes: 5, fileMinutes: 15 } as const;

/** What the function takes, in milliseconds: a run, and besides each event that becomes a row. */
const transformed = { run: 30, row: 1 } as const;

/** A day of calls in UTC and the one before are written at the same time in some of the quarters. */
const filesAtATime = 1.5;

/** What somebody asks of it: every question of the project once a day, and each over 28 days. */
const asked = { days: 28, leastBytes: 10 * 2 ** 20 } as const;

const viewSql = new Map(views.map(({ name, sql }) => [name, sql]));
const isTable = (name: string): boolean => name in tables;

/** How often some SQL reads the files of a table. Views read them more than once, and Athena keeps nothing from one time to the next. */
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
