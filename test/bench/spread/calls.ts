import type { Random } from '../../../sandbox/simulator/random.ts';
import { callKinds, steps } from './observed-calls.ts';
import { callsASecond, type People, type Traffic, trafficShape } from './traffic.ts';
import type { Owner } from './writes-by-owner.ts';

/** Whole numbers, each to be had back in the second for which it was put down. */
export interface TimingWheel {
  add(second: number, value: number): void;
  /** What was put down for a second, which is forgotten thereby. Seconds are asked for one after the other. */
  take(second: number): Int32Array;
}

const initialCapacity = 1_024;

/** Nothing yet. Nothing can be put down for more than `ahead` seconds after the last one that was taken. */
const timingWheel = (ahead: number): TimingWheel => {
  const rooms = Array.from({ length: ahead + 1 }, () => new Int32Array(initialCapacity));
  const counts = new Int32Array(ahead + 1);
  const none = new Int32Array(0);

  return {
    add(second, value) {
      const place = second % (ahead + 1);
      const count = counts[place] ?? 0;
      const room = withCapacity(rooms[place] ?? none, count);
      rooms[place] = room;
      room[count] = value;
      counts[place] = count + 1;
    },
    take(second) {
      const place = second % (ahead + 1);
      const taken = (rooms[place] ?? none).slice(0, counts[place]);
      counts[place] = 0;
      return taken;
    },
  };
};

const withCapacity = (room: Int32Array<ArrayBuffer>, count: number): Int32Array<ArrayBuffer> => {
  if (count < room.length) return room;
  const larger = new Int32Array(2 * Math.max(initialCapacity, room.length));
  larger.set(room);
  return larger;
};

/** The calls of some people, second by second. */
export interface Calls {
  /** No call has a number as large, as those of calls that are over are given away again. */
  readonly mostCalls: number;
  /** Tells of every callback of the next second by its kind: which of `kinds` it is. */
  next(onCallback: (kind: number) => void): void;
  /** While a callback is told of: the number of the one whom a key of it stands for, by the owner's place. */
  idAt(place: number): number;
}

/** Every kind of callback. */
export const callbackKinds = callKinds.flatMap((life) => steps.map((step) => ({ life, step })));

/** Where the number of an owner lies in what is known of a call, which is how it goes and whom it concerns. */
export const places = {
  everybody: -1,
  call: 0,
  account: 1,
  customer: 2,
  agent: 3,
  secondAgent: 4,
} as const satisfies Record<Owner, number>;

const width = 5;

/** Calls that never end: agents take one after the other, and others are missed. */
export const calls = (traffic: Traffic, people: People, random: Random): Calls => {
  const secondsOfACall = traffic.revisedWithinSeconds + 1;
  const mostCalls = Math.ceil(callsASecond(traffic) * secondsOfACall * 1.2) + 1_000;
  const callOwners = new Int32Array(mostCalls * width);
  const left = new Uint8Array(mostCalls);
  const free = Int32Array.from({ length: mostCalls }, (_, index) => index);
  let freeCount = mostCalls;
  let second = 0;

  const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1));
  const { leastSecondsBetweenCalls: least, mostSecondsBetweenCalls: most } = trafficShape;
  /** At any moment a long call is the likelier one to be under way, at any point of it: so the rate is even from the start. */
  const untilEnd = (): number => {
    const seconds = between(least, most);
    return random() * most < seconds ? Math.floor(random() * seconds) : untilEnd();
  };
  const ends = timingWheel(most);
  for (let agent = 0; agent < people.agents; agent++) ends.add(untilEnd(), agent);
  const arrivals = timingWheel(secondsOfACall);

  const expect = (call: number, step: number, after: number): void => {
    left[call] = (left[call] ?? 0) + 1;
    arrivals.add(second + after, call * steps.length + step);
  };

  const end = (life: number, agent: number): void => {
    freeCount -= 1;
    const call = free[freeCount];
    if (call === undefined) throw new Error('There are more calls at once than were expected');
    const account = people.accountOf(agent);
    const at = call * width;
    callOwners[at] = life;
    callOwners[at + places.account] = account;
    callOwners[at + places.customer] = people.callerOf(account);
    callOwners[at + places.agent] = agent;
    callOwners[at + places.secondAgent] = people.colleagueOf(agent);
    expect(call, 0, 0);
    if (random() < trafficShape.repeatedShare) expect(call, 1, between(0, trafficShape.repeatedWithinSeconds));
    if (callKinds[life] !== 'missed' && random() < trafficShape.revisedShare)
      expect(call, 2, between(trafficShape.revisedAfterSeconds, traffic.revisedWithinSeconds));
  };

  const someoneMissed = (): number => {
    const mean = callsASecond(traffic) * trafficShape.missedShare;
    // As calls by chance are, nearly: the deviation is the root of the mean.
    const chance = Array.from({ length: 12 }, random).reduce((sum, part) => sum + part, -6);
    return Math.max(0, Math.round(mean + chance * Math.sqrt(mean)));
  };

  let current = 0;

  return {
    mostCalls,
    idAt(place) {
      if (place <= places.call) return place < places.call ? 0 : current;
      return callOwners[current * width + place] ?? 0;
    },
    next(onCallback) {
      const transferred = trafficShape.transferredShare / (1 - trafficShape.missedShare);
      for (const agent of ends.take(second)) {
        end(random() < transferred ? 1 : 0, agent);
        ends.add(second + between(least, most), agent);
      }
      for (let count = someoneMissed(); count > 0; count--) end(2, Math.floor(random() * people.agents));

      for (const arrival of arrivals.take(second)) {
        current = Math.floor(arrival / steps.length);
        onCallback((callOwners[current * width] ?? 0) * steps.length + (arrival % steps.length));
        const others = (left[current] ?? 1) - 1;
        left[current] = others;
        if (others === 0) {
          free[freeCount] = current;
          freeCount += 1;
        }
      }
      second += 1;
    },
  };
};
