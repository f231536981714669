import { json } from '../faults/fault-routes.ts';
import { jsonAnswer } from '../http/json-answer.ts';
import type { Answer } from '../http/serve.ts';
import type { Simulator } from '../simulator/index.ts';

/** What can be scripted; undefined where nothing is simulated. */
export type Scripted = Pick<Simulator, 'script' | 'agents'> | undefined;

const notSimulated = json(409, { message: 'Nothing is simulated here: the agents are those of --provider.' });

/** GET /_sandbox/agents: who is logged in at the simulated contact centre, by account. */
export const tellAgents = (simulator: Scripted): Answer =>
  simulator === undefined ? notSimulated : json(200, simulator.agents());

/** POST /_sandbox/agents: takes a step, or a list of steps, or none of them. `onScripted` is told how many. */
export const scriptAgents = (simulator: Scripted, body: string, onScripted: (steps: number) => void): Answer => {
  if (simulator === undefined) return notSimulated;

  const outcome = simulator.script(body);
  if (!outcome.ok) return json(outcome.problem.status, { message: outcome.problem.message });
  onScripted(outcome.value.applied);
  return jsonAnswer(200, outcome.value);
};
