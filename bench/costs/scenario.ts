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

/** The share of polls in which another process polls than the time before. Each slot has ticks for both. */
export const servedByAnother = 0.5;

/**
 * In each minute with callbacks, each busy publisher writes the account's latest callback, and each busy poller reads it: one unit
 * each.
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
