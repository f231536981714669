import { commandText } from '../../lib/core/command-text.ts';
import type { RowKey } from '../../lib/storage/rows.ts';
import type { RunContext } from '../frame/command.ts';
import { isDown, Problem, problemOf } from '../frame/problem.ts';
import { printResult } from '../frame/table.ts';
import { printable, type Terminal } from '../frame/terminal.ts';
import { counted } from '../frame/texts.ts';
import {
  type ErasureSearch,
  erasable,
  type FoundRows,
  findings,
  isPolledNow,
  recordErasure,
  sizeOf,
} from './erasure-rows.ts';

/** Reads every row, and answers those that name the person. */
export const findAll = async (terminal: Terminal, search: ErasureSearch, stop: AbortSignal) => {
  const { rows, units } = await sizeOf(search);
  terminal.note(`Reads every row: about ${rows}, with ${units} read units.`);
  const found: FoundRows[] = [];
  let read = 0;
  let unreadable = 0;
  const onRead = (more: number) => {
    if (stop.aborted) throw new Problem('Stopped; nothing was written.');
    read += more;
    terminal.progress(`${read} rows read, ${found.length} found`);
  };
  const onUnreadable = (key: RowKey) => {
    unreadable += 1;
    terminal.note(
      `${printable(JSON.stringify(key))} cannot be read, so its call stays as it is, and may name the person.`,
    );
  };
  for await (const finding of findings({ ...search, onRead, onUnreadable })) found.push(finding);
  return { found, unreadable };
};

export const rejectPolled = async (
  { deployment, agent }: ErasureSearch,
  found: readonly FoundRows[],
  now: Date,
): Promise<void> => {
  const isLoggedIn = agent !== undefined && found.some(({ kind }) => kind === 'agents');
  if (isLoggedIn && (await isPolledNow(deployment, agent.account, now)))
    throw new Problem('The agent is logged in, and the next poll would restore the row. Run this after the log-out.');
};

/** Erases what was found, row by row, and records the erasure before and after. */
export const eraseAll = async (
  { terminal, clock }: RunContext,
  isJson: boolean,
  { deployment, person, agent }: ErasureSearch,
  { found, unreadable }: Awaited<ReturnType<typeof findAll>>,
  stop: AbortSignal,
): Promise<void> => {
  const startedAt = clock().toISOString();
  const kind = agent === undefined ? 'customer' : 'agent';
  const toErase = rowsByKind(found);
  const total = sum(toErase);
  const erasure = { person: kind, account: person.account, pseudonym: agent?.pseudonym, found: toErase };
  await recordErasure(deployment, startedAt, erasure);

  const done: Pick<FoundRows, 'kind' | 'rows'>[] = [];
  let rows = 0;
  let failed = unreadable;
  for (const { kind, erase } of found) {
    if (stop.aborted) break;
    try {
      const changed = await erase();
      rows += changed;
      done.push({ kind, rows: changed });
    } catch (error) {
      failed += 1;
      terminal.note(`A row of ${kind} stays as it is. ${problemOf(error).message}`);
      if (isDown(error)) break;
    }
    terminal.progress(`${rows} of ${total} rows erased`);
  }
  const isDone = !stop.aborted && failed === 0;
  const erased = rowsByKind(done);
  const result = { ...erasure, erased, failed, finishedAt: isDone ? clock().toISOString() : undefined };
  await recordErasure(deployment, startedAt, result);

  printResult(terminal, isJson, { startedAt, ...result }, `Erased: ${rowsText(erased)}.`);
  const sameAgent = agent === undefined ? '.' : ` with ${commandText(['--as', agent.pseudonym])}`;
  if (!isDone) throw new Problem(`Not all is erased. To continue: the same command${sameAgent}`);
};

type Counts = Readonly<Record<string, number>>;

export const rowsByKind = (found: readonly Pick<FoundRows, 'kind' | 'rows'>[]): Counts =>
  Object.fromEntries(
    erasable.map((kind) => [kind, found.reduce((rows, one) => (one.kind === kind ? rows + one.rows : rows), 0)]),
  );

const sum = (counts: Counts): number => Object.values(counts).reduce((total, count) => total + count, 0);

export const rowsText = (counts: Counts): string => {
  const kinds = Object.entries(counts).flatMap(([kind, count]) => (count > 0 ? [`${kind} ${count}`] : []));
  return `${counted(sum(counts), 'row')}${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}`;
};
