import type * as z from 'zod/mini';
import { isEventType } from '../../lib/contract/events.ts';
import { isObject } from '../../lib/core/collections.ts';
import { fail, ok, type Result, wrongFields } from '../../lib/core/result.ts';
import { publicDetail } from '../../lib/publish/project-event.ts';
import { AgentDetail, agentChangeColumns } from './agent-changes.ts';
import { CallDetail, callRevisionColumns, storedAt } from './call-revisions.ts';
import type { Column, ColumnValue } from './column.ts';
import { type TableName, tableOfEvent } from './columns.ts';

export interface AnalyticsRow {
  readonly table: TableName;
  /** The partition: a day in UTC, such as 2026-11-20. */
  readonly day: string;
  readonly row: Readonly<Record<string, ColumnValue>>;
}

/**
 * The row of an event as EventBridge delivers it; undefined for an event that makes none. A problem names the fields that are
 * wrong, and holds no value. Personal fields are removed first, whatever the deployment publishes, so no column can hold any.
 */
export const rowOf = (event: unknown): Result<AnalyticsRow | undefined, string> => {
  if (!isObject(event) || !isEventType(event['detail-type'])) return fail('detail-type is none of Callfeed’s.');
  const { 'detail-type': type, detail } = event;
  if (!isObject(detail)) return fail('detail is no object.');
  const table = tableOfEvent(type);
  return table === undefined ? ok(undefined) : rowIn[table](publicDetail(type, detail));
};

type RowIn = (detail: object) => Result<AnalyticsRow, string>;

const rowsOf =
  <Detail>(
    table: TableName,
    schema: z.ZodMiniType<Detail>,
    columns: Readonly<Record<string, Column<Detail>>>,
    instantOf: (detail: Detail) => string,
  ): RowIn =>
  (detail) => {
    const parsed = schema.safeParse(detail);
    if (!parsed.success) return fail(`These fields are wrong: ${wrongFields(parsed.error)}.`);

    const row: Record<string, ColumnValue> = {};
    for (const [name, column] of Object.entries(columns)) {
      const value = column.read(parsed.data);
      if (value === undefined) continue;
      if (column.type === 'timestamp' && !instantForm.test(String(value))) return fail(`${name} is no timestamp.`);
      row[name] = column.type === 'timestamp' ? timestampText(String(value)) : value;
    }
    return ok({ table, day: instantOf(parsed.data).slice(0, 10), row });
  };

const rowIn: Readonly<Record<TableName, RowIn>> = {
  call_revisions: rowsOf('call_revisions', CallDetail, callRevisionColumns, storedAt),
  agent_changes: rowsOf('agent_changes', AgentDetail, agentChangeColumns, ({ occurredAt }) => occurredAt),
};

/** A local time after the year 9999 has another form, in which no reader knows it. The rows beside it would fail too. */
const instantForm = /^\d{4}-/;

/** An instant as the readers of JSON in Glue and DuckDB know timestamps. */
const timestampText = (instant: string): string => instant.replace('T', ' ').replace('Z', '');
