import { type FloorState, floorStates } from '../../lib/agent-login/states.ts';

/** Throws a RangeError for a word that is no state of an agent who is logged in. */
export const stateFrom = (value: unknown): FloorState => {
  const state = floorStates.find((known) => known === value);
  if (state === undefined) throw new RangeError(`state: expected one of ${floorStates.join(', ')}.`);
  return state;
};
