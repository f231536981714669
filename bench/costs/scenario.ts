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
