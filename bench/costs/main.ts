import { ok } from '../../lib/core/result.ts';
import { print, printError } from '../../sandbox/cli/terminal.ts';
import { readArguments, runCommand } from '../../test/support/command-parts.ts';
import { startLocalTables } from '../../test/support/dynamodb-local.ts';
import { consoleReport } from './console-report.ts';
import { measureConsoles } from './measure-console.ts';
import { measure } from './month.ts';
import { analyticsReport, markdownReport, priceTable } from './report.ts';

const usage = `Usage: npm run costs -- [--help]

  Runs the functions on DynamoDB Local, counts what AWS would charge for, and prices it by
  bench/costs/prices.ts, for the volumes in scenario.ts. It prints the tables of docs/performance.md, and the prices.`;

const startedAt = performance.now();

/** Progress goes to standard error, so that the report can be piped. */
const logProgress = (what: string): void => {
  printError(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(5)} s  ${what}`);
};

await runCommand({
  options: readArguments({}, [], () => ok({})),
  usage,
  async run() {
    logProgress('starting DynamoDB Local');
    const tables = await startLocalTables();
    try {
      const report = await measure(tables, logProgress);
      const consoles = await measureConsoles(tables, logProgress);
      print(
        [
          markdownReport(report),
          analyticsReport(report),
          'What an open console reads:',
          consoleReport(consoles, report),
          'Prices:',
          priceTable(),
        ].join('\n\n'),
      );
      return 0;
    } finally {
      await tables.stop();
    }
  },
});
