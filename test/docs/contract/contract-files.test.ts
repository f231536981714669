import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import specs from '@asyncapi/specs';
import { GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessPattern, accessPatterns } from '../../../docs/contract/access-patterns.ts';
import { contractFiles } from '../../../docs/contract/contract-files.ts';
import { scenario } from '../../../docs/contract/examples.ts';
import { questions } from '../../../docs/contract/questions.ts';
import { jsonSchemas, rowSchemaPath } from '../../../docs/contract/schemas.ts';
import { eventSchemas } from '../../../lib/contract/events.ts';
import { parseEvent } from '../../../lib/contract/index.ts';
import { marshalled, unmarshalled } from '../../../lib/storage/rows.ts';
import { startTestTables, type TestTables } from '../../support/dynamodb-local.ts';
import { eventFaults, faultsBy, matches } from './support/event-bridge.ts';

const files = await contractFiles();

describe('a generated file', () => {
  it.each([...files])('is up to date: %s', async (path, text) => {
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('is the same each time', async () => {
    expect([...(await contractFiles())]).toEqual([...files]);
  });
});

const document = JSON.parse(readFileSync('docs/asyncapi.json', 'utf8'));
/** AsyncAPI's own schema is of draft 7, with keywords of its own. */
const validate = new Ajv({ strict: false, validateFormats: false }).compile(specs.schemasWithoutId['3.0.0']);

/** The target of a reference in the document. */
const resolved = ({ $ref }: { readonly $ref: string }) =>
  $ref
    .slice(2)
    .split('/')
    .reduce((within, step) => within[step], document);

describe('docs/asyncapi.json', () => {
  it('fits AsyncAPI’s own schema of version 3.0', () => {
    validate(document);

    expect(validate.errors).toBeNull();
  });

  it('has one message for each event, on the bus and in the operation', () => {
    const sent = document.operations.publish.messages.map(resolved).map(resolved);

    expect(sent.map(({ name }: { readonly name: string }) => name)).toEqual(Object.keys(eventSchemas));
    expect(Object.values<{ $ref: string }>(document.channels.bus.messages).map(resolved)).toEqual(sent);
  });

  it.each(Object.keys(eventSchemas))('refers to the schema of %s, which its example fits', (type) => {
    const { payload, examples } = document.components.messages[type.replaceAll(' ', '')];

    expect(jsonSchemas().get(payload.schema.$ref.slice('./'.length))).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: type,
    });
    expect(eventFaults(examples[0].payload)).toEqual([]);
  });
});

type Plain = Readonly<Record<string, unknown>>;

const page = readFileSync('docs/contract.md', 'utf8');
const events = readFileSync('docs/events.md', 'utf8');
const types = Object.keys(eventSchemas);

/** The JSON blocks of a part of the page. */
const blocks = (text: string): readonly Plain[] =>
  [...text.matchAll(/```json\n([\s\S]*?)\n```/g)].map(([, json = '']) => JSON.parse(json));

const sectionOf = (type: string): string =>
  events.split(/^##? /m).find((section) => section.startsWith(`${type}\n`)) ?? '';
const exampleOf = (type: string): Plain => blocks(sectionOf(type)).at(-1) ?? {};
const patternsOf = (type: string): readonly Plain[] => blocks(sectionOf(type)).slice(0, -1);

const missed = blocks(page)[0] ?? {};
const missedPattern: Plain = JSON.parse(/--event-pattern '(.*)'/.exec(page)?.[1] ?? '{}');
const others = (type: string) => types.filter((other) => other !== type).map(exampleOf);

describe('a page of the contract', () => {
  it.each(['contract', 'questions', 'events', 'rows', 'words', 'figures', 'incoming'])(
    '%s has no undefined value and no unfilled place',
    (name) => {
      expect(readFileSync(`docs/${name}.md`, 'utf8')).not.toMatch(/undefined [|`]|\{\{|\[object/);
    },
  );

  it('has no event twice', () => {
    expect(new Set(types.map((type) => JSON.stringify(exampleOf(type)))).size).toBe(types.length);
  });
});

describe.each(types)('%s on the page', (type) => {
  it('has an example that Ajv and parseEvent accept', () => {
    expect(exampleOf(type)).toMatchObject({ 'detail-type': type });
    expect(eventFaults(exampleOf(type))).toEqual([]);
    expect(parseEvent(exampleOf(type))).toBeTruthy();
  });

  it('has a narrow rule, which matches the example and no other type', () => {
    const [narrow = {}, ...more] = patternsOf(type);
    expect(more).toEqual([]);
    expect(matches(narrow, exampleOf(type))).toBe(true);
    expect(others(type).filter((other) => matches(narrow, other))).toEqual([]);
  });

  it('has a narrow rule that does not match other values', () => {
    const [{ detail, ...all } = {}] = patternsOf(type);
    const narrow = { ...all, detail };
    const spoilt = { ...exampleOf(type), detail: {} };

    expect(all).toEqual({ source: ['callfeed'], 'detail-type': [type] });
    expect(detail).toBeDefined();
    expect(matches(all, spoilt)).toBe(true);
    expect(matches(narrow, spoilt)).toBe(false);
  });
});

describe('the rule for missed calls', () => {
  it('matches the missed call of the page, and no other example', () => {
    expect(eventFaults(missed)).toEqual([]);
    expect(matches(missedPattern, missed)).toBe(true);
    expect(types.map(exampleOf).filter((example) => matches(missedPattern, example))).toEqual([]);
  });

  it.each([
    ['matches a call without a type', { type: undefined }, 'Call Summary Recorded', true],
    ['matches a call that turns out to be missed', {}, 'Call Summary Revised', true],
    ['ignores an outgoing call that nobody answered', { type: 'manual' }, 'Call Summary Recorded', false],
    ['ignores an answered call', { status: 'answered' }, 'Call Summary Recorded', false],
    ['ignores a call that turns out to be answered', { status: 'answered' }, 'Call Summary Revised', false],
    ['ignores a call without a status', { status: undefined }, 'Call Summary Recorded', false],
  ])('%s', (_title, changes, type, expected) => {
    const { detail, ...envelope } = JSON.parse(JSON.stringify(missed));
    const call = JSON.parse(JSON.stringify({ ...detail.call, ...changes }));

    expect(matches(missedPattern, { ...envelope, 'detail-type': type, detail: { ...detail, call } })).toBe(expected);
  });
});

/** What they return for what happened is tested by the client, which sends the same requests. */
describe('access requests', () => {
  let tables: TestTables;

  beforeAll(async () => {
    tables = await startTestTables();
    const { calls, agents } = await scenario();
    const put = (TableName: string) => (row: Parameters<typeof marshalled>[0]) =>
      tables.client.send(new PutItemCommand({ TableName, Item: marshalled(row) }));
    await Promise.all([
      ...calls.rows.map(put(tables.tableNames.calls)),
      ...agents.rows.map(put(tables.tableNames.agents)),
    ]);
  });

  afterAll(() => tables.stop());

  const answer = async ({ table, request }: AccessPattern) => {
    const TableName = tables.tableNames[table];
    if (request.operation === 'get-item') {
      const { Item } = await tables.client.send(new GetItemCommand({ TableName, Key: { ...request.input.Key } }));
      return Item === undefined ? [] : [unmarshalled(Item)];
    }
    const { ExpressionAttributeValues, ...input } = request.input;
    const { Items = [], ScannedCount } = await tables.client.send(
      new QueryCommand({ TableName, ...input, ExpressionAttributeValues: { ...ExpressionAttributeValues } }),
    );
    expect(ScannedCount).toBe(Items.length);
    return Items.map(unmarshalled);
  };

  /** The kinds of row whose schema a row fits. */
  const kindOf = (row: Readonly<Record<string, unknown>>, { rows }: AccessPattern) =>
    rows.filter(
      (name) => faultsBy(rowSchemaPath(name).slice('schemas/'.length, -'.schema.json'.length), row).length === 0,
    );

  describe.each(accessPatterns.map((pattern) => [pattern.question, pattern] as const))('%s', (_title, pattern) => {
    it('answers a question of the page', () => {
      expect(questions.map(({ request }) => request)).toContain(pattern);
    });

    it('returns only rows of the declared kinds, which fit their schemas', async () => {
      const rows = await answer(pattern);

      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(kindOf(row, pattern), JSON.stringify(row)).toHaveLength(1);
      expect(new Set(rows.flatMap((row) => kindOf(row, pattern)))).toEqual(new Set(pattern.rows));
    });
  });
});
