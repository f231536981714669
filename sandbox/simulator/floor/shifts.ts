import { between, fork, pick, type Random, seededRandom, shuffled } from '../random.ts';
import type { Agent } from './floor.ts';

/** A part of somebody's day. Instants in milliseconds since the epoch. */
export interface ShiftInterval {
  readonly from: number;
  readonly until: number;
  /** Undefined while logged out. */
  readonly state: string | undefined;
}

/** Somebody's days: one shift after the other, with breaks. Lengths in milliseconds. */
export interface Shifts {
  readonly seed: number;
  /** When one of the shifts begins; others came before it and will follow. */
  readonly beginsAt: number;
  readonly shift: number;
  readonly pauseBetween: number;
  /** From logging in to being ready for the first time. */
  readonly settling: number;
  /** Work and the break after it. */
  readonly block: number;
  readonly rest: number;
}

/** The state of those who are there and have no call. */
export const ready = 'READY';

/** Words for a break that the service has been seen to use, in the letter cases in which it did. */
const breakWords = ['PAUSE', 'Pause', 'AUX', 'Aux', 'Idle', 'IDLE', 'BUSY', 'Busy', 'release'] as const;

const seconds = 1000;
const minutes = 60 * seconds;

/**
 * A day is about twenty minutes here, so that somebody who watches sees people come, pause and go within two minutes, and still
 * most of them stay. Their shifts are staggered evenly: at no time does everybody come or go.
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
    settling: between(random, 10, 30) * seconds,
    block: between(random, 8, 13) * minutes,
    rest: between(random, 25, 80) * seconds,
  };
};

/** The stretch of the day that an instant lies in. */
export const intervalAt = (
  { seed, beginsAt, shift, pauseBetween, settling, block, rest }: Shifts,
  at: number,
): ShiftInterval => {
  const cycle = shift + pauseBetween;
  const day = Math.floor((at - beginsAt) / cycle);
  const loggedIn = beginsAt + day * cycle;
  const loggedOut = loggedIn + shift;
  const settled = loggedIn + settling;

  if (at >= loggedOut) return { from: loggedOut, until: loggedIn + cycle, state: undefined };
  if (at < settled) return { from: loggedIn, until: settled, state: 'Idle' };

  const number = Math.floor((at - settled) / block);
  const blockBegins = settled + number * block;
  const restBegins = Math.min(blockBegins + block - rest, loggedOut);
  if (at < restBegins) return { from: blockBegins, until: restBegins, state: ready };

  const word = pick(seededRandom(seed + 101 * day + number), breakWords);
  return { from: restBegins, until: Math.min(blockBegins + block, loggedOut), state: word };
};

/** Whether calls can be taken from an instant until another. */
export const isReadyThroughout = (shifts: Shifts, from: number, until: number): boolean => {
  const stretch = intervalAt(shifts, from);
  return stretch.state === ready && until <= stretch.until;
};
