import * as z from 'zod';
import { isObject, mapValues } from '../../lib/core/collections.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import type { Answer, Handle } from '../../sandbox/frame/serve.ts';
import { acceptPartially } from '../deployment/functions.ts';

/*
 * Answers of AWS that mean the same as others: in more pages than anybody needs, some of them empty; for a part of what was
 * asked for; under the ARN of a table that was named, or its name where the ARN was given. Each wraps a double.
 */

type Json = Readonly<Record<string, unknown>>;
type Rewrite = (operation: string, input: Json, ask: (input: Json) => Promise<Answer>) => Promise<Answer>;

const operationOf = (target: unknown): string => String(target ?? '').split('.')[1] ?? '';

const rewritten =
  (rewrite: Rewrite) =>
  (handle: Handle): Handle =>
  async (request) => {
    const input = tryParseJson(request.body.toString());
    if (!isObject(input)) return handle(request);
    const ask = (changed: Json) => handle({ ...request, body: Buffer.from(JSON.stringify(changed)) });
    return rewrite(operationOf(request.headers['x-amz-target']), input, ask);
  };

const changed = (answer: Answer, change: (output: Json) => Json): Answer =>
  answer.status === 200 ? { ...answer, body: JSON.stringify(change(JSON.parse(String(answer.body)))) } : answer;

/** How operations that answer in pages name the place where the next one begins. */
const cursors: Readonly<Record<string, { readonly from: string; readonly next: string; readonly none: Json }>> = {
  Query: { from: 'ExclusiveStartKey', next: 'LastEvaluatedKey', none: { Items: [], Count: 0, ScannedCount: 0 } },
  Scan: { from: 'ExclusiveStartKey', next: 'LastEvaluatedKey', none: { Items: [], Count: 0, ScannedCount: 0 } },
  GetQueryResults: { from: 'NextToken', next: 'NextToken', none: { ResultSet: { Rows: [] } } },
};

/** A place before everything. A key of DynamoDB has to be one. */
const beginning: Readonly<Record<string, unknown>> = {
  ExclusiveStartKey: { pk: { S: 'before everything' }, sk: { S: 'before everything' }, id: { S: 'before everything' } },
  NextToken: 'before everything',
};

/** The first page is empty, and each further one has one row; a receipt has one message. */
const inPages = rewritten(async (operation, input, ask) => {
  if (operation === 'ReceiveMessage') return ask({ ...input, MaxNumberOfMessages: 1 });
  const cursor = cursors[operation];
  if (cursor === undefined) return ask(input);
  const { from, next, none } = cursor;
  const place = beginning[from];
  const { [from]: given, ...first } = input;
  const isFirst = given === undefined;
  const answer = await ask({
    ...(JSON.stringify(given) === JSON.stringify(place) ? first : input),
    ...(from === 'ExclusiveStartKey' && { Limit: 1 }),
  });
  return isFirst ? changed(answer, (output) => ({ ...output, ...none, [next]: place })) : answer;
});

const inPart =
  (handle: Handle): Handle =>
  (request) =>
    acceptPartially(handle, { ...request, operation: operationOf(request.headers['x-amz-target']) });

const ofTable = 'arn:aws:dynamodb:local:000000000000:table/';

export const arnOf = (table: string): string => `${ofTable}${table}`;
const nameOf = (table: string): string => table.replace(ofTable, '');

const Named = z.record(z.string(), z.unknown());

const renamed = (json: Json, fields: RegExp, rename: (table: string) => string): Json =>
  mapValues(json, (value, field) =>
    fields.test(field)
      ? Object.fromEntries(Object.entries(Named.parse(value)).map(([table, of]) => [rename(table), of]))
      : value,
  );

/** What is listed by table is listed under its other name. */
const byOtherName = rewritten(async (_operation, input, ask) => {
  const isByArn = JSON.stringify(input).includes(ofTable);
  const { TableName, ...rest } = renamed(input, /^RequestItems$/, nameOf);
  const answer = await ask(typeof TableName === 'string' ? { ...rest, TableName: nameOf(TableName) } : rest);
  const rename = isByArn ? nameOf : arnOf;
  return changed(answer, (output) => renamed(output, /^(?:Responses|UnprocessedKeys|UnprocessedItems)$/, rename));
});

export const sameMeanings = {
  'in pages, the first one empty': inPages,
  'for a part at a time, by the other name of a table': (handle: Handle) => byOtherName(inPart(handle)),
} as const satisfies Readonly<Record<string, (handle: Handle) => Handle>>;
