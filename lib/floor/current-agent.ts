import * as z from 'zod';
import { Agent } from '../agent-login/model.ts';
import { loggedOut } from '../agent-login/states.ts';

/** An agent's row without its keys. */
export const CurrentAgent = z.object({
  ...Agent.shape,
  /** Counts what was told of the agent since the log-in. */
  version: z.int().positive(),
  /** The poll that brought what was told last (ISO instant). */
  changedAt: z.string(),
  /** When that was written (ISO instant). */
  recordedAt: z.string(),
  /** When the open stretch of the timeline begins: with the state, or with the day. */
  stretchFrom: z.string(),
});
export type CurrentAgent = Readonly<z.infer<typeof CurrentAgent>>;

/** Whether the agent has left: its row is about to be removed, and stands for a moment to be told of. */
export const hasLeft = ({ state }: Pick<CurrentAgent, 'state'>): boolean => state === loggedOut;
