import { isDeepStrictEqual } from 'node:util';
import type { Ending } from '../ending.ts';
import type { Scenario } from '../scenario.ts';
import { checkAgents } from './check-agents.ts';
import { checkCalls } from './check-calls.ts';
import { checkEvents } from './check-events.ts';
import { recordLines } from './record-lines.ts';

/** What an ending breaks of the guarantees, compared with that of the same story without a fault. */
export const check = async (scenario: Scenario, ending: Ending, undisturbed: Ending): Promise<readonly string[]> => {
  const { deadLetters = 0 } = scenario;
  return [
    ...checkCalls(ending, undisturbed),
    ...(await checkEvents(ending)),
    ...(await checkAgents(ending, undisturbed)),
    ...ending.leaks.map((leak) => `a key is in ${leak}`),
    ...ending.parked.map((body) => `a message is left in the parking queue: ${body}`),
    ...(distinct(ending.deadLetters) === deadLetters ? [] : [`dead letters: ${ending.deadLetters}`]),
    ...(ending === undisturbed ? checkUndisturbed(scenario, ending) : []),
  ];
};

/** What others are compared with has to be right itself. */
const checkUndisturbed = ({ statuses, records }: Scenario, ending: Ending): readonly string[] => [
  ...differs('posts are answered', statuses, ending.statuses),
  ...differs('the records are', records, recordLines(ending.rows.calls)),
];

const differs = (what: string, wanted: readonly unknown[] | undefined, found: readonly unknown[]): readonly string[] =>
  wanted === undefined || isDeepStrictEqual(found, wanted) ? [] : [`${what} ${found}, not ${wanted}`];

/** How many things are told by messages: one that was parked twice, as nobody knew that it was, says the same twice. */
const distinct = (bodies: readonly string[]): number =>
  new Set(bodies.map((body) => body.replace(/"receivedAt":"[^"]*"/, ''))).size;
