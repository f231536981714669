import { crash } from './crash/part.ts';
import { hostile } from './hostile/part.ts';
import { load } from './load/part.ts';
import type { Part } from './part.ts';
import { schedules } from './schedules/part.ts';
import { simulated } from './simulated/part.ts';
import { soak } from './soak/part.ts';

/** Every part, in the order in which they are run. */
export const parts: readonly Part[] = [crash, schedules, hostile, load, simulated, soak];
