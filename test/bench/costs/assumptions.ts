/** What is waited for, in milliseconds at 512 MB: nothing on this machine tells how long it takes in the cloud. */
export const milliseconds = {
  /** A run's own work on a third of a processor, and its share of starts: half a second in one of some fifty runs. */
  run: 30,
  /** A write with its condition: single digits are promised, and a transaction takes two rounds. */
  dynamodbCall: 10,
  /** PutEvents, which stores in several zones before it answers. */
  busCall: 30,
  /** getAgentLogins, of a service on another network with a handshake now and then. */
  serviceCall: 500,
} as const;

/**
 * What Lambda writes to the log of every run besides ours, as it looks in the log format JSON.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export const platformLines = [
  '{"time":"2026-11-21T06:00:00.000Z","type":"platform.start","record":{"requestId":"00000000-0000-0000-0000-000000000000","version":"$LATEST"}}',
  '{"time":"2026-11-21T06:00:00.000Z","type":"platform.report","record":{"requestId":"00000000-0000-0000-0000-000000000000","metrics":{"durationMs":41.234,"billedDurationMs":42,"memorySizeMB":512,"maxMemoryUsedMB":112},"status":"success"}}',
] as const;

/**
 * How Lambda looks into a queue: five at a time, each waiting for up to 20 seconds.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
export const queuePolling = { pollers: 5, secondsAPoll: 20 } as const;

/** Processes that read the secret anew every five minutes: three receivers and two pollers. */
export const secretReaders = { processes: 5, readsAnHour: 12 } as const;

/** Which share of polls the process serves that did not serve the one before: both get a tick for each slot. */
export const servedByAnother = 0.5;

/** What X-Ray records by its default rule: the first run of every second, and a share of the others. */
export const traced = { aSecond: 1, shareOfOthers: 0.05 } as const;

/** How much there is to do. */
export interface Volume {
  readonly callsADay: number;
  readonly agents: number;
}

/** The volumes that are priced. */
export const volumes: readonly Volume[] = [
  { callsADay: 1_000, agents: 20 },
  { callsADay: 10_000, agents: 100 },
  { callsADay: 100_000, agents: 500 },
];

/** What the calls and agents of every volume are like. */
export const scenario = {
  daysAMonth: 30,
  /** Every callback comes twice. */
  deliveries: 2,
  /** Of so many calls the summary comes once more with the disposition, which is a revision. */
  revisedShare: 0.5,
  /** So many calls are handed to a second agent. */
  transferredShare: 0.1,
  /** Participant records of a call: only accounts with advanced callbacks send them. */
  participants: 0,
  openHoursADay: 10,
  /** While it is open, so many agents have changed their state at each poll: each does so every two and a half minutes. */
  changedShare: 0.1,
} as const;

/** How many agents have changed at a poll. */
export const changedAgents = ({ agents }: Volume): number => Math.round(agents * scenario.changedShare);
