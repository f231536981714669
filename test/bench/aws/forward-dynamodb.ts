import type { Tables } from '../../../sandbox/dynamodb/create-tables.ts';
import { forwardTo } from '../../../sandbox/dynamodb/proxy.ts';
import type { Answer, Received } from '../../../sandbox/http/serve.ts';
import type { Counts } from '../costs/counts.ts';
import { commandMeter, reportedUnits } from '../costs/meter.ts';
import type { RowWrite } from '../costs/row-writes.ts';
import type { AwsRequest, Outcome } from './services.ts';

/** Commands of our functions, which the meter knows. Powertools sends others, which are as DynamoDB Local reports them. */
const metered = ['PutItem', 'BatchWriteItem', 'TransactWriteItems', 'Query'];

/** Forwards requests to tables of DynamoDB Local that were empty, and counts the units of each. */
export const forwardDynamodb = ({ endpoint, tables }: { readonly endpoint: string; readonly tables: Tables }) => {
  const forward = forwardTo(endpoint);
  const meter = commandMeter(tables);

  const carry = async ({ operation, input }: AwsRequest, received: Received): Promise<Outcome> => {
    const command = metered.includes(operation) ? meter(input) : undefined;
    const body = Buffer.from(JSON.stringify({ ...input, ReturnConsumedCapacity: 'INDEXES' }));
    const answer = await forward({ ...received, body });
    const units = answer.status === 200 ? reportedUnits(contentOf(answer)) : 0;

    const consumed = (counts: Partial<Counts>, writes: readonly RowWrite[] = []) => ({
      answer,
      consumed: { counts, writes },
    });
    if (command === undefined) return consumed(unmeteredUnits(operation, units));
    return answer.status === 200 ? consumed(command.done(units), command.writes) : consumed(command.rejectedUnits);
  };

  return Object.assign(carry, { close: forward.close });
};

const unmeteredUnits = (operation: string, units: number): Partial<Counts> =>
  operation === 'GetItem' ? { readUnits: units } : { tableWriteUnits: units };

const contentOf = ({ body = '' }: Answer): unknown => JSON.parse(Buffer.from(body).toString());
