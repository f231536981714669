import { batches } from '../../lib/core/collections.ts';
import type { Happening } from './feature.ts';

/** What is further apart in time is told as two things. */
const mostPauseMs = 10 * 60_000;

type Told = Omit<Happening, 'at' | 'until'>;

interface Telling<Item> {
  /** Items of different kinds are told as different things. */
  readonly kindOf: (item: Item) => readonly unknown[];
  /** An ISO instant. */
  readonly at: (item: Item) => string;
  /** What is said of `count` items of one kind, from `since` on; `one` is any of them. */
  readonly tell: (one: Item, count: number, since: string) => Told;
}

/** Tells items of one kind as one thing that happened, where no pause between them is longer than ten minutes. */
export const episodesOf = <Item>(items: readonly Item[], { kindOf, at, tell }: Telling<Item>): readonly Happening[] => {
  const isNear = (before: readonly Item[], next: Item): boolean => {
    const last = before.at(-1);
    return last !== undefined && Date.parse(at(next)) - Date.parse(at(last)) <= mostPauseMs;
  };
  const inOrder = items.toSorted((one, other) => at(one).localeCompare(at(other)));
  const kinds = Map.groupBy(inOrder, (item) => JSON.stringify(kindOf(item)));
  return [...kinds.values()].flatMap((ofKind) =>
    batches(ofKind, isNear).flatMap((episode) => {
      const [first] = episode;
      const last = episode.at(-1);
      if (first === undefined || last === undefined) return [];
      const since = at(first);
      return [{ at: since, ...(at(last) !== since && { until: at(last) }), ...tell(first, episode.length, since) }];
    }),
  );
};
