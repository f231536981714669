import { Option } from '@commander-js/extra-typings';
import { type Period, questions, withPeriod } from '../../functions/transform-events/sql-files.ts';
import { mapValues } from '../../lib/core/collections.ts';
import { addDays } from '../../lib/core/time.ts';
import { type BareCommand, command, type OptionsOf, on, type RunContext } from '../frame/command.ts';
import { forSpreadsheets, printCsv } from '../frame/csv.ts';
import type { Feature } from '../frame/feature.ts';
import { csvOption, dayFrom, rejectTwoFormats, today, yesterday } from '../frame/options.ts';
import { Problem } from '../frame/problem.ts';
import { type Cell, printRows, printTable } from '../frame/table.ts';
import { printable, printableJson, type Terminal } from '../frame/terminal.ts';
import { counted } from '../frame/texts.ts';
import { type AthenaUse, askAthena, priceOf } from './ask-athena.ts';
import { askFolder } from './ask-folder.ts';
import type { AnswerValue, QueryAnswer } from './query-answer.ts';

const period = ['from', 'to'];

const queryOptions = (command: BareCommand) =>
  command
    .addOption(
      new Option('--sql <statement>', 'any SQL over the tables and views, in Athena’s dialect').conflicts(period),
    )
    .option('--dir <folder>', 'asks the folder of npm start -- --analytics instead of a deployment')
    .option('--from <day>', 'the first day in UTC, such as 2026-11-20 (default: 28 days ago)', dayFrom)
    .option('--to <day>', 'the last day in UTC, inclusive (default: today)', dayFrom)
    .addOption(csvOption)
    .argument('[question]', 'one of the questions; without it, lists them');
type QueryOptions = OptionsOf<typeof queryOptions>;

const defaultDays = 28;

export const query = command({
  name: 'query',
  description: 'answers a question about the history of calls and agents, in Athena or on this machine',
  permissions: [
    on(
      'work group of analytics',
      'athena:StartQueryExecution athena:GetQueryExecution athena:GetQueryResults athena:StopQueryExecution',
      'unless `--dir` is given, and [what a reader needs](analytics.md#no-personal-data) of Glue and S3',
    ),
  ],
  options: queryOptions,
  help: `Athena charges the bytes that it scans, 10 MB at least: the last line says how many they were, and Ctrl-C stops it there too.

Examples:
  $ callfeed query
  $ callfeed query service-level-by-hour-and-skill --from 2026-11-01 --to 2026-11-30
  $ callfeed query --sql "SELECT skill_name, sum(offered) AS offered FROM call_quarters GROUP BY skill_name"`,
  run: async (context, options, question) => {
    rejectTwoFormats(options);
    const { terminal } = context;
    const sql = sqlOf(question, options, context.clock());
    if (sql === undefined) {
      const rows = questions().map(({ name, title }) => ({ name, title }));
      return printRows(terminal, options.json, { name: 'QUESTION', title: 'WHAT IT ANSWERS' }, rows);
    }
    const { answer, note } =
      options.dir === undefined
        ? await askDeployment(context, options, sql)
        : { answer: await askFolder(options.dir, sql), note: 'Nothing was charged.' };
    printAnswer(terminal, answer, options);
    terminal.note(`${counted(answer.rows.length, 'row')}. ${note}`);
  },
});

const sqlOf = (question: string | undefined, options: QueryOptions, now: Date): string | undefined => {
  if (question === undefined) return options.sql;
  if (options.sql !== undefined) throw new Problem('Give a question or --sql, not both.', 2);
  const all = questions();
  const found = all.find(({ name }) => name === question);
  if (found !== undefined) return withPeriod(found.sql, periodOf(options, now));
  const names = all.map(({ name }) => `  ${name}`).join('\n');
  throw new Problem(`There is no question ${printable(question)}. Questions are:\n${names}`, 2);
};

const periodOf = ({ from, to }: Pick<QueryOptions, 'from' | 'to'>, now: Date): Period => {
  const day = now.toISOString().slice(0, 10);
  const named: Readonly<Record<string, string>> = { [today]: day, [yesterday]: addDays(day, -1) };
  const last = to === undefined ? day : (named[to] ?? to);
  const first = from === undefined ? addDays(last, -defaultDays) : (named[from] ?? from);
  if (first > last) throw new Problem('--from must not be after --to.', 2);
  return { from: first, to: last };
};

const askDeployment = async (context: RunContext, options: QueryOptions, sql: string) => {
  const { analytics } = await context.connect(options);
  if (analytics === undefined)
    throw new Problem(
      options.endpoint === undefined
        ? 'This deployment has no analytics: deploy it with analytics=on.'
        : 'A sandbox has no Athena: name the folder of npm start -- --analytics with --dir.',
    );
  const { use, ...answer } = await askAthena(analytics, sql, {
    signal: context.interruption(),
    onProgress: (sofar) => context.terminal.progress(`Athena: ${sofar.state.toLowerCase()}, ${scanned(sofar)}`),
  });
  const seconds = (use.milliseconds / 1_000).toFixed(1);
  return { answer, note: `${scanned(use)} in ${seconds} s: $${priceOf(use.bytes).toFixed(6)} at $5 a terabyte.` };
};

const scanned = ({ bytes }: Pick<AthenaUse, 'bytes'>): string => `${(bytes / 1e6).toFixed(1)} MB scanned`;

const cellOf = (value: AnswerValue | undefined): Cell => {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
};

const printAnswer = (terminal: Terminal, answer: QueryAnswer, { json, csv }: QueryOptions): void => {
  const printAsText = json ? printJsonAnswer : printTableAnswer;
  const print = csv ? printCsvAnswer : printAsText;
  print(terminal, answer);
};

const printCsvAnswer = (terminal: Terminal, { columns, rows }: QueryAnswer): void => {
  const file = forSpreadsheets(terminal);
  for (const row of [columns, ...rows]) printCsv(file, row.map(cellOf));
};

const printJsonAnswer = (terminal: Terminal, { columns, rows }: QueryAnswer): void => {
  for (const row of rows) terminal.print(printableJson(objectOf(columns, row)));
};

const printTableAnswer = (terminal: Terminal, { columns, rows }: QueryAnswer): void => {
  const headings = Object.fromEntries(columns.map((name) => [name, name.replaceAll('_', ' ').toUpperCase()]));
  const cells = rows.map((row) => mapValues(objectOf(columns, row), (value) => cellOf(rounded(value))));
  printTable(terminal, headings, cells);
};

const objectOf = (
  columns: QueryAnswer['columns'],
  row: QueryAnswer['rows'][number],
): Readonly<Record<string, AnswerValue | undefined>> =>
  Object.fromEntries(columns.map((name, index) => [name, row[index]]));

const rounded = (value: AnswerValue | undefined): AnswerValue | undefined =>
  typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value;

export const analytics: Feature = { commands: [query] };
