/** The case of most CPU time by its size, and how to see it again. */
export interface Worst {
  readonly microsecondsPerKb: number;
  readonly number: number;
}

/** What was counted while cases were tried. */
export interface Tally {
  readonly requests: number;
  readonly answers: number;
  /** How often each thing became of a request or answer. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly cpuMicroseconds: number;
  readonly bytes: number;
  readonly worst: Worst;
  /** The bytes in use at the end of each round. */
  readonly used: readonly number[];
  /** Each kind of breach once, with the first case that showed it. */
  readonly failures: readonly string[];
}

/** A tally without the memory: each run has its own. */
export type Counts = Omit<Tally, 'used' | 'failures'>;

const sum = (tallies: readonly Counts[], of: (tally: Counts) => number): number =>
  tallies.reduce((total, tally) => total + of(tally), 0);

/** What several runs counted together. */
export const together = (tallies: readonly Counts[]): Counts => {
  const names = new Set(tallies.flatMap(({ outcomes }) => Object.keys(outcomes)));
  const worst = tallies.map((tally) => tally.worst).toSorted((a, b) => b.microsecondsPerKb - a.microsecondsPerKb);
  return {
    requests: sum(tallies, ({ requests }) => requests),
    answers: sum(tallies, ({ answers }) => answers),
    outcomes: Object.fromEntries(
      [...names].sort().map((name) => [name, sum(tallies, ({ outcomes }) => outcomes[name] ?? 0)]),
    ),
    cpuMicroseconds: sum(tallies, ({ cpuMicroseconds }) => cpuMicroseconds),
    bytes: sum(tallies, ({ bytes }) => bytes),
    worst: worst[0] ?? { microsecondsPerKb: 0, number: -1 },
  };
};
