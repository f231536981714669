import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import specs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { accessPatterns } from '../../../docs/contract/access-patterns.ts';
import { contractFiles } from '../../../docs/contract/contract-files.ts';
import { exampleEvents } from '../../../docs/contract/examples.ts';
import { questions } from '../../../docs/contract/questions.ts';
import { jsonSchemas } from '../../../docs/contract/schemas.ts';
import { wireAgentFields } from '../../../lib/agents/normalise-agent.ts';
import { CallSummary, Participant } from '../../../lib/contract/call-events.ts';
import { eventSchemas, eventTypes, guideOf } from '../../../lib/contract/events.ts';
import { parseEvent } from '../../../lib/contract/index.ts';
import { eventSource } from '../../../lib/storage/event.ts';
import { wireCallFields, wireParticipantFields } from '../../../lib/telephony/call-fields.ts';
import { specificationLogins } from '../../fixtures/accounts.ts';
import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { callOf, jsonOf, seeds } from '../../sandbox/simulator/support.ts';
import { eventFaults, faultsBy, matches, type Plain, packagedSchema } from './support/event-bridge.ts';

const files = await contractFiles();

describe('a generated file', () => {
  it.each([...files])('is up to date, without an undefined value: %s', async (path, text) => {
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(text).not.toMatch(/undefined [|`]|\{\{|\[object/);
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

const exampleOf = (type: string): Plain => document.components.messages[type.replaceAll(' ', '')].examples[0].payload;

describe('docs/asyncapi.json', () => {
  it('fits AsyncAPI’s own schema of version 3.0', () => {
    validate(document);

    expect(validate.errors).toBeNull();
  });

  it('has one message for each event, on the bus and in the operation, with an example of its own', () => {
    const sent = document.operations.publish.messages.map(resolved).map(resolved);

    expect(sent.map(({ name }: { readonly name: string }) => name)).toEqual(Object.keys(eventSchemas));
    expect(Object.values<{ $ref: string }>(document.channels.bus.messages).map(resolved)).toEqual(sent);
    expect(new Set(eventTypes.map((type) => JSON.stringify(exampleOf(type)))).size).toBe(eventTypes.length);
  });

  it.each(eventTypes)('refers to the schema of %s, which its example fits, and so does parseEvent', (type) => {
    const { payload } = document.components.messages[type.replaceAll(' ', '')];

    expect(jsonSchemas().get(payload.schema.$ref.slice('./'.length))).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: type,
    });
    expect(exampleOf(type)).toMatchObject({ 'detail-type': type });
    expect(eventFaults(exampleOf(type))).toEqual([]);
    expect(parseEvent(exampleOf(type))).toBeTruthy();
  });
});

const page = readFileSync('docs/contract.md', 'utf8');

it.each(eventTypes)('the narrower rule for %s matches its example and no other, nor other values', (type) => {
  const rule = { source: [eventSource], 'detail-type': [type], detail: guideOf(type).narrowed.detail };

  expect(page).toContain(`\`${JSON.stringify(rule.detail)}\``);
  expect(eventTypes.filter((other) => matches(rule, exampleOf(other)))).toEqual([type]);
  expect(matches(rule, { ...exampleOf(type), detail: {} })).toBe(false);
});

it.each<[string, readonly string[], readonly string[]]>([
  ['Call summary', wireCallFields, ['Apikey', 'UserName', 'monitorUCID']],
  ['Participant', wireParticipantFields, []],
  ['Agent', wireAgentFields, []],
])('the page says what becomes of every field that the service sends: %s', (title, fields, elsewhere) => {
  const section = page.split(/^### /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
  const from = [...section.matchAll(/^\| `\w+`\?? \|[^|]*\| `(\w+)`, \w[^|]*\| .*\. \|$/gm)].map(([, name]) => name);

  expect(new Set([...from, ...elsewhere])).toEqual(new Set(fields));
});

describe('the rule for missed calls', () => {
  const missedPattern: Plain = JSON.parse(/--event-pattern '(.*)'/.exec(page)?.[1] ?? '{}');
  const missed: Plain = JSON.parse(/```json\n(.*?)\n```/s.exec(page)?.[1] ?? '{}');

  it('matches the missed call of the page, and no example of another event', async () => {
    expect(missed).toEqual((await exampleEvents()).missed);
    expect(eventFaults(missed)).toEqual([]);
    expect(matches(missedPattern, missed)).toBe(true);
    expect(eventTypes.filter((type) => matches(missedPattern, exampleOf(type)))).toEqual([]);
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

/** What they return is tested with the client, which sends the same requests; that the rows fit their schemas in schemas.test.ts. */
it.each(accessPatterns)('an access request answers a question of the page: $question', (pattern) => {
  expect(questions.map(({ request }) => request)).toContain(pattern);
});

it('docs/incoming.md shows values as they are read', () => {
  const page = readFileSync('docs/incoming.md', 'utf8');

  expect(page).toContain('| `asha`: `["asha"]`<br>`asha -> ravi`: `["asha","ravi"]`<br>');
  expect(page).toContain('`2026-11-20 11:00:00`: `"2026-11-20T05:30:00.000Z"`');
  expect(page).toContain('`QTimeExceeded{60}`: `["queue-time-exceeded"]`, as sent `["QTimeExceeded{60}"]`');
});

describe('the JSON Schemas of what is accepted', () => {
  it.each<[string, object]>([
    ['call-summary', { callId: '', ...CallSummary.shape }],
    ['participant', Participant.shape],
  ])('name a field of the contract for whatever %s has', (name, fields) => {
    const stated = Object.values<{ readonly becomes: readonly string[] }>(
      Object(packagedSchema(`inputs/${name}`).properties),
    );
    const becomes = stated.flatMap((field) => field.becomes);

    expect(becomes.length).toBeGreaterThan(10);
    expect(becomes.filter((field) => !Object.hasOwn(fields, field))).toEqual([]);
  });

  it('accept the samples of the specification', () => {
    expect(faultsBy('inputs/call-summary', specificationSummary)).toEqual([]);
    expect(faultsBy('inputs/participant', specificationParticipant)).toEqual([]);
    expect(faultsBy('inputs/agent-logins', { status: 'success', message: specificationLogins })).toEqual([]);
  });

  it('reject an object in place of a value', () => {
    expect(faultsBy('inputs/call-summary', { Status: {} })).not.toEqual([]);
    expect(faultsBy('inputs/participant', { UCID: [] })).not.toEqual([]);
    expect(faultsBy('inputs/agent-logins', { message: [{ AgentId: {} }] })).not.toEqual([]);
  });

  it('accept every call summary and participant of the simulator, with all its quirks', () => {
    const posts = seeds.flatMap((seed) => callOf(seed).posts).filter(({ callId }) => callId !== undefined);
    const records = posts.flatMap((post) => JSON.parse(jsonOf(post)));

    expect(records.length).toBeGreaterThan(100);
    for (const record of records) {
      const schema = JSON.stringify(record).includes('"ParticipantNumber"') ? 'participant' : 'call-summary';
      expect(faultsBy(`inputs/${schema}`, record), JSON.stringify(record)).toEqual([]);
    }
  });
});
