import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { firstSignal } from '../../sandbox/cli/first-signal.ts';
import { complain, print } from '../../sandbox/cli/output.ts';
import { createTables } from '../../sandbox/dynamodb/create-tables.ts';
import { localClient } from '../../sandbox/local-client.ts';
import { sandboxTables, tableNames } from '../../sandbox/tables.ts';
import { withDynamodb } from '../with-dynamodb.ts';
import { jsonReport } from './json-report.ts';
import { measure } from './measure.ts';
import { type Format, formatFrom, usage } from './options.ts';
import type { Report } from './report.ts';
import { markdownReport, plainReport } from './written-report.ts';

const startedAt = performance.now();

/** Progress goes where complaints go, so that what is printed can be piped. */
const tell = (what: string): void => {
  complain(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(5)} s  ${what}`);
};

/** Measures in a DynamoDB Local of its own, which ends with it. */
const measured = (): Promise<Report> => {
  tell('starting DynamoDB Local');
  return withDynamodb(async (endpoint) => {
    const client = new DynamoDBClient(localClient(endpoint));
    await createTables(client, sandboxTables).finally(() => client.destroy());
    return measure({ endpoint, tableNames }, tell);
  });
};

const writers: Readonly<Record<Exclude<Format, 'help'>, (report: Report) => string>> = {
  plain: plainReport,
  markdown: markdownReport,
  json: jsonReport,
};

/** Resolves with the exit code. */
const run = async (): Promise<number> => {
  const format = formatFrom(process.argv.slice(2));
  if (!format.ok) {
    complain(format.problem);
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
  complain(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
