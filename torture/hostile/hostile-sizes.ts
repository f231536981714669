/** How much is tried. */
export interface HostileSize {
  readonly requests: number;
  readonly answers: number;
  /** After each of them the memory is measured. */
  readonly rounds: number;
  /** None: all in this thread. */
  readonly workers: number;
  /** How often each lie is told over HTTP. */
  readonly lieRounds: number;
  /**
   * The memory in bytes that may stay with each case. Of a body that is kept somewhere there are some 5,000; the first
   * minutes compile code, and start timers that run for two minutes.
   */
  readonly mostBytesPerCase: number;
  /** Whether enough is tried for everything to happen that can. */
  readonly needsEveryClass: boolean;
}

/** The sizes by name: a million cases, most of them requests, since an answer takes three polls to judge. */
export const hostileSizes: Readonly<Record<'quick' | 'full', HostileSize>> = {
  quick: {
    requests: 700,
    answers: 35,
    rounds: 7,
    workers: 0,
    lieRounds: 1,
    mostBytesPerCase: 4_000,
    needsEveryClass: false,
  },
  full: {
    requests: 950_000,
    answers: 50_000,
    rounds: 50,
    workers: 2,
    lieRounds: 40,
    mostBytesPerCase: 300,
    needsEveryClass: true,
  },
};
