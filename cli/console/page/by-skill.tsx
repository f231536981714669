import type { FloorAnswer } from '../floor.ts';
import { stateName } from './words.ts';

/** An agent of the floor. */
export type Agent = NonNullable<FloorAnswer['agents']>[number];

/** How many of the agents are in each state. */
export const countsOf = (agents: readonly Agent[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { state } of agents) counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
};

/** The skills of the agents, each once. */
export const skillsOf = (agents: readonly Agent[]): readonly string[] =>
  [...new Set(agents.flatMap(({ skills = [] }) => skills))].sort((a, b) => a.localeCompare(b));

/** The states that decide who gets the next call of a skill; the rest is one column. */
const columns = ['ready', 'in-call', 'acw', 'pause'];

/** How many agents of each skill are in which state. An agent counts for each of their skills. */
export const BySkill = ({ agents }: { readonly agents: readonly Agent[] }) => {
  const skills = skillsOf(agents);
  if (skills.length === 0) return null;
  return (
    <details>
      <summary>By skill</summary>
      <p class="faint">How many calls wait for a skill is not known: the service tells of a call when it is over.</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Skill</th>
            {[...columns.map(stateName), 'other'].map((name) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {skills.map((skill) => (
            <Row key={skill} skill={skill} agents={agents.filter((agent) => agent.skills?.includes(skill))} />
          ))}
        </tbody>
      </table>
    </details>
  );
};

const Row = ({ skill, agents }: { readonly skill: string; readonly agents: readonly Agent[] }) => {
  const counts = countsOf(agents);
  const known = columns.map((state) => [state, counts.get(state) ?? 0] as const);
  const others = agents.length - known.reduce((sum, [, count]) => sum + count, 0);
  return (
    <tr>
      <th scope="row">{skill}</th>
      {[...known, ['other', others] as const].map(([state, count]) => (
        <td key={state} class="number">
          {count}
        </td>
      ))}
    </tr>
  );
};
