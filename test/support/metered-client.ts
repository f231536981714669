import type { AttributeValue, ConsumedCapacity, DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { itemBytes } from './row-limits.ts';

/** A command that was sent, the rows that it wrote or removed, and the capacity units that it took of the table. */
export interface Metered {
  readonly name: string;
  readonly rows: readonly string[];
  readonly units: number;
}

type Client = Pick<DynamoDBClient, 'send'>;
type Send = (command: Command, ...rest: never[]) => Promise<{ ConsumedCapacity?: Taken }>;
type Taken = ConsumedCapacity | readonly ConsumedCapacity[];
type Item = Record<string, AttributeValue>;

interface Input {
  readonly Item?: Item;
  readonly RequestItems?: Readonly<Record<string, readonly { readonly PutRequest?: { readonly Item: Item } }[]>>;
  readonly TransactItems?: readonly TransactWriteItem[];
}

interface Command {
  input: Input;
}

const unitsOf = (taken: Taken | undefined): number =>
  [taken ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);

/** Two units for each kilobyte of each row: DynamoDB Local tells but the last row's. */
const transactedUnits = (items: readonly TransactWriteItem[]): number =>
  items.reduce((sum, { Put }) => sum + 2 * Math.ceil(itemBytes(Put?.Item ?? {}) / 1024 || 1), 0);

const rowsIn = ({ Item, RequestItems = {}, TransactItems = [] }: Input): readonly string[] => [
  ...(Item === undefined ? [] : [named(Item)]),
  ...Object.values(RequestItems).flatMap((requests) =>
    requests.map(({ PutRequest }) => (PutRequest === undefined ? 'removed' : named(PutRequest.Item))),
  ),
  ...TransactItems.map(({ Put, Delete }) =>
    Put?.Item === undefined ? `removed ${named(Delete?.Key ?? {})}` : named(Put.Item),
  ),
];

const named = (item: Item): string => {
  const { pk, sk } = unmarshall(item);
  return `${pk} / ${sk}`;
};

/** Lets commands through to a real client and notes what each of them took. */
export const meteredClient = (real: Client) => {
  const sent: Metered[] = [];
  const send = async (command: Command, ...rest: never[]) => {
    command.input = { ...command.input, ReturnConsumedCapacity: 'TOTAL' } as Input;
    const answer = await (real.send as unknown as Send).call(real, command, ...rest);
    const { TransactItems } = command.input;
    const units = TransactItems === undefined ? unitsOf(answer.ConsumedCapacity) : transactedUnits(TransactItems);
    sent.push({ name: command.constructor.name.replace('Command', ''), rows: rowsIn(command.input), units });
    return answer;
  };
  return { client: { send } as unknown as Client, taken: () => sent.splice(0) };
};
