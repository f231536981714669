import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import * as z from 'zod';
import { withoutNumbers } from '../../functions/transform-events/column.ts';
import { tables } from '../../functions/transform-events/tables.ts';
import { eventSchemas, isEventType } from '../../lib/contract/events.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { unwrapped } from '../../lib/storage/field.ts';
import type { Asking, SimulatedDay } from './simulated-day.ts';

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
