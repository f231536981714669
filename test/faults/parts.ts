import { crash } from './crash/part.ts';
import { endurance } from './endurance/part.ts';
import { fuzz } from './fuzz/part.ts';
import type { Part } from './part.ts';
import { schedules } from './schedules/part.ts';

export const parts: readonly Part[] = [crash, schedules, fuzz, endurance];
