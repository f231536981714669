import type { FunctionName } from '../../functions/limits.ts';
import { isObject } from '../../lib/core/collections.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { expandedPermissions, functionPermissions } from '../fixtures/function-permissions.ts';

/** Each function's permissions, by its construct. */
const granted = new Map(
  Object.entries(functionPermissions).map(([construct, lines]) => [construct, new Set(expandedPermissions(lines))]),
);

/** `ReceiveCallback` for `receive-callback`. */
const constructOf = (name: FunctionName): string =>
  name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** What a function's environment names. */
const resources: Readonly<Record<string, string>> = {
  CALLS_TABLE: 'Calls',
  QUARANTINE_TABLE: 'Quarantine',
  AGENTS_TABLE: 'Agents',
  PARKING_QUEUE_URL: 'ParkingQueue',
  RECONCILE_QUEUE_URL: 'ReconcileCallsQueue',
  FORWARD_QUEUE_URL: 'ForwardDeliveriesQueue',
  RECORDINGS_QUEUE_URL: 'ArchiveRecordingsQueue',
  RECORDINGS_DEAD_LETTERS_URL: 'ArchiveRecordingsDeadLetters',
};

type Json = Readonly<Record<string, unknown>>;

/** The single writes of a transaction, each as the action and the table: it needs the permissions of all. */
const ofTransaction = ({ TransactItems }: Json): readonly (readonly [action: string, table: unknown])[] =>
  [TransactItems].flat().flatMap((item) =>
    Object.entries(Object(item)).map(([kind, of]) => {
      const action = kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`;
      return [action, Object(of).TableName] as const;
    }),
  );

interface AskedCall {
  readonly service: string;
  readonly operation: string;
  readonly body: () => string;
}

/** The permissions that AWS would ask for, as `service:Action on Resource`. */
const neededFor = (
  { service, operation, body }: AskedCall,
  env: Readonly<Record<string, string>>,
): readonly string[] => {
  const parsed = tryParseJson(body());
  const input: Json = isObject(parsed) ? parsed : {};
  const nameOf = (value: unknown): string => {
    const [variable = ''] = Object.entries(env).find(([name, text]) => name in resources && text === value) ?? [];
    return resources[variable] ?? String(value);
  };
  switch (service) {
    case 'dynamodb': {
      const tables = Object.keys(Object(input['RequestItems']));
      const single = tables.length > 0 ? tables : [input['TableName']];
      const asked = operation.startsWith('Transact') ? ofTransaction(input) : single.map((table) => [operation, table]);
      const index = input['IndexName'] === undefined ? '' : `/index/${input['IndexName']}`;
      return asked.map(([action, table]) => `dynamodb:${action} on ${nameOf(table)}.Arn${index}`);
    }
    case 'sqs':
      return [`sqs:${operation.replace(/Batch$/, '')} on ${nameOf(input['QueueUrl'])}.Arn`];
    case 'eventbridge':
      return [`events:${operation} on Bus.Arn`];
    case 'secrets':
      return [`secretsmanager:${operation} on Accounts.Ref`];
    case 's3':
      return [`s3:${operation} on ArchiveRecordingsBucket.Arn/*`];
    default:
      return [];
  }
};

/** What a function may not do of what a call needs. */
export const forbiddenIn = (
  name: FunctionName,
  call: AskedCall,
  env: Readonly<Record<string, string>>,
): readonly string[] => neededFor(call, env).filter((needed) => !granted.get(constructOf(name))?.has(needed));
