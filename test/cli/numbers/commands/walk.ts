import { jsonLines } from '../../support/cli-run.ts';
import { countOfDays } from '../clocks.ts';
import { type Leaf, leavesOf } from '../leaves.ts';
import { type Answered, type Held, heldBy, unused } from '../rules.ts';
import { type Line, linesFor, ofDeployment } from './plan.ts';
import { commandRules } from './rules.ts';
import { strangeNumbers } from './tables.ts';

type Walked = Pick<Answered, 'centre' | 'lists' | 'figures'>;

/** SQS counts each listing of a dead letter, the one of the table too. */
const receivedOnceMore = (lines: readonly Readonly<Record<string, unknown>>[]): readonly string[] =>
  lines.flatMap(({ receives }) => (receives === undefined ? [] : [String(Number(receives) + 1)]));

/** Runs every command that shows numbers, as JSON and as a table, and opens each of its numbers. */
export const walkCommands = ({ centre, lists, figures }: Walked, ids: readonly string[]) => {
  const seen: Leaf[] = [];
  const linesOf = new Map(Object.entries(Object.groupBy(linesFor(centre, ids), ([name = '']) => name)));

  /** Of how many calls each figure is known, as the console says of the same days, and how many days these are. */
  const notesOfDay = async (lines: readonly Readonly<Record<string, unknown>>[]): Promise<readonly string[]> => {
    const { day, from = day, to = day, withinSeconds } = Object(lines[0]);
    const days = from === to ? { day } : { from, to };
    const answer = await centre.ask('day', { ...days, within: String(withinSeconds) });
    const notes = answer.figures.map(({ note }: { readonly note: string }) => note);
    return [...notes, JSON.stringify(lines), String(withinSeconds), String(countOfDays(from, to))];
  };

  const heldIn = async (words: Line): Promise<readonly Held[]> => {
    const [name = ''] = words;
    const account = ofDeployment.includes(name) ? [] : ['--account', centre.account];
    const asJson = await centre.run([...words, ...account, '--json']);
    const asTable = await centre.run([...words, ...account]);
    if (asJson.code !== 0 || asTable.code !== 0) throw new Error(`${words.join(' ')}: ${asJson.notes}${asTable.notes}`);
    const lines = jsonLines(asJson);
    const tableRows = Math.max(0, asTable.output.trimEnd().split('\n').length - 1);
    const answer = { words, lines, tableRows };
    const notes = name === 'quarantine' ? asTable.notes : asJson.notes;
    const leaves = [...leavesOf({ lines }, name), ...leavesOf(notes.trim(), `${name}.notes`)];
    seen.push(...leaves);
    const held = await heldBy(commandRules, leaves, {
      name,
      query: { command: words.join(' ') },
      answer,
      centre,
      lists,
      figures,
    });
    const known = name === 'day' ? await notesOfDay(lines) : receivedOnceMore(lines);
    const until = [
      centre.now(),
      ...lines.flatMap(({ at, asOf }) => [at, asOf].filter((one) => typeof one === 'string')),
    ];
    const clock = { timeZone: centre.timeZone, until };
    const strange = strangeNumbers(asTable.output, { ...clock, lines, notes: [...known, ...words] });
    return [...held, { what: `the table of ${words.join(' ')}`, shown: strange.join('; '), opened: '' }];
  };
  const heldOf = async (name: string) => {
    const held: Held[] = [];
    for (const line of linesOf.get(name) ?? []) held.push(...(await heldIn(line)));
    return held;
  };
  const walked = new Map<string, Promise<readonly Held[]>>();
  return {
    commands: [...linesOf.keys()],
    held(name: string): Promise<readonly Held[]> {
      const held = walked.get(name) ?? heldOf(name);
      walked.set(name, held);
      return held;
    },
    unusedRules: () => unused(commandRules, seen),
  };
};
