import { calls } from './calls/part.ts';
import { growth } from './growth/part.ts';
import { guarantees } from './guarantees/part.ts';
import type { Part } from './part.ts';
import { peers } from './peers/part.ts';
import { spread } from './spread/part.ts';
import { start } from './start/part.ts';
import { work } from './work/part.ts';

/** Every part, in the order in which they are run. */
export const parts: readonly Part[] = [start, work, peers, guarantees, calls, growth, spread];
