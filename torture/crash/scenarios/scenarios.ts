import { pollScenarios } from './poll.ts';
import { publishScenarios } from './publish.ts';
import { receiveScenarios } from './receive.ts';
import { recoverScenarios } from './recover.ts';

/** All that is tried. */
export const scenarios = [...receiveScenarios, ...recoverScenarios, ...publishScenarios, ...pollScenarios];
