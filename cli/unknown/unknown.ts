import { setTimeout as pause } from 'node:timers/promises';
import type { Read } from '../../client/index.ts';
import { tableReader } from '../../client/table-reader.ts';
import { rejectZoneWithoutDay, requestedRange } from '../frame/asked-days.ts';
import { accountNamesFrom, command, on, type RunContext } from '../frame/command.ts';
import { type RangeOptions, rangeOptions } from '../frame/options.ts';
import { describeRead, type Reader, reader } from '../frame/reader.ts';
import { hidden } from '../frame/redact.ts';
import { printRows, type TableRow } from '../frame/table.ts';
import { printable } from '../frame/terminal.ts';
import { type FoundWord, findingsAs, readCalls, readSnapshots, type UnknownItem } from './unknown-words.ts';

const defaultDays = 7;

export const unknown = command({
  name: 'unknown',
  description: 'lists words and fields that Callfeed does not know: how often and since when they came',
  permissions: [
    on('Calls table and its indexes', 'dynamodb:Query'),
    on('Agents table', 'dynamodb:Query'),
    accountNamesFrom('unless `--account`, and with `--day` also `--time-zone`, is given'),
  ],
  options: rangeOptions,
  help: `Without a range it reads the last ${defaultDays} days. Rules that select words leave such calls out. A field that is not known has “extra.”
before its name. FIRST and LAST are instants at which such calls started, for the range of “callfeed renormalise”. Each call costs one query.
Without --show-personal, what is no plain word is hidden, and what is hidden alike is one line.

Examples:
  $ callfeed unknown
  $ callfeed unknown --from 2026-11-20T00:00:00Z --to 2026-11-21T00:00:00Z --json | jq -r .callId`,
  run: async (context, options) => {
    rejectZoneWithoutDay(options);
    const { terminal, clock } = context;
    const { json, showPersonal } = options;
    const now = clock();
    const found = await reader(context, options);
    const { from = daysBefore(now, defaultDays), to = now.toISOString() } = await requestedRange(found, options, now);
    const { add, sorted } = findingsAs(showPersonal ? (item) => item : withHidden);
    const read = await readAll(context, found, options, { from, to }, add);

    const findings = sorted();
    const count = findings.reduce((sum, { sent }) => sum + sent.size, 0);
    printRows(terminal, json, columns, findings.map(json ? jsonOf : rowOf));
    const isEmpty = options.account !== undefined && read.calls + read.snapshots === 0;
    const question = isEmpty ? ' If there should be some: is the account spelt as in the secret?' : '';
    terminal.note(`${count} found. ${readText(read)} from ${from} to ${to}.${question}`);
    if (!showPersonal && findings.some(({ field, word }) => [field, word].includes(hidden)))
      terminal.note('What is no plain word is hidden, as it may be personal: --show-personal shows it.');
    context.setExitCode(read.unreadable > 0 ? 1 : 0);
  },
});

/** Whether a text is a word that may be shown, and no number, address or sentence. */
const isPlainWord = (text: string): boolean => /^\p{L}[\p{L}\p{M}_-]{0,39}$/u.test(text);

export const withHidden = ({ field, word }: UnknownItem): UnknownItem => {
  const shown = isPlainWord(word ?? field) ? (word ?? field) : hidden;
  return word === undefined ? { field: shown, word } : { field, word: shown };
};

const readAll = async (
  { terminal }: RunContext,
  { client, account, deployment: { dynamodb, tables } }: Reader,
  { verbose }: RangeOptions,
  range: Readonly<Record<'from' | 'to', string>>,
  onFound: ReturnType<typeof findingsAs>['add'],
) => {
  const read = { calls: 0, unreadable: 0, snapshots: 0 };
  for await (const { calls, unreadable } of readCalls(client, range, onFound)) {
    read.calls += calls;
    read.unreadable += unreadable.length;
    for (const message of unreadable) terminal.note(`${printable(message)}.`);
    terminal.progress(readText(read));
  }
  const onRead = verbose ? (one: Read) => terminal.note(describeRead(one)) : undefined;
  const agents = tableReader({ dynamodb, table: 'agents', tableName: tables.agents, onRead, pause });
  for await (const snapshots of readSnapshots(agents, { account, ...range }, onFound)) {
    read.snapshots += snapshots;
    terminal.progress(readText(read));
  }
  return read;
};

const daysBefore = (now: Date, days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();

const readText = ({ calls, unreadable, snapshots }: Readonly<Record<'calls' | 'unreadable' | 'snapshots', number>>) =>
  `${calls} calls${unreadable > 0 ? ` (${unreadable} of them unreadable)` : ''} and ${snapshots} snapshots of agents read`;

const columns = {
  in: 'IN',
  field: 'FIELD',
  word: 'WORD',
  records: 'RECORDS',
  first: 'FIRST',
  last: 'LAST',
  example: 'EXAMPLE',
};

const rowOf = ({ in: place, field, word, sent, records, first, last, example }: FoundWord): TableRow => {
  const times = sent.size === 1 ? '' : ` × ${sent.size}`;
  const shown = word === undefined ? { field: `extra.${field}${times}` } : { field, word: `${word}${times}` };
  return { in: place, ...shown, records, first, last, example };
};

const jsonOf = ({ in: place, field, word, sent, records, first, last, example }: FoundWord): TableRow => ({
  in: place,
  ...(word === undefined ? { extra: field } : { field, word }),
  ...(sent.size > 1 && { alike: sent.size }),
  records,
  first,
  last,
  ...(place === 'agent' ? { agentId: example } : { callId: example }),
});
