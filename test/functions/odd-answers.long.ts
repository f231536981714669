import { describe, expect, it } from 'vitest';
import { onlyFor, ways } from '../support/odd-answers.ts';
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

  it('leaves no request open, whichever of them is never answered', async () => {
    const usual = await workedAsUsual(work);
    for (const operation of new Set(usual.asked)) {
      const { rounds, state } = await workThrough(work, { mood: onlyFor(operation, ways.never) });

      expect([operation, ...rounds.flatMap(leftBy)]).toEqual([operation]);
      expect([operation, state]).toEqual([operation, { ...usual.state, ...leftWithout[operation] }]);
    }
  });
});

/** What stays where a request is never answered: the bucket's rule removes parts that nobody removed after a day. */
const leftWithout: Readonly<Record<string, object>> = { AbortMultipartUpload: { openUploads: 1 } };
