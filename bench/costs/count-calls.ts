import { readFile } from 'node:fs/promises';
import { parseJson } from '../../lib/json/parse-json.ts';
import { type Counts, difference } from './counts.ts';

/** What callbacks take, one of each kind. */
export interface CallCounts {
  readonly first: Counts;
  readonly repeat: Counts;
  readonly revision: Counts;
  /** A call that was handed from one agent to another. */
  readonly transferred: Counts;
  /** What a participant takes more, in the callback of its call. */
  readonly participant: Counts;
}

/** Posts the examples that the README shows. `post` answers what a callback took, its events included. */
export const countCalls = async (post: (data: string) => Promise<Counts>): Promise<CallCounts> => {
  const summary = await example('call-summary');
  const first = await post(summary);
  const repeat = await post(summary);
  const revision = await post(await example('with-disposition'));

  const both = parseJson(await example('advanced-callback'));
  if (!both.ok || !Array.isArray(both.value)) throw new Error('The advanced callback is not a list any more');
  const [call] = both.value;
  const transferred = await post(JSON.stringify([call]));
  const again = await post(JSON.stringify([call]));
  const withParticipant = await post(JSON.stringify(both.value));

  return { first, repeat, revision, transferred, participant: difference(withParticipant, again) };
};

const example = (name: string): Promise<string> =>
  readFile(new URL(`../../sandbox/examples/${name}.json`, import.meta.url), 'utf8');
