import type { Account } from '../../../../sandbox/simulator/account.ts';
import { createFloor } from '../../../../sandbox/simulator/floor/floor.ts';
import type { Kind } from '../../../../sandbox/simulator/kinds.ts';
import { seededRandom } from '../../../../sandbox/simulator/random.ts';
import { type SimulatedCall, simulatedCall } from '../../../../sandbox/simulator/simulated-call.ts';

export const account: Account = { userName: 'demo', apiKey: 'key-of-the-demo-account', timeZone: 'Asia/Kolkata' };
export const noon = Date.parse('2026-11-21T12:00:00Z');
export const floor = createFloor(seededRandom(1), 40);

/** The call of a seed. */
export const callOf = (seed: number, kind?: Kind): SimulatedCall =>
  simulatedCall(seededRandom(seed), noon, floor, account, kind);

/** Enough seeds to meet what is drawn. */
export const seeds = Array.from({ length: 60 }, (_, index) => index + 1);
