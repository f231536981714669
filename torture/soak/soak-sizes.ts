import type { PartOptions } from '../part.ts';
import type { Series } from './series.ts';

/** How long it goes on, at which rate, and what counts as flat. */
export interface SoakSize {
  readonly seconds: number;
  /** What is loaded, compiled and filled up in this time is no leak. */
  readonly warmUpSeconds: number;
  readonly sampleSeconds: number;
  /** Posts a second, beside those of the simulated contact centre. */
  readonly rate: number;
  /** What is judged: growth from the end of the warm-up to the end that is taken for none, whatever the noise. */
  readonly allowed: Readonly<Partial<Record<Series['name'], number>>>;
  /** Whether being too slow to take a post counts as a failure. */
  readonly judgesSpeed: boolean;
}

/** The sizes of this part. In the quick one other tests run beside it, so that nothing is said of speed, nor of connections that
 * wait. */
export const soakSizes: Readonly<Record<PartOptions['size'], SoakSize>> = {
  quick: {
    seconds: 15,
    warmUpSeconds: 5,
    sampleSeconds: 1.5,
    rate: 4,
    allowed: { heap: 12, rss: 150, timers: 100 },
    judgesSpeed: false,
  },
  full: {
    seconds: 600,
    warmUpSeconds: 120,
    sampleSeconds: 5,
    rate: 10,
    // The publisher remembers what it has told of late, some 2.5 MB when it forgets all of it and begins anew.
    allowed: { heap: 4, rss: 32, timers: 20, resources: 20, files: 20, reply: 10, lag: 100 },
    judgesSpeed: true,
  },
};
