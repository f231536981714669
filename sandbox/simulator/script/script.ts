import { fail, ok, type Result } from '../../../lib/result.ts';
import type { LiveFloor, LoggedIn } from '../floor/live-floor.ts';
import { ready } from '../floor/shifts.ts';
import { accountNamed } from '../service/served-account.ts';
import { described, newcomer } from './newcomer.ts';
import { placeOf, type Step, stepsIn } from './steps.ts';

/** What a script did, and how many are logged in now, by account. */
export interface ScriptDone {
  readonly applied: number;
  readonly loggedIn: Readonly<Record<string, number>>;
}

/** Why it did nothing: the HTTP status, and where and what is wrong, without what was said of a person. */
export interface ScriptProblem {
  readonly status: 400 | 404 | 409;
  readonly message: string;
}

/** All steps were taken, or none. */
export type ScriptOutcome = Result<ScriptDone, ScriptProblem>;

/** An account whose floor can be scripted. */
export interface Scriptable {
  readonly userName: string;
  readonly floor: LiveFloor;
}

/** A floor as it is in the middle of a script. */
interface Draft extends Scriptable {
  readonly loggedIn: ReadonlyMap<string, LoggedIn>;
  readonly changes: Map<string, LoggedIn | undefined>;
}

const draftOf = ({ userName, floor }: Scriptable, at: number): Draft => ({
  userName,
  floor,
  loggedIn: new Map(floor.loggedInAt(at).map((agent) => [agent.id, agent])),
  changes: new Map(),
});

const agentIn = ({ loggedIn, changes }: Draft, agentId: string): LoggedIn | undefined =>
  changes.has(agentId) ? changes.get(agentId) : loggedIn.get(agentId);

type Problem = readonly [status: ScriptProblem['status'], field: string, message: string];

/** Takes a step within a draft, or says why it cannot be taken. */
const take = (step: Step, draft: Draft): Problem | undefined => {
  const { agentId } = step;
  const agent = agentIn(draft, agentId);

  if (step.action === 'log-in') {
    if (agent !== undefined) return [409, 'agentId', `"${agentId}" is logged in already; set-state changes an agent`];
    draft.changes.set(agentId, described(newcomer(agentId, draft.floor.known(agentId)), step, ready));
    return undefined;
  }
  if (agent === undefined) return [404, 'agentId', `"${agentId}" is not logged in`];
  draft.changes.set(agentId, step.action === 'log-out' ? undefined : described(agent, step, agent.state));
  return undefined;
};

/** Takes the steps in a body, in their order. Without an account, they are about the first one. */
export const script = (accounts: readonly Scriptable[], body: string, at: number): ScriptOutcome => {
  const read = stepsIn(body);
  if (!read.ok) return fail({ status: 400, message: read.problem });

  const drafts = accounts.map((account) => draftOf(account, at));
  for (const [index, step] of read.value.steps.entries()) {
    const draft = step.account === undefined ? drafts[0] : accountNamed(drafts, step.account);
    const problem: Problem | undefined =
      draft === undefined ? [404, 'account', `There is: ${namesOf(accounts)}`] : take(step, draft);
    if (problem === undefined) continue;

    const [status, field, message] = problem;
    return fail({ status, message: `${placeOf([...(read.value.isList ? [index] : []), field])}: ${message}` });
  }
  for (const { floor, changes } of drafts) floor.script(changes);
  return ok({ applied: read.value.steps.length, loggedIn: countedAt(accounts, at) });
};

const namesOf = (accounts: readonly Scriptable[]): string => accounts.map(({ userName }) => userName).join(', ');

const countedAt = (accounts: readonly Scriptable[], at: number): Readonly<Record<string, number>> =>
  Object.fromEntries(accounts.map(({ userName, floor }) => [userName, floor.loggedInAt(at).length]));
