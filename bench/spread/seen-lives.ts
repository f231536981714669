import { type Ids, type Life, lives, posted, type Step, steps } from './example-lives.ts';
import { type SeenWrite, type WatchedReceiver, watchedReceiver } from './watched-receiver.ts';

/** All that is written in the course of a call, in order, and for which of its callbacks. */
export type SeenLife = readonly (SeenWrite & { readonly step: Step })[];

/** Calls that went in one way: one, and beside it some that differ from it in one thing alone. */
export interface Compared {
  readonly life: Life;
  readonly base: SeenLife;
  readonly others: ReadonlyMap<keyof Ids, readonly SeenLife[]>;
}

const things = ['account', 'call', 'customer', 'agent', 'secondAgent'] as const satisfies readonly (keyof Ids)[];

/** So many values of a thing show whether a key is made of it. */
const variants = [0, 1, 2];

const accountOf = (index: number): string => `demo-${index}`;

const idsOf = (index: number): Ids => ({
  account: accountOf(index),
  call: `4178123456789012${index}`,
  customer: `0900000004${index}`,
  agent: `asha-${index}`,
  secondAgent: `ravi-${index}`,
});

/** Posts examples of every kind of call to the receiver as deployed, and looks what it writes. */
export const seenLives = async (): Promise<readonly Compared[]> => {
  const receiver = watchedReceiver(variants.map(accountOf));
  const compared: Compared[] = [];
  for (const life of lives) compared.push(await comparedIn(receiver, life));
  return compared;
};

const comparedIn = async (receiver: WatchedReceiver, life: Life): Promise<Compared> => {
  const others = new Map<keyof Ids, readonly SeenLife[]>();
  for (const thing of things) {
    const changed: SeenLife[] = [];
    for (const index of variants.slice(1))
      changed.push(await livedThrough(receiver, life, { ...idsOf(0), [thing]: idsOf(index)[thing] }));
    others.set(thing, changed);
  }
  return { life, base: await livedThrough(receiver, life, idsOf(0)), others };
};

const livedThrough = async ({ post, forget }: WatchedReceiver, life: Life, ids: Ids): Promise<SeenLife> => {
  const written: SeenLife[number][] = [];
  forget();
  for (const step of steps) written.push(...(await post(posted(life, step, ids))).map((seen) => ({ ...seen, step })));
  return written;
};
