import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventSchemas } from '../../../lib/contract/events.ts';
import { parseEvent } from '../../../lib/contract/index.ts';
import { eventFaults, matches } from './support/event-bridge.ts';

type Plain = Readonly<Record<string, unknown>>;

const page = readFileSync('docs/contract.md', 'utf8');
const types = Object.keys(eventSchemas);

/** The JSON blocks of a part of the page. */
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
  it('has no undefined value and no unfilled place', () => {
    expect(page).not.toMatch(/undefined|\{\{|\[object/);
  });

  it('has no broken link', () => {
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

  it('has a wide and a narrow rule, which match the example and no other type', () => {
    expect(patternsOf(type)).toHaveLength(2);
    for (const pattern of patternsOf(type)) {
      expect(matches(pattern, exampleOf(type))).toBe(true);
      expect(others(type).filter((other) => matches(pattern, other))).toEqual([]);
    }
  });

  it('has a narrow rule that does not match other values', () => {
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
