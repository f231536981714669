import { replayableTypes } from '../../lib/replay/replayable.ts';
import { Problem } from '../problem.ts';

const all = Object.values(replayableTypes).flat();

/** Detail-types, all of which can be told again by rows; `fromArchive` is how to get the others. */
export const typesFrom = (typed: readonly string[], fromArchive: () => string): readonly string[] => {
  const moment = typed.find((type) => !all.some((one) => one === type));
  if (moment === undefined) return typed;
  throw new Problem(
    `“${moment}” tells of a moment, of which no row is kept. Whatever was published then: ${fromArchive()}`,
    2,
  );
};
