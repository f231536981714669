import { type CentreTime, startCentre } from './centre.ts';
import { consoleRules } from './console/rules.ts';
import { figuresBy } from './figures.ts';
import { leavesOf, someOfEachKind } from './leaves.ts';
import { listsOf } from './lists.ts';
import type { Question } from './plan.ts';
import { type Held, heldBy, wrong } from './rules.ts';

/** What is kept for a while, and so may be older than the lists that its numbers open. */
const questions: readonly Question[] = [
  ['day', { day: 'today', by: 'skill', within: '13' }],
  ['quarters', { day: 'today', counted: 'missed' }],
  ['quarters', { day: 'today', agent: 'ravi' }],
  // Known up to the last poll, however late it is.
  ['agent-figures', { day: 'today', id: 'asha' }],
];

/** What passes between two answers: nothing, a while in which figures are kept, and longer than those of a day that is over are. */
const steps: readonly number[] = [0, 25_000, 40_000, 1_200_000];

/**
 * Asks at some moments, between which calls come: of now, and late ones, in the end of a week before too. A number is as of when it was read: so many
 * of the calls of its list had come by then. The instants in its links are those of its own moment.
 */
export const meanwhile = async (time: CentreTime): Promise<readonly Held[]> => {
  const centre = await startCentre(time);
  const lists = listsOf(centre);
  const figures = figuresBy(lists);
  const held: Held[] = [];
  for (const [index, step] of steps.entries()) {
    centre.advance(step);
    if (step > 0) await centre.post(index, step > 900_000);
    for (const [name, query] of questions) {
      const answer = await centre.ask(name, query);
      const leaves = someOfEachKind(leavesOf(answer, name), index);
      held.push(...(await heldBy(consoleRules, leaves, { name, query, answer, centre, lists, figures })));
    }
  }
  return wrong(held);
};
