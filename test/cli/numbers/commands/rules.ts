import { harmlessReason } from '../../../../cli/quarantine/quarantine-entries.ts';
import { before, daysLater, midnightOf } from '../clocks.ts';
import { stateSeconds, timeFigure } from '../console/figure-rules.ts';
import { isCallFigure, type OfList } from '../figures.ts';
import type { Leaf } from '../leaves.ts';
import type { Row } from '../lists.ts';
import { around, notLater, type Part, usualSeconds } from '../opening.ts';
import type { Answered, Rule } from '../rules.ts';

/* Every number that commands print as JSON, and of their notes. */

const lastName = ({ path }: Leaf): string => path.split('.').at(-1) ?? '';

/** The line of JSON that has a number. */
const lineOf = (leaf: Leaf, { answer }: Answered): Part => answer.lines[Number(/lines\[(\d+)\]/.exec(leaf.path)?.[1])];

const optionOf = ({ answer }: Answered, name: string): string | undefined => {
  const place = answer.words.indexOf(`--${name}`);
  return place < 0 ? undefined : answer.words[place + 1];
};

const wholeOf = (days: { readonly from: string; readonly to: string }, { centre }: Answered) => ({
  from: midnightOf(days.from, centre.timeZone),
  to: before(midnightOf(daysLater(days.to, 1), centre.timeZone)),
});

const lengths: Readonly<Record<string, number>> = { hour: 3_600_000, quarter: 900_000 };

/** The calls of a line of figures: of all of its days, of a group of them, or of the weeks before; an hour of several days has none. */
const listOfLine = (leaf: Leaf, of: Answered): OfList['list'] | undefined => {
  const line = lineOf(leaf, of);
  const { day, from = day, to = day, by, weekBefore, weeksBefore = weekBefore } = line;
  if (/\.weeks?Before\./.test(leaf.shape)) {
    const { day: earlier, from: first = earlier, to: last = earlier, upTo } = weeksBefore;
    const whole = wholeOf({ from: first, to: last }, of);
    return upTo === undefined ? whole : { ...whole, to: before(upTo) };
  }
  const key = line[by];
  if (by === 'day') return { day: key };
  if (by === undefined) return wholeOf({ from, to }, of);
  const length = lengths[by];
  if (length === undefined)
    return { ...wholeOf({ from, to }, of), ...(key === undefined ? { without: by } : { [by]: key }) };
  return from === to ? { from: key, to: new Date(Date.parse(key) + length - 1).toISOString() } : undefined;
};

const figureOfLine = async (leaf: Leaf, of: Answered): Promise<unknown> => {
  const name = lastName(leaf);
  const line = lineOf(leaf, of);
  if (!isCallFigure(name)) {
    const { day, from = day, to = day, by } = line;
    const days = by === 'day' ? { from: line.day ?? line[by], to: line[by] } : { from, to };
    const seconds = await stateSeconds(of, { ...days, ...(by === 'agent' && { agents: [line.agent] }) });
    return leaf.shape.includes('.secondsByState.') ? seconds[name] : timeFigure(name, seconds);
  }
  const list = listOfLine(leaf, of);
  if (list === undefined) return leaf.value;
  const within = Number(optionOf(of, 'within') ?? usualSeconds);
  return await of.figures.figureOf(name, { list, within, count: async (rows) => rows });
};

const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1_000;

const pasted = ({ lists }: Answered, command: string): Promise<readonly Row[]> =>
  lists.once(command, () => lists.pasted(command));

const agentsIn = async ({ centre, lists }: Answered, account: string, state?: string): Promise<number> => {
  const { agents } = await lists.once(`floor of ${account}`, () => centre.ask('floor', { account }));
  return agents.filter((agent: Part) => state === undefined || agent.state === state).length;
};

/** A sentence with its first number replaced by what was counted. */
const withCount = (leaf: Leaf, count: unknown): string => String(leaf.value).replace(/\d+/, String(count));

const letters = (of: Answered) => pasted(of, 'npx callfeed dead-letters list parked');
const queue = async (of: Answered): Promise<Part> => Object((await pasted(of, 'npx callfeed dead-letters'))[0]);
const needing = async (of: Answered): Promise<number> =>
  (await pasted(of, 'npx callfeed quarantine list')).filter(({ reason }) => reason !== harmlessReason).length;

/** What `status` warns of, by what the commands list. */
const warning = async (leaf: Leaf, of: Answered): Promise<unknown> => {
  const text = String(leaf.value);
  if (/rejected posts and records wait/.test(text)) return withCount(leaf, await needing(of));
  if (/messages? wait/.test(text)) return withCount(leaf, (await queue(of)).waiting);
  if (/messages? could not be stored/.test(text)) return withCount(leaf, (await letters(of)).length);
  return `no rule for “${text}”`;
};

/** What happened, by what the command behind it lists of the same time and account. */
const happening = async (leaf: Leaf, of: Answered): Promise<unknown> => {
  const { at, until = at, account, what, command } = around(leaf, 0);
  if (what === 'feed') return leaf.value;
  const rows = await pasted(of, command);
  const isOfIt = ({ receivedAt, account: own }: Row) =>
    String(receivedAt) >= at && String(receivedAt) <= until && own === account;
  // SQS selects no messages; what else is listed is of the account alone.
  const others =
    what === 'quarantine' ? rows.filter((row) => account !== undefined && row['account'] !== account).length : 0;
  return others === 0 ? withCount(leaf, rows.filter(isOfIt).length) : { command, others };
};

/** A call has the same numbers wherever it is shown. */
const sameAsConsole = async (leaf: Leaf, { centre, lists, answer }: Answered): Promise<unknown> => {
  const id = answer.words[1];
  const { wait } = await lists.once(`wait ${id}`, () => centre.ask('call-wait', { id }));
  const names = leaf.path.split('.wait.')[1]?.split(/[.[\]]+/) ?? [];
  return names.filter((name) => name !== '').reduce<unknown>((value, name) => Object(value)[name], wait);
};

/** The notes under a list: so many rows, of so many that were looked at or are there. */
const notesOfCalls = async (leaf: Leaf, of: Answered): Promise<unknown> => {
  const { words, lines } = of.answer;
  const text = String(leaf.value);
  if (words.includes('--open')) return await notesOfCallers(text, of);
  const all = words.includes('--agent') ? { agent: optionOf(of, 'agent') } : { customer: optionOf(of, 'customer') };
  const read = (await of.lists.opened({ day: optionOf(of, 'day'), ...all })).length;
  return text
    .replace(/^\d+ listed of \d+ read/, `${lines.length} listed of ${read} read`)
    .replace(/^\d+ listed\./, `${lines.length} listed.`);
};

const notesOfCallers = async (text: string, of: Answered): Promise<string> => {
  const { words, lines } = of.answer;
  const { callers, counts, missed } = await of.centre.ask('waiting', {
    day: optionOf(of, 'day'),
    skill: optionOf(of, 'skill'),
  });
  const all = `${callers.length} ${callers.length === 1 ? 'caller' : 'callers'}`;
  const shown = words.includes('--limit') && lines.length < callers.length ? `${lines.length} of ${all}` : all;
  const of1 = `${missed} missed ${missed === 1 ? 'call' : 'calls'}: ${counts.open} open, ${counts.returned} returned`;
  return text
    .replace(/^(\d+ of )?\d+ callers? listed/, `${shown} listed`)
    .replace(/\d+ missed calls?: \d+ open, \d+ returned/, of1)
    .replace(/\d+ rang again/, `${counts['rang-again']} rang again`)
    .replace(/\d+ without a number/, `${counts['no-number']} without a number`);
};

const notesOfDay = async (leaf: Leaf, of: Answered): Promise<string> => {
  const { day, from = day, to = day } = of.answer.lines[0];
  const { length } = await of.lists.opened(wholeOf({ from, to }, of));
  return String(leaf.value).replace(/^\d+ calls?/, `${length} ${length === 1 ? 'call' : 'calls'}`);
};

const notesOfQuarantine = async (leaf: Leaf, of: Answered): Promise<string> => {
  const all = (await pasted(of, 'npx callfeed quarantine list')).length;
  return String(leaf.value).replace(/^\d+ of \d+/, `${of.answer.tableRows} of ${all}`);
};

export const commandRules: readonly Rule[] = [
  [
    /^day\.lines\[\]\.(shortSeconds|withinSeconds)$/,
    (leaf, of) => Number(lastName(leaf) === 'withinSeconds' ? (optionOf(of, 'within') ?? usualSeconds) : 10),
  ],
  [
    /^day\.lines\[\]\.(day|from|to|agentsUpTo|hour|quarter|weeks?Before\.(day|from|to|upTo|weeks))$/,
    'the days, which the lists are asked by',
  ],
  [/^day\.lines\[\]\.(weeks?Before\.|secondsByState\.)?[\w-]+$/, figureOfLine],
  [/^day\.notes$/, notesOfDay],
  [/^calls\.lines\[\]\.attempts$/, (leaf) => around(leaf, 0).callIds.length],
  [
    /^calls\.lines\[\]\.waitingSeconds$/,
    (leaf, { centre }) => Math.floor(secondsBetween(around(leaf, 0).firstMissedAt, centre.now())),
  ],
  [/^calls\.lines\[\]\./, 'a fact of a call, which the console’s list has too'],
  [/^calls\.notes$/, notesOfCalls],
  [/^call\.lines\[\]\.wait\./, sameAsConsole],
  [/^call\.lines\[\]\./, 'a fact of the call as it is stored'],
  [/^agents\.lines\[\]\.ageSeconds$/, (leaf, { centre }) => secondsBetween(around(leaf, 0).asOf, centre.now())],
  [/^(agents|floor|timeline)\.lines\[\]\.(asOf|since|at|upTo)$/, notLater],
  [
    /^(agents|floor)\.lines\[\]\.(agents|lastKnownAgents)\[\]\./,
    'since when an agent is in a state: a fact of the floor',
  ],
  [/^timeline\.lines\[\]\.day$/, 'the day that was asked for'],
  [
    /^timeline\.lines\[\]\.secondsByState\./,
    async (leaf, of) =>
      (
        await stateSeconds(of, {
          from: lineOf(leaf, of).day,
          to: lineOf(leaf, of).day,
          agents: [lineOf(leaf, of).agentId],
        })
      )[lastName(leaf)],
  ],
  [/^timeline\.lines\[\]\.intervals\[\]\.seconds$/, (leaf) => secondsBetween(around(leaf, 0).from, around(leaf, 0).to)],
  [/^timeline\.lines\[\]\.intervals\[\]\./, 'when a state began and ended'],
  [/^status\.lines\[\]\.accounts\[\]\.agentCount$/, (leaf, of) => agentsIn(of, around(leaf, 0).account)],
  [/^status\.lines\[\]\.accounts\[\]\.counts\./, (leaf, of) => agentsIn(of, around(leaf, 1).account, lastName(leaf))],
  [
    /^status\.lines\[\]\.accounts\[\]\.ageSeconds$/,
    (leaf, { centre }) => secondsBetween(around(leaf, 0).asOf, centre.now()),
  ],
  [/^status\.lines\[\]\.accounts\[\]\..*(asOf|at|since)$/, notLater],
  [/^status\.lines\[\]\.quarantine\.entries$/, (_leaf, of) => needing(of)],
  [/^status\.lines\[\]\.parked$/, async (_leaf, of) => (await queue(of)).waiting],
  [/^status\.lines\[\]\.deadLetters$/, async (_leaf, of) => (await letters(of)).length],
  [/^status\.lines\[\]\.warnings\[\]\.text$/, warning],
  [/^status\.lines\[\]\.happened\[\]\.text$/, happening],
  [/^status\.lines\[\](\.happened\[\])?\.(since|at|until)$/, notLater],
  [/^status\.lines\[\]\.version\.deployed$/, 'the version of the deployment'],
  [/^status\.lines\[\]\..*command$/, 'a command, which what it is about is counted by'],
  [/^dead-letters\.lines\[\]\.deadLetters$/, async (_leaf, of) => (await letters(of)).length],
  [
    /^dead-letters\.lines\[\]\.waiting$/,
    async (_leaf, of) =>
      (await of.centre.ask('operations', {})).cards.flatMap(({ title, lines }: Part) =>
        title === 'Parked' ? [Number(/^About (\d+) /.exec(lines[0])?.[1])] : [],
      )[0],
  ],
  [
    /^(dead-letters|quarantine)\.lines\[\]\./,
    'a fact of what is kept, which counts nothing but how often SQS gave it out',
  ],
  [
    /^dead-letters\.notes$/,
    async (leaf, of) => {
      const all = (await letters(of)).length;
      const counts = `${of.answer.lines.length} of about ${all} dead letters listed; about ${(await queue(of)).waiting} messages`;
      return String(leaf.value).replace(/^\d+ of about \d+ dead letters listed; about \d+ messages/, counts);
    },
  ],
  [/^quarantine\.notes$/, notesOfQuarantine],
];
