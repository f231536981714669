import { agents } from './agents/polling.ts';
import { agentsAtPorts } from './agents/ports.ts';
import { calls } from './calls/calls.ts';
import { type Model, modelOf } from './model.ts';

/** Every model, by its name. */
export const models: ReadonlyMap<string, Model> = new Map(
  [modelOf(calls), modelOf(agents), modelOf(agentsAtPorts)].map((model) => [model.name, model]),
);

/** The model of a name. Throws where there is none. */
export const modelNamed = (name: string): Model => {
  const model = models.get(name);
  if (model === undefined) throw new RangeError(`There is no model “${name}”, but ${[...models.keys()].join(', ')}`);
  return model;
};
