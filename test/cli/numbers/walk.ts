import type { PageQuery } from '../../../cli/console/page/hash.ts';
import { type Centre, type CentreTime, startCentre } from './centre.ts';
import { consoleRules } from './console/rules.ts';
import { figuresBy } from './figures.ts';
import { type Leaf, leavesOf, someOfEachKind } from './leaves.ts';
import { listsOf } from './lists.ts';
import { type Question, questionsTo, type Walk } from './plan.ts';
import { type Held, heldBy, unused, wrong } from './rules.ts';

/** Lists that have the same filters, and the same words of them, have the same command but for the names in it. */
const kindOf = ({ day, from, ...filters }: PageQuery): string =>
  [
    day === undefined ? 'range' : 'day',
    ...Object.entries(filters).map(([name, text]) => (/^[a-z-]+$/.test(text ?? '') ? `${name}=${text}` : name)),
  ].join();

/** Asks a centre's console everything, and opens every number that it answers. */
export const walkConsole = async (time: CentreTime, walk: Walk) => {
  const { isWhole } = walk;
  const centre: Centre = await startCentre(time);
  const lists = listsOf(centre);
  const figures = figuresBy(lists);
  const questions = await questionsTo(centre, walk);
  const ids = questions.flatMap(([address, { id }]) => (address === 'call' && id !== undefined ? [id] : []));
  const seen: Leaf[] = [];
  const heldFor = async ([name, query]: Question): Promise<readonly Held[]> => {
    const answer = await centre.ask(name, query);
    const leaves = leavesOf(answer, name);
    seen.push(...leaves);
    return await heldBy(consoleRules, isWhole ? leaves : someOfEachKind(leaves, seen.length), {
      name,
      query,
      answer,
      centre,
      lists,
      figures,
    });
  };
  const heldOf = async (address: string) => {
    const held: Held[] = [];
    for (const question of questions) if (question[0] === address) held.push(...(await heldFor(question)));
    return held;
  };
  const walked = new Map<string, Promise<readonly Held[]>>();
  return {
    centre,
    lists,
    figures,
    /** Calls of which it is asked what became of them. */
    ids,
    /** What was opened of an address, in every way in which it can be asked. */
    held(address: string): Promise<readonly Held[]> {
      const held = walked.get(address) ?? heldOf(address);
      walked.set(address, held);
      return held;
    },
    heldFor,
    addresses: [...new Set(questions.map(([address]) => address))],
    unusedRules: () => unused(consoleRules, seen),
    besideCommands: async () => wrong(await lists.besideCommands(isWhole ? (link) => JSON.stringify(link) : kindOf)),
  };
};
