import { callsTable } from '../../lib/contract/tables.ts';
import { sandboxTables, tableNames } from '../../sandbox/tables.ts';
import { rowsOf } from '../costs/command-rows.ts';
import { createReceiver } from '../costs/receiver.ts';
import type { Item, RowWrite } from '../costs/write-units.ts';
import { carriedDynamodb } from '../growth/stand-in/carried-dynamodb.ts';
import { tablesStandIn } from '../growth/stand-in/tables-stand-in.ts';
import { watchedMetering } from '../growth/subjects/watched-metering.ts';

/** A write to the calls' table, and what became of it. */
export interface SeenWrite {
  readonly write: RowWrite;
  readonly isRefused: boolean;
  readonly isTransaction: boolean;
}

/** A receiver of which all writes to the calls' table are seen. */
export interface WatchedReceiver {
  /** Posts content; answers what was written for it, in order. */
  post(content: unknown): Promise<readonly SeenWrite[]>;
  /** Empties the tables. */
  forget(): void;
}

const start = Date.parse('2040-01-02T06:00:00.000Z');

/** The receiver of callbacks as deployed, for these accounts, over empty tables. */
export const watchedReceiver = (userNames: readonly string[]): WatchedReceiver => {
  const tables = tablesStandIn(sandboxTables);
  const dynamodb = carriedDynamodb(async (request) => tables.answer(request));
  const rows = new Map<string, Item>();
  const seen: SeenWrite[] = [];
  let nowMs = start;

  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const { kind, targets } = rowsOf(args.input);
      const writes = targets.map(({ row, goes }) => {
        const name = JSON.stringify([row['pk'], row['sk']]);
        return { name, write: { table: callsTable, before: rows.get(name), after: goes ? undefined : row } };
      });
      const note = (isRefused: boolean): void => {
        const isTransaction = kind === 'transaction';
        seen.push(...writes.map(({ write }) => ({ write, isRefused, isTransaction })));
      };

      const result = await next(args).catch((error: unknown) => {
        note(true);
        throw error;
      });
      note(false);
      for (const { name, write } of writes) {
        if (write.after === undefined) rows.delete(name);
        else rows.set(name, write.after);
      }
      return result;
    },
    { step: 'initialize', name: 'watched' },
  );

  const metering = watchedMetering(dynamodb);
  const receive = createReceiver(metering, () => new Date(nowMs), tableNames, userNames);
  return {
    async post(content) {
      nowMs += 1_000;
      await receive(JSON.stringify(content));
      metering.check('"quarantined":0,"parked":0');
      return seen.splice(0);
    },
    forget() {
      tables.restore('nothing');
      rows.clear();
    },
  };
};
