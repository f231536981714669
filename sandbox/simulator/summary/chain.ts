import type { Call } from '../floor/call.ts';

/** Joins what the parties of a call were, had or said. */
export const chain = (links: readonly string[]): string => links.join(' -> ');

/** A word once for every agent; once also where none took part. */
export const perAgent = ({ engagements }: Call, word: string): string =>
  chain(Array.from({ length: Math.max(1, engagements.length) }, () => word));

/** A word for the last agent only; the others have nothing to say. */
export const byLastAgent = ({ engagements }: Call, word: string): string =>
  word === '' ? '' : chain([...engagements.slice(1).map(() => ''), word]);

/**
 * The agents of a call as the service lists them: ids by the alphabet, unique ids by size, names by their turn and
 * one short when there are many. None of the lists lines up with another, nor do they in life.
 */
export const agentChains = ({ engagements }: Call) => {
  const agents = engagements.map(({ agent }) => agent);
  const names = agents.map(({ name }) => name);

  return {
    AgentID: chain(agents.map(({ id }) => id).sort()),
    AgentUniqueID: chain(agents.map(({ uniqueId }) => uniqueId).sort((one, other) => Number(one) - Number(other))),
    AgentName: chain(names.length > 2 ? names.slice(0, -1) : names),
  };
};
