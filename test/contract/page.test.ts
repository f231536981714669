import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseEvent } from '../../contract/index.ts';
import { eventSchemas } from '../../lib/contract/event-schemas.ts';
import { matches } from './support/matches.ts';
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
