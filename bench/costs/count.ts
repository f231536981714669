import { parseJson } from '../../lib/core/json.ts';
import type { LocalTables } from '../../test/support/dynamodb-local.ts';
import { type Counts, difference } from '../meter/counts.ts';
import { callNumbered, exampleText, justEnded } from '../sample-posts.ts';
import { simulatedAgents } from '../simulated-agents.ts';
import { type Emitted, startCounting } from './counted-functions.ts';

/** What each kind of callback takes, and a posted list if there is one. */
const countCallbacks = async (tables: LocalTables, emitted: Emitted, list: string | undefined) => {
  const { post: postAsItIs, now } = startCounting(tables, emitted, 'demo');
  const post = (data: string) => postAsItIs(justEnded(data, now()));
  const summary = exampleText('call-summary');
  const first = await post(summary);
  const repeat = await post(summary);
  const revision = await post(exampleText('with-disposition'));
  const both = parseJson(exampleText('advanced-callback'));
  if (!both.ok || !Array.isArray(both.value)) throw new Error('The advanced callback is not a list any more');
  const call = JSON.stringify(both.value.slice(0, 1));
  const transferred = await post(call);
  const again = await post(call);
  // What a participant adds to the callback of its call.
  const participant = difference(await post(JSON.stringify(both.value)), again);
  // A new call that is recorded long after its start.
  const late = await postAsItIs(callNumbered(999_999_999));
  const calls = { first, late, repeat, revision, transferred, participant };
  return { calls, posted: list === undefined ? undefined : await post(list) };
};

export interface PollScenario {
  readonly agents: number;
  /** For each poll, how many agents changed. */
  readonly changes: readonly number[];
}

/** All agents log in, the feed's row gets its usual length, and the second process reads the agents. */
const warmUpPolls = [0, 0, 0, 0, 1, 0] as const;

/** Two processes poll in turn: each lacks in memory what the other has written. */
const countPolls = async (tables: LocalTables, emitted: Emitted, { agents, changes }: PollScenario) => {
  const { answerText, change } = simulatedAgents(agents);
  const { goToNextSlot, startPoller } = startCounting(tables, emitted, `account-${agents}`, answerText);
  const processes = [startPoller(), startPoller()] as const;
  const poll = (process: 0 | 1) => {
    goToNextSlot();
    return processes[process]();
  };
  for (const process of warmUpPolls) await poll(process);

  const unchanged = await poll(0);
  // A second tick in a slot that was already polled.
  const taken = await processes[1]();
  const changed = new Map<number, Counts>();
  for (const count of changes) {
    change(count);
    changed.set(count, await poll(0));
  }
  await poll(1);
  await poll(0);
  return { agents, unchanged, taken, changed, byAnother: await poll(1) };
};

/** Runs the functions on each kind of work, and counts. `onProgress` is called with the current activity. */
export const countAll = async (
  tables: LocalTables,
  emitted: Emitted,
  scenarios: readonly PollScenario[],
  { list, onProgress = () => undefined }: { readonly list?: string; readonly onProgress?: (what: string) => void } = {},
) => {
  onProgress('counting callbacks');
  const ofCallbacks = await countCallbacks(tables, emitted, list);
  const polls: Awaited<ReturnType<typeof countPolls>>[] = [];
  for (const scenario of scenarios) {
    onProgress(`counting polls of ${scenario.agents} agents`);
    polls.push(await countPolls(tables, emitted, scenario));
  }
  return { ...ofCallbacks, polls };
};

/** What was counted: of the kinds of callbacks, of a posted list, and of polls from the fewest agents to the most. */
export type Counted = Awaited<ReturnType<typeof countAll>>;
