import { jsonAnswer } from '../../http/json-answer.ts';
import type { Answer } from '../../http/serve.ts';
import type { LoggedIn } from '../floor/live-floor.ts';

/** An agent login record as the specification has it. */
export interface LoginRow {
  readonly AgentId: string;
  readonly AgentName: string;
  readonly PhoneNumber: string;
  readonly AgentState: string;
  readonly SkillName: string;
}

/** The record of somebody who is logged in. */
export const loginRow = ({ id, name, number, state, skills }: LoggedIn): LoginRow => ({
  AgentId: id,
  AgentName: name,
  PhoneNumber: number,
  AgentState: state,
  SkillName: skills.join(', '),
});

/** The success of the specification; `message` may be something else where practice differs. */
export const success = (message: unknown, others: object = {}): Answer =>
  jsonAnswer(200, { status: 'success', message, ...others });
