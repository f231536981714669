import { between, fork, pick, type Random, seededRandom, shuffled } from './random.ts';

export const ready = 'READY';

/** States during a break that the service was seen to use, in their letter cases. */
const breakWords = ['PAUSE', 'Pause', 'AUX', 'Aux', 'Idle', 'IDLE', 'BUSY', 'Busy', 'release'] as const;

const seconds = 1000;
const minutes = 60 * seconds;

/** A user sees agents log in, pause and log out within two minutes, while most are logged in at any time. */
export const shiftsFor = (
  random: Random,
  agents: readonly { readonly id: string }[],
  startsAt: number,
): ReadonlyMap<string, Shifts> => {
  const places = shuffled(random, [...agents.keys()]);

  return new Map(
    agents.map(({ id }, index) => [id, shiftsOf(fork(random), startsAt, ((places[index] ?? 0) + 0.5) / agents.length)]),
  );
};

const shiftsOf = (random: Random, startsAt: number, share: number) => {
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

export type Shifts = ReturnType<typeof shiftsOf>;

/** The time at an instant and until when it lasts: logged out, preparing, ready, or on a break. */
export const intervalAt = (
  { seed, beginsAt, shift, pauseBetween, preparation, block, rest }: Shifts,
  at: number,
): { readonly until: number; readonly state?: string } => {
  const cycle = shift + pauseBetween;
  const day = Math.floor((at - beginsAt) / cycle);
  const loggedIn = beginsAt + day * cycle;
  const loggedOut = loggedIn + shift;
  const prepared = loggedIn + preparation;
  if (at >= loggedOut) return { until: loggedIn + cycle };
  if (at < prepared) return { until: prepared, state: 'Idle' };

  const number = Math.floor((at - prepared) / block);
  const blockEnds = prepared + (number + 1) * block;
  const restBegins = Math.min(blockEnds - rest, loggedOut);
  if (at < restBegins) return { until: restBegins, state: ready };
  return { until: Math.min(blockEnds, loggedOut), state: pick(seededRandom(seed + 101 * day + number), breakWords) };
};

export const isReadyThroughout = (shifts: Shifts, from: number, until: number): boolean => {
  const interval = intervalAt(shifts, from);
  return interval.state === ready && until <= interval.until;
};
