import { daysLater } from '../clocks.ts';
import type { Leaf } from '../leaves.ts';
import type { Row } from '../lists.ts';
import { around, dateAsked, notLater, type Part, startOf } from '../opening.ts';
import type { Answered, Rule } from '../rules.ts';

/* Agents, now and in the past, and the health of the deployment. */

const lastName = ({ path }: Leaf): string => path.split('.').at(-1) ?? '';

const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1_000;

/** The time in a state as its intervals have it, within the day. */
const secondsInState = (leaf: Leaf, { answer: { intervals, start, upTo } }: Answered): number =>
  intervals
    .filter(({ state }: Part) => state === lastName(leaf))
    .reduce((sum: number, { from, to = upTo }: Part) => {
      const begin = from > start ? from : start;
      return sum + secondsBetween(begin, to < upTo ? to : upTo);
    }, 0);

/** How many agents a floor has, or of a state. */
const agentsOn = async ({ centre, lists }: Answered, at?: string, state?: string) => {
  const { agents = [] } = await lists.once(`floor ${at}`, () => centre.ask('floor', { at }));
  return agents.filter((agent: Part) => state === undefined || agent.state === state).length;
};

/** A point of the chart opens the floor as it was then. */
const pointOfHistory = async (leaf: Leaf, of: Answered): Promise<unknown> => {
  const [ms] = of.answer.points[Number(/points\[(\d+)\]/.exec(leaf.path)?.[1])];
  if (leaf.shape.endsWith('[]')) return ms <= Date.parse(of.centre.now()) ? leaf.value : of.centre.now();
  return await agentsOn(of, new Date(ms).toISOString(), lastName(leaf));
};

/** What a command of the card's subject lists. */
const rowsOf = ({ lists }: Answered, ...words: readonly string[]) => {
  const command = ['npx', 'callfeed', ...words].join(' ');
  return lists.once(command, () => lists.pasted(command));
};

const quarantined = async (of: Answered, reason: string): Promise<readonly Row[]> =>
  await rowsOf(of, 'quarantine', 'list', '--reason', reason);

const redrivable = async (leaf: Leaf, of: Answered): Promise<number> => {
  const { reason } = around(leaf, 0);
  const rows = await rowsOf(of, 'quarantine', 'redrive', '--all', '--reason', reason, '--dry-run');
  return rows.filter(({ stored }) => Number(stored) > 0).length;
};

/** A sentence with how many messages wait, or could not be stored. */
const lineOfCard = async (leaf: Leaf, of: Answered): Promise<unknown> => {
  const text = String(leaf.value);
  const isWaiting = /^About \d+ messages? wait /.test(text);
  if (!isWaiting && !/^About \d+ messages? could not be stored/.test(text)) return `no rule for ${text}`;
  const [queue] = await rowsOf(of, 'dead-letters');
  const letters = await rowsOf(of, 'dead-letters', 'list', 'parked');
  return text.replace(/\d+/, String(isWaiting ? queue?.['waiting'] : letters.length));
};

export const floorRules: readonly Rule[] = [
  [/^(feed|floor|agent|health)\.(asOf|earlier\.since)$/, notLater],
  [/^(floor\.at|floor\.agents\[\]\.(since|loggedInSince))$/, notLater],
  [/^history\.points\[\]\[\]/, pointOfHistory],
  [/^agent\.day$/, (_leaf, of) => dateAsked(of)],
  [/^agent\.start$/, (_leaf, of) => startOf(dateAsked(of), of)],
  [/^agent\.end$/, (_leaf, of) => startOf(daysLater(dateAsked(of), 1), of)],
  [/^agent\.upTo$/, notLater],
  [/^agent\.intervals\[\]\.seconds$/, (leaf) => secondsBetween(around(leaf, 0).from, around(leaf, 0).to)],
  [
    /^agent\.intervals\[\]\.(since|from|to)$/,
    'when a state began and ended, as the polls saw it: the seconds are by it',
  ],
  [/^agent\.secondsByState\./, secondsInState],
  [/^agent-figures\.opens\.day$/, (_leaf, of) => dateAsked(of)],
  [/^health\.feed\.agentCount$/, (_leaf, of) => agentsOn(of)],
  [/^health\.feed\.counts\./, (leaf, of) => agentsOn(of, undefined, lastName(leaf))],
  [/^health\.(feed|changes\[\])\./, 'when and why polls failed, and how often the row was written: facts of the feed'],
  [/^(health\.next|operations\.cards\[\]\.command)\[\]$/, 'a word of a command'],
  [
    /^operations\.cards\[\]\.reasons\[\]\.count$/,
    async (leaf, of) => (await quarantined(of, around(leaf, 0).reason)).length,
  ],
  [/^operations\.cards\[\]\.reasons\[\]\.redrivable$/, redrivable],
  [
    /^operations\.cards\[\]\.reasons\[\]\.newest\[\]\.(id|receivedAt)$/,
    async (leaf, of) => (await quarantined(of, around(leaf, 2).reason))[around(leaf, 1).index]?.[lastName(leaf)],
  ],
  [/^operations\.cards\[\]\.lines\[\]$/, lineOfCard],
];
