import { setTimeout as pause } from 'node:timers/promises';
import {
  GetQueryExecutionCommand,
  GetQueryResultsCommand,
  type QueryExecution,
  StartQueryExecutionCommand,
  StopQueryExecutionCommand,
} from '@aws-sdk/client-athena';
import type { AthenaLocation } from '../frame/deployment.ts';
import { Problem, problemOf } from '../frame/problem.ts';
import { printable } from '../frame/terminal.ts';
import { type AnswerValue, exactNumber, type QueryAnswer } from './query-answer.ts';

export type AthenaUse = ReturnType<typeof useOf>;

const pauseMs = 700;

export const askAthena = async (
  { client, database: Database, workGroup: WorkGroup }: AthenaLocation,
  sql: string,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (use: AthenaUse) => void },
): Promise<QueryAnswer & { readonly use: AthenaUse }> => {
  const question = { QueryString: sql, WorkGroup, QueryExecutionContext: { Database } };
  const started = await client.send(new StartQueryExecutionCommand(question));
  const id = { QueryExecutionId: started.QueryExecutionId };
  for (;;) {
    if (signal.aborted) {
      await client.send(new StopQueryExecutionCommand(id));
      throw new Problem('Stopped. Athena charges what it had scanned by then.');
    }
    const { QueryExecution: execution } = await client
      .send(new GetQueryExecutionCommand(id))
      .catch((error: unknown) => stopAfter(error, () => client.send(new StopQueryExecutionCommand(id))));
    const use = useOf(execution);
    onProgress(use);
    if (use.state === 'SUCCEEDED') return { ...(await resultsOf(client, id)), use };
    if (use.state === 'FAILED' || use.state === 'CANCELLED') throw new Problem(failureOf(execution));
    // The only reason for a rejection is the signal, which the next round finds.
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
  }
};

/** Nobody waits for the answer any more, and Athena would charge all of it. */
const stopAfter = async (error: unknown, stop: () => Promise<unknown>): Promise<never> => {
  const isStopped = await stop().then(
    () => true,
    () => false,
  );
  if (isStopped) throw error;
  throw new Problem(`${problemOf(error).message} Athena may go on with the question, and charge it.`);
};

const useOf = (execution: QueryExecution | undefined) => ({
  state: execution?.Status?.State ?? 'QUEUED',
  bytes: execution?.Statistics?.DataScannedInBytes ?? 0,
  milliseconds: execution?.Statistics?.TotalExecutionTimeInMillis ?? 0,
});

/** Athena's reason quotes the question, and no row. */
const failureOf = (execution: QueryExecution | undefined): string => {
  const { State: state, StateChangeReason: reason } = execution?.Status ?? {};
  return `Athena ${state === 'CANCELLED' ? 'cancelled' : 'rejected'} the question: ${printable(reason ?? 'it gives no reason', true)}`;
};

/**
 * In a SELECT, the first row has the names of the columns. SHOW TABLES and the like have no such row. A page may be empty.
 */
const resultsOf = async (client: AthenaLocation['client'], id: { QueryExecutionId: string | undefined }) => {
  const rows: (readonly AnswerValue[])[] = [];
  let columns: readonly string[] = [];
  let isBeginning = true;
  let next: string | undefined;
  do {
    const { ResultSet: page, NextToken } = await client.send(new GetQueryResultsCommand({ ...id, NextToken: next }));
    const about = page?.ResultSetMetadata?.ColumnInfo ?? [];
    columns = about.map(({ Name = '' }) => Name);
    const texts = (page?.Rows ?? []).map(({ Data = [] }) => columns.map((_, column) => Data[column]?.VarCharValue));
    const hasNames = isBeginning && texts.length > 0 && columns.every((name, column) => texts[0]?.[column] === name);
    isBeginning &&= texts.length === 0;
    for (const row of hasNames ? texts.slice(1) : texts)
      rows.push(row.map((text, column) => athenaValue(text, about[column]?.Type)));
    next = NextToken;
  } while (next !== undefined);
  return { columns, rows };
};

const athenaValue = (text: string | undefined, type = ''): AnswerValue => {
  if (text === undefined) return null;
  return /^(?:tinyint|smallint|integer|bigint|float|double|decimal)/.test(type) ? exactNumber(text) : text;
};

/** What Athena charges for a terabyte in most regions, and the least that it counts for a question. */
const dollarsPerTerabyte = 5;
const leastBytes = 10_000_000;

export const priceOf = (bytes: number): number =>
  bytes === 0 ? 0 : (Math.max(bytes, leastBytes) / 1e12) * dollarsPerTerabyte;
