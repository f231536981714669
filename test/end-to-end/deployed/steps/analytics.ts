import { GetQueryExecutionCommand, GetQueryResultsCommand, StartQueryExecutionCommand } from '@aws-sdk/client-athena';
import { expect } from 'vitest';
import { until } from '../../../support/until.ts';
import type { Deployment } from '../deployment.ts';
import { personalTexts } from '../fixtures.ts';
import type { TestContext } from '../test-context.ts';

/** The answer of Athena to a question, without its heading. */
const ask = async ({ clients: { athena } }: TestContext, { outputs }: Deployment, sql: string) => {
  const { QueryExecutionId } = await athena.send(
    new StartQueryExecutionCommand({
      QueryString: sql,
      WorkGroup: outputs.AnalyticsWorkGroup,
      QueryExecutionContext: { Database: outputs.AnalyticsDatabase },
    }),
  );
  await until(
    'Athena answers',
    async () => (await athena.send(new GetQueryExecutionCommand({ QueryExecutionId }))).QueryExecution?.Status,
    (status) => status?.State === 'SUCCEEDED',
  );
  const { ResultSet } = await athena.send(new GetQueryResultsCommand({ QueryExecutionId }));
  return (ResultSet?.Rows ?? []).slice(1).map(({ Data = [] }) => Data.map(({ VarCharValue }) => VarCharValue));
};

/**
 * A call becomes a row of Parquet through the bus, Firehose and the function that makes rows, and Athena reads it. MiniStack
 * delivers each record at once and knows no views, so the table itself is asked.
 */
export const askAnalytics = async (context: TestContext, deployment: Deployment, callId: string): Promise<void> => {
  const rows = await until(
    `call ${callId} is in the lake`,
    () =>
      ask(context, deployment, `SELECT call_id, day, status, revision FROM call_revisions WHERE call_id = '${callId}'`),
    ({ length }) => length > 0,
  );
  expect(rows, 'The row of the call').toStrictEqual([[callId, '2026-11-20', 'answered', '1']]);

  const everything = await ask(context, deployment, 'SELECT * FROM call_revisions');
  for (const text of personalTexts) expect(JSON.stringify(everything), 'All rows').not.toContain(text);
};
