import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { composeTransform } from '../../../functions/transform-events/app.ts';
import { columnTypes, copiesOf, type HistoryColumn, schemaAt } from '../../../functions/transform-events/column.ts';
import { questions, readQuestion, withPeriod } from '../../../functions/transform-events/sql-files.ts';
import { historyRowOf, tables } from '../../../functions/transform-events/tables.ts';
import { eventSchemas } from '../../../lib/contract/events.ts';
import { keysOf } from '../../../lib/core/collections.ts';
import { unwrapped } from '../../../lib/storage/field.ts';
import { lambdaContext } from '../../../sandbox/functions/load-function.ts';
import { everyEvent, firehoseEvent } from '../../support/every-event.ts';

/** The paths of the personal fields within a schema, at any depth. */
const personalWithin = (declared: z.core.$ZodType, path = ''): readonly string[] => {
  if (z.globalRegistry.get(declared)?.['personal'] === true) return [path];
  const schema = unwrapped(declared);
  if (schema instanceof z.core.$ZodArray) return personalWithin(schema._zod.def.element, path);
  if (!(schema instanceof z.core.$ZodObject)) return [];
  return Object.entries(schema._zod.def.shape).flatMap(([name, field]) => personalWithin(field, `${path}.${name}`));
};

describe.each(keysOf(tables))('the columns of %s', (table) => {
  const columns = Object.entries(tables[table].columns);

  it('come from declared fields of its events', () => {
    for (const [name, { from }] of columns)
      for (const path of from)
        expect([name, path, tables[table].events.some((type) => schemaAt(eventSchemas[type], path))]).toContain(true);
  });

  it('see no personal field of an event, in lists and legs neither', () => {
    for (const type of tables[table].events) expect(personalWithin(eventSchemas[type]).length).toBeGreaterThan(2);
    expect(personalWithin(tables[table].detail)).toEqual([]);
    for (const path of columns.flatMap(([, { from }]) => from))
      expect([path, schemaAt(tables[table].detail, path)]).not.toContain(undefined);
  });

  it('have names in snake case, types of Glue, and a sentence as meaning', () => {
    for (const [name, { type, meaning }] of columns) {
      expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
      expect(columnTypes).toContain(type);
      expect(meaning).toMatch(/^.+\.$/);
    }
  });
});

it('a column of a field that the contract does not describe has no meaning', () => {
  const copy = copiesOf(z.object({ call: z.object({ id: z.string() }) }));
  expect(() => copy('call.id')).toThrow('The contract does not describe call.id.');
  expect(() => copy('id.call')).toThrow('The contract does not describe id.call.');
});

/** Texts that are no ids and that nobody types for a call: the account of the settings, and the contract’s own names. */
const configured = { call_revisions: ['account', 'changed_fields'], agent_changes: ['account'] };

const rowsOf = async (personal: 'keep' | 'leave-out') =>
  (await everyEvent(personal)).map(({ type, detail }) => historyRowOf({ 'detail-type': type, detail }));

describe('the row of an event', () => {
  it('is one for each revision of a call, and each log-in, change of state and log-out of an agent', async () => {
    const rows = await rowsOf('keep');
    expect(rows.map((result) => result.ok && result.value?.table)).toEqual([
      'call_revisions',
      'call_revisions',
      undefined,
      undefined,
      'agent_changes',
      'agent_changes',
      'agent_changes',
      undefined,
      'agent_changes',
      undefined,
      'agent_changes',
      undefined,
      undefined,
    ]);
  });

  it('has exact ids, times in UTC and by the account’s clocks, and a list entry for each agent', async () => {
    const [, revised] = await rowsOf('keep');
    expect(revised).toMatchObject({
      ok: true,
      value: {
        day: '2026-11-20',
        row: {
          call_id: '41781234567890123',
          revision: 2,
          changed_fields: ['dispositions', 'extra'],
          found_by: 'callback',
          listed_at: '2026-11-20 05:30:00.000',
          quarter: '2026-11-20 05:30:00.000',
          local_day: '2026-11-20',
          local_quarter: '2026-11-20 11:00:00.000',
          agent_ids: ['agent1'],
          agent_answered: [true],
          agent_talk_seconds: [232],
          agent_hold_seconds: [null],
        },
      },
    });
  });

  const startedAt = '2026-11-20T18:20:00.000Z';
  const endedAt = '2026-11-20T18:29:59.999Z';
  const noon = (day: string) => `${day}T12:00:00.000Z`;
  const [ahead, firstReceivedAt] = ['2026-12-20', '2026-11-19'].map(noon);
  it.each<[string, times: object, listed: string, local: string, day?: string]>([
    ['its start', { startedAt, endedAt: '2026-11-21T00:01:00.000Z' }, '18:20', '23:45'],
    ['its start, if imported', { startedAt, firstReceivedAt: noon('2027-11-22') }, '18:20', '23:45', '2027-11-22'],
    ['its end, where it has no start', { endedAt }, '18:29', '23:45'],
    ['its end, where its start is weeks ahead', { startedAt: ahead, endedAt, firstReceivedAt }, '18:29', '23:45'],
    ['its receipt, where it has neither', {}, '12:00', '17:30'],
  ])('counts a call at %s', async (_title, times, listed, local, day = '2026-11-20') => {
    const [recorded] = await everyEvent('keep');
    const { startedAt: _start, endedAt: _end, agentIds: _agents, ...call } = Object(recorded?.detail['call']);
    const own = { occurredAt: '2026-11-20T12:00:00.000Z', ...times, call: { ...call, ...times } };
    const counted = historyRowOf({ 'detail-type': 'Call Summary Recorded', detail: { ...recorded?.detail, ...own } });
    expect(counted).not.toHaveProperty('value.row.agent_ids');
    const row = { local_day: '2026-11-20', local_quarter: `2026-11-20 ${local}:00.000` };
    expect(counted).toMatchObject({ value: { day, row } });
    expect(counted).toHaveProperty('value.row.listed_at', expect.stringContaining(` ${listed}:`));
  });

  /** The row of a call in which this is every text that somebody typed or named. */
  const rowWithText = async (text: string) => {
    const [recorded] = await everyEvent('keep');
    const typed = { skillName: text, campaignName: text, location: text, dispositions: [text, 'Sale'] };
    const detail = { ...recorded?.detail, call: { ...Object(recorded?.detail['call']), ...typed } };
    return historyRowOf({ 'detail-type': 'Call Summary Recorded', detail });
  };

  it.each([
    ['a number', 'Ring +919876543210 at 6', 'Ring *** at 6'],
    ['six digits', '987654', '***'],
    ['a number with what people put in between', 'call (0) 98765.432-10', 'call ***'],
    ['a number in digits of another script', 'संपर्क ९८७६५४३२१०', 'संपर्क ***'],
    ['a number beside a date', '2026-11-20 9876543210', '2026-11-20 ***'],
    ['a number with slashes', 'ring 0987/001/2345', 'ring ***'],
    ['a number with colons and commas', '0987:001,2345', '***'],
    ['a number in superscripts', 'ring ⁹⁸⁷⁰⁰¹²³⁴⁵', 'ring ***'],
    ['a number in circles', '⑨❽⑦⓪⓪①②', '***'],
    ['a number in key caps', 'x9️⃣8️⃣7️⃣6️⃣5️⃣4️⃣', 'x***'],
    ['a number of which each digit is encoded', '%39%38%37%36%35%34', '***'],
    ['a number in HTML', 'ring 987&nbsp;<b>654</b>', 'ring *** '],
    ['a number with an exponent', '9.8765E9', '***'],
    ['an address with a wide sign', 'Mail to a＠b.c', 'Mail to ***'],
    ['an address', 'Mail to asha.rao@example.com', 'Mail to ***'],
    ['the name of somebody in a chat', 'asked by @asha', 'asked by ***'],
    ['five digits', 'Ticket 98765', 'Ticket 98765'],
    ['a date', 'Diwali 20261108', 'Diwali 20261108'],
    ['a date with slashes', 'Diwali 8/11/2026', 'Diwali 8/11/2026'],
    ['times', 'Shift 09:00-17:30', 'Shift 09:00-17:30'],
    ['other scripts, as they are', 'ｓａｌｅｓ ① ² ❿ ①②', 'ｓａｌｅｓ ① ² ❿ ①②'],
    ['an @ that is no address', 'Meet @ office', 'Meet @ office'],
  ])('has a text that somebody typed without what may be a person’s: %s', async (_title, text, kept) => {
    expect(await rowWithText(text)).toMatchObject({
      value: { row: { skill_name: kept, campaign_name: kept, location: kept, dispositions: [kept, 'Sale'] } },
    });
  });

  it.each(keysOf(tables))('of %s has no number in a text but in ids and configured names', (table) => {
    const number = '919876543210';
    const kept = Object.entries(tables[table].columns).filter(([, column]) => {
      const [path = ''] = column.from;
      const value = column.type === 'string' ? number : [number];
      if (!z.safeParse(schemaAt(tables[table].detail, path) ?? z.never(), value).success) return false;
      const detail = path.split('.').reduceRight<unknown>((within, name) => ({ [name]: within }), value);
      return JSON.stringify((column as HistoryColumn<unknown>).read(detail)).includes(number);
    });
    expect(kept.map(([name]) => name).filter((name) => !/_ids?$/.test(name))).toEqual(configured[table]);
  });

  it.each([
    ['UTC', true],
    ['Asia/Kolkata', false],
  ])('of the last second of 9999 is there if the clocks of %s do not show the next year: %s', async (timeZone, ok) => {
    const [recorded] = await everyEvent('keep');
    const call = { timeZone, startedAt: '9999-12-31T23:59:59.000Z' };
    const row = historyRowOf({ 'detail-type': 'Call Summary Recorded', detail: { ...recorded?.detail, call } });
    expect(row).toMatchObject(ok ? { ok } : { ok, problem: 'local_quarter is no timestamp.' });
  });

  it('is the same where the deployment publishes personal data and where it does not', async () => {
    expect(await rowsOf('keep')).toEqual(await rowsOf('leave-out'));
  });

  it.each([
    ['no event', 'text', 'detail-type is none of Callfeed’s.'],
    ['another event', { 'detail-type': 'Object Created', detail: {} }, 'detail-type is none of Callfeed’s.'],
    ['an event without a detail', { 'detail-type': 'Agent Logged In' }, 'detail is no object.'],
    ['a wrong detail', { 'detail-type': 'Agent Logged In', detail: { id: 7 } }, 'These fields are wrong: id, account,'],
  ])('is a problem without a value for %s', (_title, event, problem) => {
    expect(historyRowOf(event)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });
});

const text = `-- question calls: Calls
-- meaning: Each call
-- meaning: once.
-- column: skill_name string: The skill: as sent.
-- column: calls bigint: How many.
SELECT skill_name, count(*) AS calls
FROM calls
WHERE day BETWEEN CAST(current_date - INTERVAL '28' DAY AS varchar) AND CAST(current_date AS varchar)
`;

it('reads the header and the SQL of a question', () => {
  expect(readQuestion(text)).toMatchObject({
    name: 'calls',
    title: 'Calls',
    meaning: 'Each call once.',
    columns: [
      { name: 'skill_name', type: 'string', meaning: 'The skill: as sent.' },
      { name: 'calls', type: 'bigint', meaning: 'How many.' },
    ],
    sql: expect.stringMatching(/^SELECT skill_name.*AS varchar\)$/s),
  });
});

it('knows the columns of tables and views by their names, in the order of the header', () => {
  const header = '-- columns: account offered\n-- column: share double: Their share.\n-- columns: state';
  const { columns } = readQuestion(`${header}\nSELECT 1`);
  expect(columns.map(({ name, type }) => [name, type])).toEqual([
    ['account', 'string'],
    ['offered', 'bigint'],
    ['share', 'double'],
    ['state', 'string'],
  ]);
});

it.each([
  ['-- column: calls text: How many.', 'This is no column: calls text: How many.'],
  ['-- column: calls', 'This is no column: calls'],
  ['-- columns: cals', 'cals is a column of no table and no view.'],
])('rejects the header %s', (line, problem) => {
  expect(() => readQuestion(`${line}\nSELECT 1`)).toThrow(problem);
});

it.each(questions())(
  'the question $name has the account: ids of agents, skills and campaigns are unique in it only',
  (question) => {
    expect(question.columns[0]).toMatchObject({ name: 'account', type: 'string' });
    expect(question.sql).toMatch(/SELECT\s+(?:later\.)?account,/);
  },
);

it('asks of other days', () => {
  expect(withPeriod(readQuestion(text).sql, { from: '2026-11-01', to: '2026-11-30' })).toContain(
    "day BETWEEN CAST(DATE '2026-11-01' AS varchar) AND CAST(DATE '2026-11-30' AS varchar)",
  );
});

/** What the function answers for some events, and everything that it writes. */
const transformed = async (events: readonly unknown[]) => {
  const lines: string[] = [];
  const telemetry = jsonTelemetry({ function: 'transform-events', deployment: 'test' }, (line) => lines.push(line));
  const transform = composeTransform({ telemetry });
  const { records } = await transform(firehoseEvent(events), lambdaContext('transform-events', 60_000));
  return { records, output: lines.join('') };
};

const inZone = (timeZone: string) => ({
  schemaVersion: 1,
  id: '1',
  account: 'demo',
  callId: '1',
  revision: 1,
  call: { timeZone },
  occurredAt: '2026-11-20T10:00:00.000Z',
  recordedAt: '2026-11-20T10:00:00.000Z',
});

const onBus = async () =>
  (await everyEvent('keep')).map(({ type, detail }) => ({ 'detail-type': type, source: 'callfeed', detail }));

describe('the function that makes rows of events', () => {
  it('makes a row of each event of a table with the day of its partition, and drops the others', async () => {
    const events = await onBus();
    const { records } = await transformed(events);
    const ofTables: readonly string[] = Object.values(tables).flatMap(({ events }) => events);

    expect(records.map(({ recordId }) => recordId)).toEqual(events.map((_, index) => String(index)));
    expect(records.map(({ result }) => result)).toEqual(
      events.map((event) => (ofTables.includes(event['detail-type']) ? 'Ok' : 'Dropped')),
    );
    for (const { metadata } of records.filter(({ result }) => result === 'Ok'))
      expect(metadata).toEqual({ partitionKeys: { day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) } });
  });

  it('makes the columns of the row as a line of JSON, with timestamps that Firehose reads', async () => {
    const [event] = await onBus();
    const { records } = await transformed([event]);
    const line = Buffer.from(records[0]?.data ?? '', 'base64').toString();

    expect(line).toMatch(/^\{.+\}\n$/);
    expect(JSON.parse(line)).toMatchObject({
      revision: 1,
      recorded_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/),
    });
  });

  it.each([
    ['no JSON', 'SECRET 09000000042', 'detail-type'],
    ['an unknown type', { 'detail-type': 'SECRET', detail: {} }, 'detail-type'],
    ['no detail', { 'detail-type': 'Call Summary Recorded', detail: 'SECRET' }, 'detail'],
    ['wrong fields', { 'detail-type': 'Call Summary Recorded', detail: { callId: 'SECRET', call: [] } }, 'account'],
    ['an unknown zone', { 'detail-type': 'Call Summary Recorded', detail: inZone('Mars/SECRET') }, 'wrong: call'],
  ])('sends %s to the error prefix, and logs what is wrong but nothing of it', async (_what, event, named) => {
    const [good] = await onBus();
    const { records, output } = await transformed([event, good]);

    expect(records.map(({ result }) => result)).toEqual(['ProcessingFailed', 'Ok']);
    expect(output).toContain(named);
    expect(output).not.toMatch(/SECRET|09000000042/);
  });
});
