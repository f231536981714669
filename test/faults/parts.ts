import { crash } from './crash/part.ts';
import { load } from './endurance/load.ts';
import { simulated } from './endurance/simulated.ts';
import { soak } from './endurance/soak.ts';
import { fuzz } from './fuzz/part.ts';
import type { Part } from './part.ts';
import { schedules } from './schedules/part.ts';

/** Every part, in the order in which they are run. */
export const parts: readonly Part[] = [crash, schedules, fuzz, load, simulated, soak];
