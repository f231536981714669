import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { answers } from '../fuzz/answers.ts';
import { hostileService } from '../fuzz/hostile-service.ts';
import { requests } from '../fuzz/requests.ts';
import { agents } from '../schedules/agents/polling.ts';
import { calls } from '../schedules/calls/calls.ts';
import { type Model, modelOf } from './model.ts';

const models: ReadonlyMap<string, Model> = new Map(
  [modelOf(calls), modelOf(agents), modelOf(requests), modelOf(answers), modelOf(hostileService)].map((model) => [
    model.name,
    model,
  ]),
);

/** The model of a name. Throws if there is none. */
export const modelNamed = (name: string): Model => {
  const model = models.get(name);
  if (model === undefined)
    throw new RangeError(`There is no model “${name}”. The models are: ${[...models.keys()].join(', ')}`);
  return model;
};

/** A history that once broke a guarantee, of the product or of a copy with a seeded fault. */
const Regression = z.strictObject({
  name: z.string(),
  model: z.string(),
  /** What it showed, and when. */
  what: z.string(),
  history: z.unknown(),
});
type Regression = z.infer<typeof Regression>;

const files = ['calls.ndjson', 'agents.ndjson'] as const;

/** The regressions in a file, one a line. */
export const readRegressions = async (file: string | URL): Promise<readonly Regression[]> =>
  (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => Regression.parse(JSON.parse(line)));

export const allRegressions = async (): Promise<readonly Regression[]> =>
  (
    await Promise.all(
      files.map((file) => readRegressions(new URL(`../schedules/regressions/${file}`, import.meta.url))),
    )
  ).flat();
