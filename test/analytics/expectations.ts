import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import * as z from 'zod';
import { type DayGroup, type DayRecords, dayFigures, dayFiguresBy } from '../../client/index.ts';
import { tables } from '../../functions/transform-events/tables.ts';
import { views } from '../../functions/transform-events/views.ts';
import { eventSchemas, isEventType } from '../../lib/contract/events.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { withoutNumbers } from '../../lib/core/numbers-in-text.ts';
import { unwrapped } from '../../lib/storage/field.ts';
import type { Asking, SimulatedDay } from './simulated-day.ts';

const settings = { shortSeconds: 10, withinSeconds: 20 };

type Sums = Readonly<Record<string, unknown>>;

const thousandth = (value: number) => Math.round(value * 1000) / 1000;

/** The figures that views have, from their sums. A ratio of nothing is not known. */
const figuresOfSums = (sums: Sums) => {
  const of = (name: string) => Number(sums[name] ?? 0);
  const ratio = (part: string, whole: string) => (of(whole) === 0 ? undefined : thousandth(of(part) / of(whole)));
  const hasNoTimes = of('answered') > 0 && of('time_to_answer_calls') === 0;
  const total = (part: string) => (of(`${part}_calls`) === 0 ? undefined : thousandth(of(`${part}_seconds`)));
  return {
    calls: of('calls'),
    offered: of('offered'),
    answered: of('answered'),
    missed: of('missed'),
    abandoned: of('abandoned'),
    shortAbandoned: of('short_abandoned'),
    undecided: of('undecided'),
    serviceLevel: hasNoTimes ? undefined : ratio('in_time', 'service_level_calls'),
    answeredLate: of('time_to_answer_calls') - of('in_time'),
    abandonment: ratio('given_up', 'abandonment_calls'),
    timeToAnswerAverageSeconds: ratio('time_to_answer_seconds', 'time_to_answer_calls'),
    timeToAnswerLongestSeconds: of('time_to_answer_calls') === 0 ? undefined : of('time_to_answer_longest_seconds'),
    handled: of('handled'),
    talkAverageSeconds: ratio('talk_seconds', 'talk_calls'),
    talkTotalSeconds: total('talk'),
    holdAverageSeconds: ratio('hold_seconds', 'hold_calls'),
    holdTotalSeconds: total('hold'),
    wrapUpAverageSeconds: ratio('wrap_up_seconds', 'wrap_up_calls'),
    wrapUpTotalSeconds: total('wrap_up'),
    handleAverageSeconds: ratio('handle_seconds', 'handle_calls'),
  };
};

const numbersOfCalls = /^(?:calls|offered|answered|answeredLate|missed|abandoned|shortAbandoned|undecided|handled)$/;

/** The same figures as `callfeed day` has them. A number of calls that nobody knows is zero in a view. */
const figuresOfDay = ({ calls }: Pick<DayGroup, 'calls'>) =>
  Object.fromEntries(
    Object.entries(calls).flatMap(([name, { value }]) => {
      if (name.endsWith('MedianSeconds')) return [];
      return [[name, value ?? (numbersOfCalls.test(name) ? 0 : undefined)]];
    }),
  );

const times = ['logged_in_seconds', 'handling_seconds', 'available_seconds'];

const sumsBy = (key: string, columns: readonly string[]): string =>
  [key, ...columns.map((name) => `${name.includes('longest') ? 'max' : 'sum'}(${name}) AS ${name}`)].join(', ');

/** The columns of figures in `call_quarters` and `agent_call_quarters`. */
const figureColumns = (): readonly string[] => {
  const names = views.find(({ name }) => name === 'call_quarters')?.columns.map(({ name }) => name) ?? [];
  return names.slice(names.indexOf('calls'));
};

/** How `callfeed day` groups, and the views group. */
const groupings = {
  skill: ['call_quarters', 'skill_name'],
  campaign: ['call_quarters', 'campaign_name'],
  quarter: ['call_quarters', 'quarter'],
  agent: ['agent_call_quarters', 'agent_id'],
} as const;

/** Expects that every figure of calls equals that of `callfeed day`: by skill, campaign, agent and quarter, and of the whole day. */
export const expectSameFigures = async (day: DayRecords, { ask }: Asking): Promise<void> => {
  const columns = figureColumns();
  const ofTheDay = `local_day = '${day.day}'`;
  for (const by of keysOf(groupings)) {
    const [view, column] = groupings[by];
    const rows = await ask(
      `SELECT ${sumsBy(`${column} AS key`, columns)} FROM ${view} WHERE ${ofTheDay} GROUP BY ${column}`,
    );
    const groups = dayFiguresBy(by, day, settings).filter(({ calls }) => calls.calls.value !== 0);
    expect([by, Object.fromEntries(rows.map(({ key, ...sums }) => [keyText(key), figuresOfSums(sums)]))]).toEqual([
      by,
      Object.fromEntries(groups.map((group) => [keyText(group.key), figuresOfDay(group)])),
    ]);
  }
  const [whole] = await ask(`SELECT ${sumsBy('1 AS key', columns)} FROM call_quarters WHERE ${ofTheDay}`);
  expect(figuresOfSums(whole ?? {})).toEqual(figuresOfDay(dayFigures(day, settings)));
};

const keyText = (key: unknown): string =>
  typeof key === 'string' ? key.replace(' ', 'T').replace(/:\d\dZ?$|:\d\d\.000Z$/, '') : '-';

/** Expects that the time of every agent equals that of `callfeed day`. */
export const expectSameTimes = async (day: DayRecords, { ask }: Asking): Promise<void> => {
  const instant = (text: string) => `TIMESTAMP '${text.replace('T', ' ').replace('Z', '')}'`;
  const rows = await ask(
    `SELECT ${sumsBy('agent_id', times)} FROM agent_time_quarters
     WHERE quarter >= ${instant(day.start)} AND quarter < ${instant(day.end)} GROUP BY agent_id`,
  );
  const known = dayFiguresBy('agent', day, settings).filter(({ agents }) => agents?.loggedInSeconds.value);
  expect(known.length).toBeGreaterThan(10);
  const seconds = rows.map(({ agent_id, ...sums }) => [agent_id, times.map((name) => Number(sums[name]))]);
  expect(Object.fromEntries(seconds)).toEqual(
    Object.fromEntries(
      known.map(({ key, agents }) => [
        key,
        [agents?.loggedInSeconds.value, agents?.handlingSeconds.value, agents?.availableSeconds.value],
      ]),
    ),
  );
};

/** The texts of a value, by whether the contract declares them personal, at any depth. */
const textsOf = (isPersonal: boolean, declared: z.core.$ZodType, value: unknown): readonly string[] => {
  if (z.globalRegistry.get(declared)?.['personal'] === true) return isPersonal ? allTexts(value) : [];
  const schema = unwrapped(declared);
  if (schema instanceof z.core.$ZodArray && Array.isArray(value))
    return value.flatMap((entry) => textsOf(isPersonal, schema._zod.def.element, entry));
  if (!(schema instanceof z.core.$ZodObject)) return isPersonal ? [] : allTexts(value);
  const fields = Object.entries(schema._zod.def.shape);
  return fields.flatMap(([name, field]) => textsOf(isPersonal, field, Object(value)[name]));
};

const allTexts = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(allTexts) : [];
};

/** Found within other texts by chance: short words, and short numbers and durations as the simulator posts them. */
const isShort = (text: string): boolean => /^(?:.{1,3}|[\d:]{1,8})$/.test(text);

/**
 * Expects that no personal text of the events is in a file: as no value, no part of one, and not in the file's bytes. A text that
 * stands in a field that is not personal too, such as a skill to which a call is passed on, shows nothing, unless it is a number
 * or an address.
 */
export const expectNothingPersonal = async ({ folder, events }: SimulatedDay, { ask }: Asking): Promise<void> => {
  const textsIn = (isPersonal: boolean) =>
    new Set(
      events.flatMap(({ 'detail-type': type, detail }) =>
        isEventType(type) ? textsOf(isPersonal, eventSchemas[type], detail) : [],
      ),
    );
  const shown = textsIn(false);
  const isShown = (text: string) => shown.has(text) && withoutNumbers(text) === text;
  const personal = [...textsIn(true)].filter((text) => !isShown(text));
  expect(personal.length).toBeGreaterThan(500);

  const values = new Set<string>();
  for (const table of keysOf(tables))
    for (const row of await ask(`SELECT * FROM ${table}`)) for (const text of allTexts(row)) values.add(text);
  const bytes = globSync(join(folder, '**', '*.parquet')).map((file) => readFileSync(file));
  const everything = Buffer.concat([Buffer.from([...values].join('\n')), ...bytes]);
  expect(personal.filter((text) => values.has(text) || (!isShort(text) && everything.includes(text)))).toEqual([]);
};

/** The types of Glue and Athena by the names that DuckDB has for those of results. */
export const glueTypes: Readonly<Record<string, string>> = {
  VARCHAR: 'string',
  INTEGER: 'int',
  BIGINT: 'bigint',
  HUGEINT: 'bigint',
  DOUBLE: 'double',
  TIMESTAMP: 'timestamp',
  'VARCHAR[]': 'array<string>',
  'BOOLEAN[]': 'array<boolean>',
  'DOUBLE[]': 'array<double>',
};
