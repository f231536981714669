import type { Rule } from '../rules.ts';
import { callRules } from './call-rules.ts';
import { dayRules } from './day-rules.ts';
import { figureRules } from './figure-rules.ts';
import { floorRules } from './floor-rules.ts';
import { listRules } from './list-rules.ts';

/** Every number of every answer of the console. The first rule that fits a number holds it. */
export const consoleRules: readonly Rule[] = [
  [/^[^.]+\.now$/, (_leaf, { centre }) => centre.now()],
  ...figureRules,
  ...dayRules,
  ...listRules,
  ...callRules,
  ...floorRules,
];
