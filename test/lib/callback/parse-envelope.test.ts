import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyRecords } from '../../../lib/callback/classify-records.ts';
import { mendedJson } from '../../../lib/callback/json-content.ts';
import { type Form, isForm, type Posted, parseEnvelope, withoutLimits } from '../../../lib/callback/parse-envelope.ts';
import { maxContentBytes } from '../../../lib/callback/reply.ts';
import { tryParseJson } from '../../../lib/core/json.ts';
import { anyCharacter, holds } from '../../support/arbitraries.ts';
import { posted } from '../../support/posted-records.ts';

const call = { monitorUCID: '41781234567890123', Status: 'Answered' };
const json = JSON.stringify(call);

const parsed = (post: Posted) => {
  const result = parseEnvelope(post);
  return result.ok ? result.value : result.problem;
};
const ofForm = (form: Form, query: Form = {}): Posted => ({ content: { form }, query });
const ofJson = (text: string, query: Form = {}): Posted => ({ content: { json: text }, query });

const envelope = (...records: readonly object[]) => ({
  records: records.map(posted),
  sent: { text: expect.any(String), carriedAs: expect.any(String) },
  envelopeKeys: [],
});

describe('parseEnvelope', () => {
  it('replaces halves of characters in data within data', () => {
    expect(
      parsed(ofForm({ data: JSON.stringify({ data: '{"monitorUCID":"7\ud800","Status":"Answered"}' }) })),
    ).toMatchObject({
      records: [{ value: { monitorUCID: '7\ufffd' } }],
    });
    expect(parsed(ofForm({ data: '{"data":"\\udc00{"}' }))).toMatchObject({
      reason: 'broken-json',
      sent: { text: '{"data":"\\udc00{"}' },
    });
  });

  it('makes a record of the single values beside data in JSON, without the key and blanks', () => {
    const post = ofJson('{"Apikey":"k","note":"x","data":{"Status":"Answered"},"n": 1.50,"t":true,"a":null,"b":" "}');

    expect(parsed(post)).toMatchObject({
      records: [
        { value: { Status: 'Answered' } },
        { value: { note: 'x', n: '1.50', t: true }, text: '{"note":"x","n":1.50,"t":true}' },
      ],
      envelopeKeys: [{ name: 'Apikey', key: 'k' }],
    });
  });

  it.each([
    ['a record', (text: string) => text],
    ['a list', (text: string) => `[ 1 , ${text}\t]`],
    ['a list within data', (text: string) => `{"a":"]","data":[0],"data":[null,${text}]}`],
  ])('has the text of each record to the letter in %s', (_title, within) => {
    const text =
      '{"Status":"Answered\uFEFF", "Status" : "a\\"]}\\/", "n":1.50,"l":[[1,{"x":"[,"}], {}],"monitorUCID":12345678901234567890}';

    expect(parsed(ofForm({ data: within(text) }))).toMatchObject({
      records: expect.arrayContaining([{ value: expect.objectContaining({ n: '1.50' }), text }]),
    });
  });

  it('finds every key beside data, in any spelling and place', () => {
    expect(parsed(ofForm({ data: json, Apikey: ['a', 'b'], api_key: 'c' }, { Apikey: 'd' }))).toMatchObject({
      envelopeKeys: expect.arrayContaining(['a', 'b', 'c', 'd'].map((key) => ({ name: expect.any(String), key }))),
    });
  });

  const ringing = { monitorUCID: '1', Status: 'ringing' };

  it.each([
    ['an event around what may be a call', { event: 'AgentRinging', call: ringing }],
    ['events around it in a list', { eventType: 'x', body: JSON.stringify([ringing]) }],
    ['lists and objects without a record', { calls: [{ a: [1] }, 'x', '[sales]'], '[': '{', b: null }],
  ])('returns %s unchanged', (_title, value) => {
    const [record] = Object(parsed(ofJson(JSON.stringify(value)))).records;

    expect(record).toEqual(posted(value));
    expect(classifyRecords([record]).calls).toEqual([]);
  });

  const missed = { monitorUCID: '1', Status: 'NotAnswered', StartTime: '2026-11-26 10:00:00' };
  const ended = { ...ringing, EndTime: '2026-11-26 10:02:00' };
  it.each([
    [
      'the data of an event, though it has not ended',
      missed,
      { event: 'CallSummary', data: missed },
      { event: 'CallSummary' },
    ],
    ['its data as text', missed, { event: 'CallSummary', Data: JSON.stringify(missed) }, { event: 'CallSummary' }],
    ['a list with something else in it', ended, { calls: [{ at: 1 }, ended] }, { at: 1 }],
    [
      'an event once it states how it ended',
      ended,
      { event: 'x', at: 1, body: { call: ended } },
      { event: 'x', at: 1 },
    ],
  ])('finds the call in %s', (_title, call, sent, left) => {
    const { records } = Object(parsed(ofJson(JSON.stringify(sent))));

    expect(classifyRecords(records)).toMatchObject({
      calls: [{ value: call }],
      unrecognised: [{ text: JSON.stringify(left) }],
    });
  });

  it('reads what an older release took for the fields of a form, as far as it was kept', () => {
    const sent = { ...call, AudioFile: 'https://r/?a=b&c=d&=', Comments: '=&' };
    const form = Object.fromEntries(new URLSearchParams(JSON.stringify(sent)));

    expect(parsed(ofForm(form))).toMatchObject({ records: [{ value: sent }], sent: { carriedAs: 'json' } });
  });

  it('returns the fields of a form that are a call without its key, which may be repeated', () => {
    expect(parsed(ofForm({ ...call, Apikey: 'k', Skill: ['a', 'b'] }, { tenant: '42' }))).toMatchObject({
      records: [{ value: { ...call, Skill: ['a', 'b'] } }],
      envelopeKeys: [{ key: 'k' }],
      sent: { text: JSON.stringify({ ...call, Skill: ['a', 'b'] }), carriedAs: 'json' },
    });
  });

  it.each([
    ['is null', { data: null }],
    ['is missing', { other: 'x' }],
    ['is a field of a summary', { ...call, data: '{}' }],
  ])('returns an object unchanged if its data %s', (_title, value) => {
    expect(parsed(ofJson(JSON.stringify(value)))).toEqual(envelope(value));
  });

  const tooLong = `"${'x'.repeat(maxContentBytes)}"`;
  const manyBytes = `"${'é'.repeat(maxContentBytes / 2)}"`;

  it.each([
    ['data', ofForm({ data: tooLong }), tooLong],
    ['a JSON body', ofJson(tooLong), tooLong],
    ['data of many bytes in few characters', ofForm({ data: manyBytes }), manyBytes],
    ['a form without data', ofForm({ x: tooLong }), JSON.stringify({ x: tooLong })],
    ['two data fields', ofForm({ data: [tooLong, 'x'] }), JSON.stringify({ data: [tooLong, 'x'] })],
  ])('rejects %s above the limit, and returns the whole of it', (_title, post, text) => {
    expect(parsed(post)).toMatchObject({ reason: 'body-too-large', sent: { text }, envelopeKeys: [] });
  });

  it('parses content of any size where the caller sets no limit', () => {
    const content = { json: JSON.stringify({ ...call, Comments: 'x'.repeat(maxContentBytes) }) };

    expect(parseEnvelope({ content, query: {} }, withoutLimits)).toMatchObject({ ok: true });
  });

  it('returns a text that is not read, with its reason and the key in the query', () => {
    const content = { unread: 'a=1&b=2', reason: 'too-many-fields' as const };

    expect(parseEnvelope({ content, query: { Apikey: 'k' } })).toEqual({
      ok: false,
      problem: {
        reason: 'too-many-fields',
        sent: { text: 'a=1&b=2', carriedAs: 'unread' },
        envelopeKeys: [{ name: 'Apikey', key: 'k' }],
      },
    });
    expect(parseEnvelope({ content, query: { data: ['{}'] } })).toMatchObject({
      problem: { sent: { text: '{"data":["{}"],"body":"a=1&b=2"}', carriedAs: 'unread' } },
    });
  });

  it('accepts a form without data, and data, of exactly the limit', () => {
    const room = maxContentBytes - JSON.stringify({ x: '' }).length;

    expect(parsed(ofForm({ x: 'x'.repeat(room) }))).toMatchObject({ reason: 'data-missing' });
    expect(parsed(ofForm({ x: 'x'.repeat(room + 1) }))).toMatchObject({ reason: 'body-too-large' });
    expect(parsed(ofForm({ data: `"${'x'.repeat(maxContentBytes - 2)}"` }))).toMatchObject({ envelopeKeys: [] });
  });

  it.each([
    ['data that is no JSON', ofForm({ data: '{"a":1' }), '{"a":1', 'json'],
    ['data behind a byte-order mark', ofForm({ data: '\uFEFF{' }), '{', 'json'],
    ['data with a byte-order mark in it', ofForm({ data: '{\uFEFF' }), '{\uFEFF', 'json'],
    ['blank data', ofForm({ data: ' ', x: '1' }), '{"data":" ","x":"1"}', 'form'],
    ['a list beside data', ofForm({ data: '{', x: '[1]' }), '{"data":"{","x":"[1]"}', 'form'],
    ['a list in the query beside JSON', ofJson('{', { x: '[1]' }), '{"x":"[1]","data":["{"]}', 'form'],
    ['a form without data', ofForm({ x: '1' }), '{"x":"1"}', 'form'],
    ['a form whose data is absent', ofForm({ data: undefined, x: '1' }), '{"x":"1"}', 'form'],
    ['data in the query beside JSON', ofJson('{}', { data: '1' }), '{"data":["1","{}"]}', 'form'],
    ['data cut at a “&”', ofForm({ data: '{"a":"b ', ' c"}': '' }), '{"data":"{\\"a\\":\\"b "," c\\"}":""}', 'form'],
    ['broken JSON in place of a form', ofForm({ '{"a":"b ': '', ' c': '' }), '{"a":"b & c', 'json'],
    ['fields beside data twice', ofForm({ data: ['1', '2'], x: 'n' }), '{"data":["1","2"],"x":"n"}', 'form'],
    ['data in form and query', ofForm({ data: '1' }, { data: '2' }), '{"data":["1","2"]}', 'form'],
  ])('returns the whole of %s for quarantine, and how it was carried', (_title, post, text, carriedAs) => {
    expect(parsed(post)).toMatchObject({ sent: { text, carriedAs } });
  });

  it('parses wrappers within wrappers without a stack overflow', () => {
    const wrapped = Array.from({ length: 12 }).reduce<string>((inner) => JSON.stringify({ data: inner }), json);

    expect(parsed(ofJson(wrapped))).toEqual(envelope(call));
  });
});

describe('isForm', () => {
  it.each([
    ['a form without fields', {}, true],
    ['a text under a name', { data: '{}' }, true],
    ['a repeated name', { data: ['{}', '[]'] }, true],
    ['a name that objects have', JSON.parse('{"__proto__":"x"}'), true],
    ['nothing', undefined, false],
    ['null', null, false],
    ['a text', 'data={}', false],
    ['a list', [{ data: '{}' }], false],
    ['a field that is no text', { data: '{}', other: 1 }, false],
    ['a repeated name with a value that is no text', { data: ['{}', 1] }, false],
  ])('of %s: %s', (_title, fields, expected) => {
    expect(isForm(fields)).toBe(expected);
  });
});

/** The value of a text once it is mended, or nothing where it stays broken. */
const mended = (text: string): unknown => tryParseJson(mendedJson(text) ?? text);

describe('mendedJson', () => {
  it.each([
    ['a line end in a text', '{"Comments":"line1\nline2"}', { Comments: 'line1\nline2' }],
    ['a tab, a carriage return and a zero', '["a\tb\rc\0d"]', ['a\tb\rc\0d']],
    ['an escaped apostrophe', String.raw`{"Comments":"the caller\'s"}`, { Comments: "the caller's" }],
    ['an escaped backslash before an apostrophe', '["a\\\\\'\n"]', ["a\\'\n"]],
    ['an escaped quote before a line end', '["a\\"\n"]', ['a"\n']],
    ['a comma behind the last field', '{"a":"1", \n}', { a: '1' }],
    ['a comma behind the last entry of a list', '[{"a":[1,],},]', [{ a: [1] }]],
    ['all of them', '[{"a":"\n","b":"\\\'",},\r\n]', [{ a: '\n', b: "'" }]],
    // These stay broken.
    ['a gap in a list', '[1,,]'],
    ['a comma alone', '[,]'],
    ['a comma alone in an object', '{,}'],
    ['a name without a value', '{"a":,}'],
    ['a quote within a text', '{"a":"said "yes", and\nleft"}'],
    ['another escape', String.raw`["C:\data\n", "\q"]`],
    ['a text without its end', '{"a":"1\n'],
    ['a line end behind a backslash', '["a\\\nb"]'],
    ['a control character between fields', '{"a":1,\f"b":2}'],
    ['single quotes', "{'a':'1',}"],
    ['a comment', '{"a":1, /* x */}'],
  ])('mends %s, or leaves it broken', (_title, text, value?) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(mended(text)).toEqual(value);
  });

  it('finds nothing to mend in JSON', () => {
    holds(
      fc.property(fc.json({ stringUnit: anyCharacter }), fc.constantFrom(undefined, 2), (text, indent) => {
        expect(mendedJson(JSON.stringify(JSON.parse(text), null, indent))).toBeUndefined();
      }),
    );
  });

  it('restores any JSON in which escapes were left out and commas added', () => {
    const records = fc.array(fc.dictionary(fc.string(), fc.string({ unit: anyCharacter }), { minKeys: 1 }), {
      minLength: 1,
    });
    const damaged = (json: string) =>
      json
        .replace(/\\(?:u....|.)/g, (escaped) =>
          ['\\n', '\\t'].includes(escaped) ? JSON.parse(`"${escaped}"`) : escaped,
        )
        .replaceAll("'", "\\'")
        .replace(/(?<=["}])\n *(?=[}\]])/g, ',$&');
    holds(
      fc.property(records, (value) => {
        expect(mended(damaged(JSON.stringify(value, null, 1)))).toEqual(value);
      }),
    );
  });
});
