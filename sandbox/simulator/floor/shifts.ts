import { between, fork, pick, type Random, seededRandom, shuffled } from '../random.ts';
import type { Agent } from './floor.ts';

/** An interval of an agent's shift. Instants are in milliseconds since the epoch. */
export interface ShiftInterval {
  readonly from: number;
  readonly until: number;
  /** Undefined while logged out. */
  readonly state: string | undefined;
}

/** The shifts of an agent, with breaks. Lengths are in milliseconds. */
export interface Shifts {
  readonly seed: number;
  /** When one of the shifts begins. Others precede and follow it. */
  readonly beginsAt: number;
  readonly shift: number;
  readonly pauseBetween: number;
  /** From log-in to the first ready state. */
  readonly preparation: number;
  /** Work and the break after it. */
  readonly block: number;
  readonly rest: number;
}

/** The state of available agents without a call. */
export const ready = 'READY';

/** States during a break that the service was seen to use, in their letter cases. */
const breakWords = ['PAUSE', 'Pause', 'AUX', 'Aux', 'Idle', 'IDLE', 'BUSY', 'Busy', 'release'] as const;

const seconds = 1000;
const minutes = 60 * seconds;

/**
 * A shift takes about twenty minutes, so that a user sees agents log in, pause and log out within two minutes.
 * Shifts are staggered evenly, so that most agents stay logged in at any time.
 */
export const shiftsFor = (random: Random, agents: readonly Agent[], startsAt: number): ReadonlyMap<string, Shifts> => {
  const places = shuffled(random, [...agents.keys()]);

  return new Map(
    agents.map(({ id }, index) => [id, shiftsOf(fork(random), startsAt, ((places[index] ?? 0) + 0.5) / agents.length)]),
  );
};

const shiftsOf = (random: Random, startsAt: number, share: number): Shifts => {
  const shift = between(random, 16 * 60, 28 * 60) * seconds;
  const pauseBetween = between(random, 60, 150) * seconds;
  const past = Math.round((share * (shift + pauseBetween)) / seconds) * seconds;

  return {
    seed: between(random, 0, 2 ** 31),
    beginsAt: Math.floor(startsAt / seconds) * seconds - past,
    shift,
    pauseBetween,
    preparation: between(random, 10, 30) * seconds,
    block: between(random, 8, 13) * minutes,
    rest: between(random, 25, 80) * seconds,
  };
};

/** The interval of the shift that contains an instant. */
export const intervalAt = (
  { seed, beginsAt, shift, pauseBetween, preparation, block, rest }: Shifts,
  at: number,
): ShiftInterval => {
  const cycle = shift + pauseBetween;
  const day = Math.floor((at - beginsAt) / cycle);
  const loggedIn = beginsAt + day * cycle;
  const loggedOut = loggedIn + shift;
  const prepared = loggedIn + preparation;

  if (at >= loggedOut) return { from: loggedOut, until: loggedIn + cycle, state: undefined };
  if (at < prepared) return { from: loggedIn, until: prepared, state: 'Idle' };

  const number = Math.floor((at - prepared) / block);
  const blockBegins = prepared + number * block;
  const restBegins = Math.min(blockBegins + block - rest, loggedOut);
  if (at < restBegins) return { from: blockBegins, until: restBegins, state: ready };

  const word = pick(seededRandom(seed + 101 * day + number), breakWords);
  return { from: restBegins, until: Math.min(blockBegins + block, loggedOut), state: word };
};

/** Whether the agent is ready from one instant to another. */
export const isReadyThroughout = (shifts: Shifts, from: number, until: number): boolean => {
  const interval = intervalAt(shifts, from);
  return interval.state === ready && until <= interval.until;
};
