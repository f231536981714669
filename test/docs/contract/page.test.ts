import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventSchemas } from '../../../lib/contract/events.ts';
import { parseEvent } from '../../../lib/contract/index.ts';
import { matches } from './support/event-bridge.ts';
import { eventFaults } from './support/schema-checks.ts';

type Plain = Readonly<Record<string, unknown>>;

const page = readFileSync('docs/contract.md', 'utf8');
const types = Object.keys(eventSchemas);

/** The blocks of JSON of a part of the page. */
const blocks = (text: string): readonly Plain[] =>
  [...text.matchAll(/```json\n([\s\S]*?)\n```/g)].map(([, json = '']) => JSON.parse(json));

const sectionOf = (type: string): string =>
  page.split(/^###? /m).find((section) => section.startsWith(`${type}\n`)) ?? '';
const exampleOf = (type: string): Plain => blocks(sectionOf(type)).at(-1) ?? {};
const patternsOf = (type: string): readonly Plain[] => blocks(sectionOf(type)).slice(0, -1);

const missed = blocks(page)[0] ?? {};
const missedPattern: Plain = JSON.parse(/--event-pattern '(.*)'/.exec(page)?.[1] ?? '{}');
const others = (type: string) => types.filter((other) => other !== type).map(exampleOf);

describe('the page', () => {
  it('says of everything that is generated what it is: nothing is undefined or left in braces', () => {
    expect(page).not.toMatch(/undefined|\{\{|\[object/);
  });

  it('leads nowhere that is not there', () => {
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
    const anchors = headings.map(
      (heading) =>
        `#${heading
          .toLowerCase()
          .replaceAll(/[^\w\- ]/g, '')
          .replaceAll(' ', '-')}`,
    );
    const targets = [...page.matchAll(/\]\((#[^)]*)\)/g)].map(([, target]) => target);

    expect(targets.length).toBeGreaterThan(50);
    expect(targets.filter((target = '') => !anchors.includes(target))).toEqual([]);
    expect(new Set(anchors).size).toBe(anchors.length);
  });

  it('has no two examples that are the same event', () => {
    expect(new Set(types.map((type) => JSON.stringify(exampleOf(type)))).size).toBe(types.length);
  });
});

describe.each(types)('%s on the page', (type) => {
  it('has an example that an independent validator finds in order, and parseEvent too', () => {
    expect(exampleOf(type)).toMatchObject({ 'detail-type': type });
    expect(eventFaults(exampleOf(type))).toEqual([]);
    expect(parseEvent(exampleOf(type))).toBeTruthy();
  });

  it('has a rule that takes them all, and a narrower one; both take the example and none of another type', () => {
    expect(patternsOf(type)).toHaveLength(2);
    for (const pattern of patternsOf(type)) {
      expect(matches(pattern, exampleOf(type))).toBe(true);
      expect(others(type).filter((other) => matches(pattern, other))).toEqual([]);
    }
  });

  it('is no longer taken by the narrower rule once the example says something else', () => {
    const [all = {}, narrow = {}] = patternsOf(type);
    const { detail, ...envelope } = narrow;
    const spoilt = { ...exampleOf(type), detail: {} };

    expect(envelope).toEqual(all);
    expect(detail).toBeDefined();
    expect(matches(all, spoilt)).toBe(true);
    expect(matches(narrow, spoilt)).toBe(false);
  });
});

describe('the rule for missed calls', () => {
  it('takes the missed call of the page, and nothing else that is on it', () => {
    expect(eventFaults(missed)).toEqual([]);
    expect(matches(missedPattern, missed)).toBe(true);
    expect(types.map(exampleOf).filter((example) => matches(missedPattern, example))).toEqual([]);
  });

  it.each([
    ['takes one whose type was not told', { type: undefined }, 'Call Summary Recorded', true],
    ['takes one that turns out to be missed', {}, 'Call Summary Revised', true],
    ['leaves one that nobody answered on the other side', { type: 'manual' }, 'Call Summary Recorded', false],
    ['leaves one that was answered', { status: 'answered' }, 'Call Summary Recorded', false],
    ['leaves one that turns out to be answered', { status: 'answered' }, 'Call Summary Revised', false],
    ['leaves one of which it is not known', { status: undefined }, 'Call Summary Recorded', false],
  ])('%s', (_title, said, type, expected) => {
    const { detail, ...envelope } = JSON.parse(JSON.stringify(missed));
    const call = JSON.parse(JSON.stringify({ ...detail.call, ...said }));

    expect(matches(missedPattern, { ...envelope, 'detail-type': type, detail: { ...detail, call } })).toBe(expected);
  });
});

const event = {
  source: 'callfeed',
  detail: { seconds: 30, skills: ['Sales', 'Support'], call: { status: 'answered' } },
};

describe('a rule', () => {
  it.each<[string, object, boolean]>([
    ['one of several values', { source: ['x', 'callfeed'] }, true],
    ['another value', { source: ['x'] }, false],
    ['every field of several', { source: ['callfeed'], detail: { seconds: [31] } }, false],
    ['a field at depth', { detail: { call: { status: ['answered'] } } }, true],
    ['a field that is not there', { detail: { call: { type: ['inbound'] } } }, false],
    ['an object that is not there', { detail: { participant: { type: ['inbound'] } } }, false],
    ['one value of a list', { detail: { skills: ['Support'] } }, true],
    ['a value that a list lacks', { detail: { skills: ['General'] } }, false],
    ['a number as text', { detail: { seconds: ['30'] } }, false],
    ['a bound that is reached', { detail: { seconds: [{ numeric: ['>=', 30] }] } }, true],
    ['a bound that is not', { detail: { seconds: [{ numeric: ['>', 30] }] } }, false],
    ['a range', { detail: { seconds: [{ numeric: ['>', 29, '<', 31] }] } }, true],
    ['a range that ends before', { detail: { seconds: [{ numeric: ['>', 20, '<', 30] }] } }, false],
    ['a field that is there', { source: [{ exists: true }] }, true],
    ['a field that is not there to be absent', { detail: { call: { type: ['x', { exists: false }] } } }, true],
    ['a field that is there to be absent', { source: [{ exists: false }] }, false],
    ['a value or that there is none', { detail: { call: { status: ['answered', { exists: false }] } } }, true],
    ['another value or that there is none', { detail: { call: { status: ['x', { exists: false }] } } }, false],
    ['a bound for what is no number', { source: [{ numeric: ['>', 0] }] }, false],
  ])('that asks for %s: %j', (_title, pattern, expected) => {
    expect(matches({ ...pattern }, event)).toBe(expected);
  });

  it('with a matcher that nobody wrote here is refused', () => {
    expect(() => matches({ source: [{ prefix: 'call' }] }, event)).toThrow('not known');
    expect(() => matches({ source: 'callfeed' }, event)).toThrow('lists');
  });
});
