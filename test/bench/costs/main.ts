import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { fail, ok, type Result } from '../../../lib/core/result.ts';
import { argumentsProblem, firstSignal, print, printError } from '../../../sandbox/cli/run-command.ts';
import { createTables } from '../../../sandbox/dynamodb/create-tables.ts';
import { localClient, sandboxTables, tableNames } from '../../../sandbox/local-aws.ts';
import { withDynamodb } from '../part.ts';
import { jsonReport, markdownReport, plainReport } from './cost-report.ts';
import { measure, type Report } from './count-all.ts';

const usage = `Usage: npm run costs -- [flags]        (npm needs the -- before flags)

  --markdown   prints the tables of docs/cost.md
  --json       prints everything that was counted and priced
  --help       prints this

  Runs the functions on DynamoDB Local, counts what AWS would charge for, and prices it by
  test/bench/costs/prices.ts, for the volumes given there.`;

type Format = 'plain' | 'markdown' | 'json' | 'help';

const flags = {
  markdown: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const formatFrom = (args: readonly string[]): Result<Format, string> => {
  try {
    const { help, markdown, json } = parseArgs({ args: [...args], options: flags, strict: true }).values;
    if (help) return ok('help');
    if (markdown && json) return fail(`Either --markdown or --json.\n\n${usage}`);
    if (markdown) return ok('markdown');
    return ok(json ? 'json' : 'plain');
  } catch (error) {
    return fail(`${argumentsProblem(error)}\n\n${usage}`);
  }
};

const startedAt = performance.now();

/** Progress goes to standard error, so that the report can be piped. */
const logProgress = (what: string): void => {
  printError(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(5)} s  ${what}`);
};

const measured = (): Promise<Report> => {
  logProgress('starting DynamoDB Local');
  return withDynamodb(async (endpoint) => {
    const client = new DynamoDBClient(localClient(endpoint));
    await createTables(client, sandboxTables).finally(() => client.destroy());
    return measure({ endpoint, tableNames }, logProgress);
  });
};

const writers: Readonly<Record<Exclude<Format, 'help'>, (report: Report) => string>> = {
  plain: plainReport,
  markdown: markdownReport,
  json: jsonReport,
};

const run = async (): Promise<number> => {
  const format = formatFrom(process.argv.slice(2));
  if (!format.ok) {
    printError(format.problem);
    return 2;
  }
  if (format.value === 'help') {
    print(usage);
    return 0;
  }
  // DynamoDB Local's guard ends it with this process.
  const report = await Promise.race([measured(), firstSignal()]);
  if (report === 'stopped') return 130;
  print(writers[format.value](report));
  return 0;
};

try {
  process.exit(await run());
} catch (error) {
  printError(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
