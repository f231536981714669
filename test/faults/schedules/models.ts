import { readdir, readFile } from 'node:fs/promises';
import * as z from 'zod';
import { agents } from './agents/polling.ts';
import { agentsAtPorts } from './agents/ports.ts';
import { calls } from './calls/calls.ts';
import { type Model, modelOf } from './model.ts';

/** Every model, by its name. */
const models: ReadonlyMap<string, Model> = new Map(
  [modelOf(calls), modelOf(agents), modelOf(agentsAtPorts)].map((model) => [model.name, model]),
);

/** The model of a name. Throws where there is none. */
export const modelNamed = (name: string): Model => {
  const model = models.get(name);
  if (model === undefined) throw new RangeError(`There is no model “${name}”, but ${[...models.keys()].join(', ')}`);
  return model;
};

/** A history that once led to a breach, of the product or of a copy with a planted fault. */
const Regression = z.strictObject({
  model: z.string(),
  /** What it showed, and when. */
  what: z.string(),
  history: z.unknown(),
});
export type Regression = z.infer<typeof Regression>;

const folder = new URL('regressions/', import.meta.url);

/** Reads one. */
export const readRegression = async (file: string | URL): Promise<Regression> =>
  Regression.parse(JSON.parse(await readFile(file, 'utf8')));

/** All that are kept, by the names of their files. */
export const readRegressions = async (): Promise<ReadonlyMap<string, Regression>> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readRegression(new URL(name, folder))] as const)),
  );
};
