import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type * as z from 'zod/mini';
import type { RecoverCallbacksEnv } from '../../functions/recover-callbacks/env.ts';
import type { Settings } from '../settings/settings.ts';
import type { ServiceFunction } from './service-function.ts';

/** The tables that store calls and quarantined callbacks, and how long they retain rows. */
export interface CallStore {
  readonly calls: TableV2;
  readonly quarantine: TableV2;
  readonly settings: Pick<Settings, 'callRetentionDays' | 'quarantineRetentionDays'>;
}

/** The environment of a function that stores calls. */
export const storeEnvironment = ({ calls, quarantine, settings }: CallStore) =>
  ({
    CALLS_TABLE: calls.tableName,
    QUARANTINE_TABLE: quarantine.tableName,
    CALL_RETENTION_DAYS: String(settings.callRetentionDays),
    QUARANTINE_RETENTION_DAYS: String(settings.quarantineRetentionDays),
  }) satisfies z.input<typeof RecoverCallbacksEnv>;

/** Grants what storing needs. No read is needed: a failed conditional write returns the existing row. */
export const allowStoring = (writer: ServiceFunction, { calls, quarantine }: CallStore): void => {
  writer.allow(calls.tableArn, 'Stores calls and participants.', 'dynamodb:PutItem');
  writer.allow(
    calls.tableArn,
    'Removes the index entry of an agent that a later delivery removed from a call.',
    'dynamodb:DeleteItem',
  );
  writer.allow(quarantine.tableArn, 'Stores callbacks that could not be read.', 'dynamodb:PutItem');
  writer.allow(quarantine.tableArn, 'Counts the entries of unknown senders in a minute.', 'dynamodb:UpdateItem');
};
