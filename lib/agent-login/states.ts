import { vocabulary } from '../text/vocabulary.ts';

/** What an agent is doing. Paper names three words; practice has them all, in any letter case. */
export const agentStates = vocabulary([
  'ready',
  'acw',
  'idle',
  'busy',
  'in-call',
  'calling',
  'aux',
  'pause',
  'release',
  'offline',
]);

/** Every state that an agent who is there can be in. */
export const floorStates = [...agentStates.words, 'unknown'] as const;
export type FloorState = (typeof floorStates)[number];

/** What we say of an agent who is in the list no more. */
export const loggedOut = 'logged-out';
