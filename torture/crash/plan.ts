import { between, pick, type Random } from '../../sandbox/simulator/random.ts';
import { type Fate, fates } from '../world/fate.ts';

/** What becomes of which calls of a story, counted from 0 over all its processes; of the others nothing special. */
export type Plan = ReadonlyMap<number, Fate>;

/** All that can go wrong with a call. */
export const faults = fates.filter((fate) => fate !== 'pass');

const isFault = (word: string): word is Fate => faults.some((fate) => fate === word);

/** A plan as it is written on a command line: `3:die-after,7:lose`. */
export const planText = (plan: Plan): string => [...plan].map(([index, fate]) => `${index}:${fate}`).join(',');

/** The plan that a text says; `none` is the undisturbed one. Throws where it says something else. */
export const planFrom = (text: string): Plan =>
  new Map(
    (text === 'none' ? [] : text.split(',')).map((part) => {
      const [, index, fate = ''] = /^(\d+):([a-z-]+)$/.exec(part) ?? [];
      if (index === undefined || !isFault(fate))
        throw new Error(`“${part}” is no fault: write 3:die-after, with one of ${faults.join(', ')}`);
      return [Number(index), fate];
    }),
  );

/** Operations of which a part of the entries can be taken. */
const batches = new Set(['BatchWriteItem', 'PutEvents', 'SendMessageBatch']);

const isDivisible = (call: string): boolean => batches.has(call.split(' ').at(-1) ?? '');

/** Each fault at each of these calls; and a failure and a lost answer also at the call and its second try. */
export const everyPlan = (calls: readonly string[]): readonly Plan[] =>
  calls.flatMap((call, index) => [
    ...faults.filter((fate) => fate !== 'partial' || isDivisible(call)).map((fate) => new Map([[index, fate]])),
    ...(['fail', 'lose'] as const).map((fate) => new Map([index, index + 1].map((at) => [at, fate] as const))),
  ]);

/** How far beyond the undisturbed calls faults may strike: there are the second tries. */
const callsMore = 8;

/** Two to four faults anywhere, the second tries included. */
export const drawnPlan = (random: Random, calls: number): Plan =>
  new Map(
    Array.from({ length: between(random, 2, 4) }, (): [number, Fate] => [
      between(random, 0, calls + callsMore - 1),
      pick(random, faults),
    ]).sort(([one], [other]) => one - other),
  );
