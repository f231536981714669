import type { AttributeValue, ConsumedCapacity, DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { itemBytes } from './dynamodb-limits.ts';

/** A client that records every command. */
export interface RecordingClient<Client> {
  readonly client: Client;
  readonly sent: { readonly name: string; readonly input: unknown }[];
}

type Send = (command: { readonly input: unknown }, ...rest: never[]) => Promise<unknown>;

/** Passes commands to a real client and records them. */
export const recordingClient = <Client extends { send: unknown }>(
  real: Client,
): RecordingClient<Pick<Client, 'send'>> => {
  const sent: { name: string; input: unknown }[] = [];
  const send = (command: { readonly input: unknown }, ...rest: never[]) => {
    sent.push({ name: command.constructor.name, input: command.input });
    return (real.send as Send).call(real, command, ...rest);
  };
  return { client: { send } as unknown as Pick<Client, 'send'>, sent };
};

/** Answers each command from a script instead of AWS. A function may throw; the last one answers all further commands. */
export const scriptedClient = <Client extends { send: unknown }>(
  ...answers: readonly (() => unknown)[]
): RecordingClient<Pick<Client, 'send'>> => {
  const sent: { name: string; input: unknown }[] = [];
  const send = async (command: { readonly input: unknown }) => {
    const answer = answers[Math.min(sent.length, answers.length - 1)];
    sent.push({ name: command.constructor.name, input: command.input });
    return answer?.();
  };
  return { client: { send } as unknown as Pick<Client, 'send'>, sent };
};

/** A command that was sent, the rows that it wrote or removed, and the capacity units that it consumed. */
export interface Metered {
  readonly name: string;
  readonly rows: readonly string[];
  readonly units: number;
}

type Client = Pick<DynamoDBClient, 'send'>;
type MeteredSend = (command: Command, ...rest: never[]) => Promise<{ ConsumedCapacity?: Consumed }>;
type Consumed = ConsumedCapacity | readonly ConsumedCapacity[];
type Item = Record<string, AttributeValue>;

interface Input {
  readonly Item?: Item;
  readonly RequestItems?: Readonly<Record<string, readonly { readonly PutRequest?: { readonly Item: Item } }[]>>;
  readonly TransactItems?: readonly TransactWriteItem[];
}

interface Command {
  input: Input;
}

const unitsOf = (consumed: Consumed | undefined): number =>
  [consumed ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);

/** Two units for each kilobyte of each row: DynamoDB Local reports only the last row's. */
const transactedUnits = (items: readonly TransactWriteItem[]): number =>
  items.reduce((sum, { Put }) => sum + 2 * Math.ceil(itemBytes(Put?.Item ?? {}) / 1024 || 1), 0);

const rowsIn = ({ Item, RequestItems = {}, TransactItems = [] }: Input): readonly string[] => [
  ...(Item === undefined ? [] : [itemName(Item)]),
  ...Object.values(RequestItems).flatMap((requests) =>
    requests.map(({ PutRequest }) => (PutRequest === undefined ? 'removed' : itemName(PutRequest.Item))),
  ),
  ...TransactItems.map(({ Put, Delete }) =>
    Put?.Item === undefined ? `removed ${itemName(Delete?.Key ?? {})}` : itemName(Put.Item),
  ),
];

const itemName = (item: Item): string => {
  const { pk, sk } = unmarshall(item);
  return `${pk} / ${sk}`;
};

/** Passes commands to a real client and records what each of them consumed. */
export const meteredClient = (real: Client) => {
  const sent: Metered[] = [];
  const send = async (command: Command, ...rest: never[]) => {
    command.input = { ...command.input, ReturnConsumedCapacity: 'TOTAL' } as Input;
    const answer = await (real.send as unknown as MeteredSend).call(real, command, ...rest);
    const { TransactItems } = command.input;
    const units = TransactItems === undefined ? unitsOf(answer.ConsumedCapacity) : transactedUnits(TransactItems);
    sent.push({ name: command.constructor.name.replace('Command', ''), rows: rowsIn(command.input), units });
    return answer;
  };
  return { client: { send } as unknown as Client, taken: () => sent.splice(0) };
};
