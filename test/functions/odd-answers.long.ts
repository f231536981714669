import { describe, expect, it } from 'vitest';
import { fewOddities, oddities } from './support/oddities.ts';
import { leftBy, workedAsUsual, workThrough } from './support/work-through.ts';
import { allWorks, type Work } from './support/works.ts';

describe.each(Object.entries<Work>(allWorks))('a function that %s', (_title, work) => {
  it.each(Object.entries({ ...fewOddities, ...oddities }))(
    'does so in the end where it is answered %s',
    async (_how, oddity) => {
      const usual = await workedAsUsual(work);
      const { rounds, state } = await workThrough(work, oddity);

      expect(rounds.flatMap(leftBy)).toEqual([]);
      expect(state).toEqual(usual.state);
    },
  );
});
