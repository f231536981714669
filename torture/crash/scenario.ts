import type { Story } from './story.ts';

/** A piece of the outside world's doings. At its end all is recovered and published. */
export interface Scenario {
  readonly name: string;
  readonly play: (story: Story) => Promise<void>;
  /** What posts are answered where nothing goes wrong beyond the scenario. */
  readonly statuses?: readonly number[];
  /** The calls and participants then, each with how many deliveries it has in how many revisions. */
  readonly records?: readonly string[];
  /** How many messages end among the dead letters. */
  readonly deadLetters?: number;
  /** Whether agents are polled. */
  readonly polled?: boolean;
  /** Whether polling takes a token. */
  readonly token?: boolean;
  /** Whether the service is reached over HTTP. */
  readonly http?: boolean;
  /** The time of day at which it begins, as `18:29:00`. */
  readonly beginsAt?: string;
  /** Tried with drawn faults only: it makes too many calls for each of them. */
  readonly drawnOnly?: boolean;
  /** Part of the quick slice. */
  readonly quick?: boolean;
}
