import type { Handle } from '../../../sandbox/frame/serve.ts';
import { always, onceEach, ways } from '../../support/odd-answers.ts';
import { sameMeanings } from '../../support/same-meaning.ts';
import type { Oddity } from './work-through.ts';

const { plainly: _plainly, never, 'with half of its answer, and then silence': silence, ...passing } = ways;

const meaning = (handle: Handle): Handle =>
  Object.values(sameMeanings).reduce((answered, change) => change(answered), handle);

/** What `npm test` tries of them. */
export const fewOddities: Readonly<Record<string, Oddity>> = {
  'in other words': { meaning },
  'with half of each answer, and then silence': { mood: always(silence) },
};

/** How the services of a function may answer in one of its runs: it then does its work all the same, or in the next one. */
export const oddities: Readonly<Record<string, Oddity>> = {
  ...Object.fromEntries(Object.entries(sameMeanings).map(([how, change]) => [how, { meaning: change }])),
  ...Object.fromEntries(Object.entries(passing).map(([how, way]) => [`once ${how}`, { mood: onceEach(way) }])),
  'with a page of HTML each time': { mood: always(ways['with a page of HTML']) },
  never: { mood: always(never) },
};
