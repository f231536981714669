import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../lib/core/canonical-json.ts';
import { agentsTable, quarantineTable } from '../../../lib/schema/tables.ts';
import type { Handle } from '../../../sandbox/http/serve.ts';
import { lambdaImage } from '../../../sandbox/stream/lambda-record.ts';
import { type LocalTables, startLocalTables } from '../../faults/world/local-dynamodb.ts';
import { dynamodbEndpoint } from '../dynamodb-local.ts';
import { type Asked, arbitraryRequest } from './arbitrary-requests.ts';
import { memoryDynamodb } from './memory-dynamodb.ts';

let local: LocalTables;

beforeAll(async () => {
  local = await startLocalTables(await dynamodbEndpoint());
});

afterAll(() => local.stop());

/** An answer as far as our functions look at it. */
const asked = async (handle: Handle, { operation, input }: Asked) => {
  const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}`, 'content-type': 'application/x-amz-json-1.0' };
  const { status, body = '' } = await handle({
    method: 'POST',
    path: '/',
    headers,
    body: Buffer.from(JSON.stringify(input)),
  });
  const answer = JSON.parse(Buffer.from(body).toString());
  const { __type: type = '', CancellationReasons: reasons = [], Item, Attributes, Items, UnprocessedItems } = answer;
  return {
    status,
    type: type.split('#').at(-1),
    reasons: reasons.map(({ Code, Item }: { Code: string; Item?: object }) => ({ Code, Item })),
    ...{ Item, Attributes, Items, UnprocessedItems },
  };
};

interface Change {
  readonly key: string;
  readonly before: object | undefined;
  readonly after: object | undefined;
}

/** DynamoDB keeps the changes of one item in order, and promises nothing of those of two. */
const byKey = (changes: readonly Change[]) => Object.fromEntries([...Map.groupBy(changes, ({ key }) => key)].sort());

const tried = fc
  .sample(fc.array(arbitraryRequest, { minLength: 10, maxLength: 40 }), { seed: 20_261_121, numRuns: 12 })
  .map((requests, index) => ({ requests, index }));

describe('the table in memory', () => {
  it.each(tried)(
    'answers, keeps and streams what DynamoDB Local does: sequence $index',
    async ({ requests, index }) => {
      const names = { agents: local.nameOf('agents'), quarantine: local.nameOf('quarantine'), prefix: `s${index}` };
      const inMemory: Change[] = [];
      const inStream: Change[] = [];
      const leave = local.follow(names.prefix, (_table, { dynamodb: { Keys, OldImage, NewImage } = {} }) => {
        const [before, after] = [OldImage, NewImage].map((image) => image && lambdaImage(image));
        inStream.push({ key: canonicalJson(Keys), before, after });
      });
      const tables = { [names.agents]: agentsTable, [names.quarantine]: quarantineTable };
      const memory = memoryDynamodb(tables, ({ table, keys, before, after }) => {
        if (table === names.agents) inMemory.push({ key: canonicalJson(keys), before, after });
      });

      for (const request of requests) {
        const each = request(names);
        const inReality = await asked(local.handle, each);
        expect(await asked(memory.handle, each), JSON.stringify(each).slice(0, 500)).toEqual(inReality);
      }
      await local.caughtUp(names.prefix, ['agents']);
      leave();

      expect(inMemory.length).toBeGreaterThan(0);
      expect(byKey(inMemory)).toEqual(byKey(inStream));
    },
  );
});
