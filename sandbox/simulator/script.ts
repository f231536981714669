import * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { type Agent, numberAt, people, skills } from './floor/floor.ts';
import { type LiveFloor, type LoggedIn, ready } from './floor/live-floor.ts';
import { pick, seededRandom, shuffled } from './random.ts';
import { accountNamed } from './service/accounts.ts';

const text = z.string().max(255);
const name = text.min(1);
const agentReference = { account: name.optional(), agentId: name };
const details = { name: text.optional(), phoneNumber: text.optional(), skills: z.array(name).max(50).optional() };

/** One change of an agent. A state can be any text, as the service sends any text. */
const Step = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('log-in'), ...agentReference, state: text.optional(), ...details }),
  z.strictObject({ action: z.literal('set-state'), ...agentReference, state: text.optional(), ...details }),
  z.strictObject({ action: z.literal('log-out'), ...agentReference }),
]);
export type Step = z.infer<typeof Step>;

/** The number of applied steps, and of agents logged in afterwards by account. */
export interface ScriptDone {
  readonly applied: number;
  readonly loggedIn: Readonly<Record<string, number>>;
}

/** Why a script was rejected: the HTTP status, and what is wrong and where. It holds no personal data but agent ids. */
export interface ScriptProblem {
  readonly status: 400 | 404 | 409;
  readonly message: string;
}

/** Either all steps are applied or none. */
export type ScriptOutcome = Result<ScriptDone, ScriptProblem>;

/** An account whose agents can be scripted. */
export interface Scriptable {
  readonly userName: string;
  readonly floor: LiveFloor;
}

/** Applies the steps of a body in their order. Steps without an account apply to the first account. */
export const runScript = (accounts: readonly Scriptable[], body: string, at: number): ScriptOutcome => {
  const read = parseSteps(body);
  if (!read.ok) return fail({ status: 400, message: read.problem });

  const drafts = accounts.map((account) => draftOf(account, at));
  for (const [index, step] of read.value.steps.entries()) {
    const draft = step.account === undefined ? drafts[0] : accountNamed(drafts, step.account);
    const problem: Problem | undefined =
      draft === undefined
        ? [404, 'account', `Unknown account; the accounts are ${namesOf(accounts)}`]
        : applyStep(step, draft);
    if (problem === undefined) continue;

    const [status, field, message] = problem;
    return fail({ status, message: `${formatPath([...(read.value.isList ? [index] : []), field])}: ${message}` });
  }
  for (const { floor, changes } of drafts) floor.script(changes);
  return ok({ applied: read.value.steps.length, loggedIn: countLoggedIn(accounts, at) });
};

const namesOf = (accounts: readonly Scriptable[]): string => accounts.map(({ userName }) => userName).join(', ');

const countLoggedIn = (accounts: readonly Scriptable[], at: number): Readonly<Record<string, number>> =>
  Object.fromEntries(accounts.map(({ userName, floor }) => [userName, floor.loggedInAt(at).length]));

/** The position of a field in a body, such as `[1].agentId`. */
const formatPath = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

const allowedSteps =
  'A step is {"action": "log-in" | "set-state" | "log-out", "agentId": "…"}, with "state", "name", "phoneNumber", "skills" and "account" as needed.';

/** The steps of a body, and whether it is a list; or what is wrong and where. The problem repeats no value. */
const parseSteps = (body: string): Result<{ readonly steps: readonly Step[]; readonly isList: boolean }, string> => {
  const value = tryParseJson(body);
  if (value === undefined) return fail('body: Expected JSON, one step or a list of steps');

  const isList = Array.isArray(value);
  const steps = isList ? z.array(Step).safeParse(value) : Step.safeParse(value);
  if (steps.success) return ok({ steps: Array.isArray(steps.data) ? steps.data : [steps.data], isList });
  const problems = steps.error.issues
    .map(({ path, message }) => `${formatPath(path) || 'body'}: ${message}`)
    .join('; ');
  return fail(`${problems}. ${allowedSteps}`);
};

/** A floor during a script, before its changes take effect. */
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

/** Applies a step to a draft, or returns why it cannot be applied. */
const applyStep = (step: Step, draft: Draft): Problem | undefined => {
  const { agentId } = step;
  const agent = agentIn(draft, agentId);

  if (step.action === 'log-in') {
    if (agent !== undefined) return [409, 'agentId', `"${agentId}" is already logged in; set-state changes an agent`];
    draft.changes.set(agentId, withStepDetails(agentForLogIn(agentId, draft.floor.known(agentId)), step, ready));
    return undefined;
  }
  if (agent === undefined) return [404, 'agentId', `"${agentId}" is not logged in`];
  draft.changes.set(agentId, step.action === 'log-out' ? undefined : withStepDetails(agent, step, agent.state));
  return undefined;
};

/** An agent with the details of a step. Details that the step omits stay unchanged. */
const withStepDetails = (
  agent: Omit<LoggedIn, 'state'>,
  {
    state,
    name,
    phoneNumber,
    skills: own,
  }: Pick<Extract<Step, { action: 'log-in' }>, 'state' | 'name' | 'phoneNumber' | 'skills'>,
  defaultState: string,
): LoggedIn => ({
  id: agent.id,
  name: name ?? agent.name,
  number: phoneNumber ?? agent.number,
  skills: own ?? agent.skills,
  state: state ?? defaultState,
});

/** The agent who logs in with an id: the account's own agent, or an invented one. */
const agentForLogIn = (id: string, known: Agent | undefined): Omit<LoggedIn, 'state'> => known ?? inventAgent(id);

/** Invented details for an unknown agent. The same id always gets the same details. */
const inventAgent = (id: string): Pick<Agent, 'id' | 'name' | 'number' | 'skills'> => {
  const hash = hashOf(id);
  const [login] = /^\p{L}+/u.exec(id.toLowerCase()) ?? [];
  const random = seededRandom(hash);
  const [, name] = people.find(([known]) => known === login) ?? pick(random, people);

  return {
    id,
    name,
    number: numberAt('agent', hash),
    skills: shuffled(random, skills).slice(0, 1 + (hash % 2)),
  };
};

/** A hash of a text. */
const hashOf = (text: string): number =>
  [...text].reduce((hash, character) => (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0, 7);
