import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventSchemas } from '../../../lib/contract/events.ts';
import { parseEvent } from '../../../lib/contract/index.ts';
import { eventFaults, matches } from './support/event-bridge.ts';

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
