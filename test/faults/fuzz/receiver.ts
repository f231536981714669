import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { callbackSecretHash } from '../../../lib/accounts/redact-secrets.ts';
import type { QuarantineEntry } from '../../../lib/callback/schema.ts';
import { bodyOf } from '../../../lib/callback/store-or-park.ts';
import { type Row, unmarshalled } from '../../../lib/storage/rows.ts';
import { noFault } from '../../deployment/fault.ts';
import { memoryDynamodb } from '../../deployment/memory-dynamodb/memory-dynamodb.ts';
import { createEnvironment, worldTables } from '../../deployment/world.ts';
import { accounts, callbackSecret } from './stored-values.ts';

const shared = {
  Object: Object.prototype,
  Array: Array.prototype,
  Function: Function.prototype,
  String: String.prototype,
  Number: Number.prototype,
  Boolean: Boolean.prototype,
  RegExp: RegExp.prototype,
  Map: Map.prototype,
  Set: Set.prototype,
  Promise: Promise.prototype,
  Error: Error.prototype,
  URLSearchParams: URLSearchParams.prototype,
  'Object itself': Object,
  'Array itself': Array,
} as const;

type Properties = ReadonlyMap<PropertyKey, PropertyDescriptor | undefined>;

const propertiesOf = (object: object): Properties =>
  new Map(Reflect.ownKeys(object).map((key) => [key, Reflect.getOwnPropertyDescriptor(object, key)]));

const known = Object.entries(shared).map(([name, object]) => ({ name, object, properties: propertiesOf(object) }));

const isSame = (one: PropertyDescriptor | undefined, other: PropertyDescriptor | undefined): boolean =>
  one?.value === other?.value && one?.get === other?.get;

const restore = (object: object, key: PropertyKey, before: PropertyDescriptor | undefined): void => {
  if (before === undefined) Reflect.deleteProperty(object, key);
  else Reflect.defineProperty(object, key, before);
};

/** What was added to or changed in shared prototypes. It is undone, so that the next case is judged alone. */
export const pollutedPrototypes = (): readonly string[] =>
  known.flatMap(({ name, object, properties }) => {
    const odd = Reflect.ownKeys(object).filter(
      (key) => !isSame(Reflect.getOwnPropertyDescriptor(object, key), properties.get(key)),
    );
    for (const key of odd) restore(object, key, properties.get(key));
    return odd.map((key) => `${name} was polluted with “${String(key)}”`);
  });

export type Answered = { readonly answer: unknown } | { readonly thrown: unknown };

/** The result of one request, or of several after each other. */
export interface Trial {
  readonly answers: readonly Answered[];
  readonly calls: readonly Row[];
  readonly quarantine: readonly Row[];
  /** How many messages were parked, although no table was down. */
  readonly parked: number;
  readonly lines: readonly string[];
  readonly polluted: readonly string[];
  readonly cpuMicroseconds: number;
}

/** A row of quarantine with its body as it was before it was compressed. */
const withBody = (row: Row): Row => ({ ...row, body: bodyOf(row as QuarantineEntry) });

const nothing = (): void => undefined;

/** The receiver as deployed: one warm process over tables that are empty before each trial. */
export const createReceiver = (deployment: 'open' | 'secret') => {
  let lines: string[] = [];
  let tables = memoryDynamodb(worldTables, nothing);
  const world = createEnvironment((request) => tables.handle(request), {
    startedAt: '2026-11-20T06:00:00Z',
    accounts,
    onLine: (line) => lines.push(line),
    env: deployment === 'secret' ? { CALLBACK_SECRET_SHA256: callbackSecretHash(callbackSecret) } : {},
  });
  const instance = world.start(noFault);

  const answerOf = async (event: APIGatewayProxyEventV2): Promise<Answered> => {
    try {
      const outcome = await instance.receive(event);
      return outcome.kind === 'answered' ? { answer: outcome.answer } : { thrown: new Error('The process crashed') };
    } catch (thrown) {
      return { thrown };
    }
  };

  return {
    async receive(...events: readonly APIGatewayProxyEventV2[]) {
      lines = [];
      tables = memoryDynamodb(worldTables, nothing);
      const before = process.threadCpuUsage();
      const answers: Answered[] = [];
      for (const event of events) answers.push(await answerOf(event));
      const { user, system } = process.threadCpuUsage(before);
      const found = pollutedPrototypes();
      const waiting = world.parking.messages();
      for (const { receipt } of world.parking.receive(waiting.length)) world.parking.remove(receipt ?? '');
      return {
        answers,
        calls: tables.items('calls').map(unmarshalled),
        quarantine: tables.items('quarantine').map(unmarshalled).map(withBody),
        parked: waiting.length,
        lines,
        polluted: found,
        cpuMicroseconds: user + system,
      };
    },
  };
};

/** A receiver with empty tables for each trial. */
export type Receiver = ReturnType<typeof createReceiver>;
