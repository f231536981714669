import type { Work } from '../subjects/subject.ts';

/** One way to measure work. */
export interface Gauge {
  measure(work: Work): Promise<number>;
  /** Called while the work waits for somebody else. */
  onWait(): void;
}
