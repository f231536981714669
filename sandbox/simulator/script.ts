import * as z from 'zod';
import { tryParseJson } from '../../lib/core/parse-json.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { type Agent, numberAt, people, skills } from './floor/floor.ts';
import type { LiveFloor, LoggedIn } from './floor/live-floor.ts';
import { ready } from './floor/shifts.ts';
import { pick, seededRandom, shuffled } from './random.ts';
import { accountNamed } from './service/accounts.ts';

/** A number that follows from a text. */
const hashOf = (text: string): number =>
  [...text].reduce((hash, character) => (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0, 7);

/** Believable details for an id that nobody has described: the same for the same id. */
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

/** Somebody as a step describes them: what it does not say stays as it was. */
const withStepDetails = (
  agent: Omit<LoggedIn, 'state'>,
  {
    state,
    name,
    phoneNumber,
    skills: own,
  }: Pick<Extract<Step, { action: 'log-in' }>, 'state' | 'name' | 'phoneNumber' | 'skills'>,
  usualState: string,
): LoggedIn => ({
  id: agent.id,
  name: name ?? agent.name,
  number: phoneNumber ?? agent.number,
  skills: own ?? agent.skills,
  state: state ?? usualState,
});

/** Who logs in under an id: the account's own agent of that id, or somebody new. */
const agentForLogIn = (id: string, known: Agent | undefined): Omit<LoggedIn, 'state'> => known ?? inventAgent(id);

const text = z.string().max(255);
const name = text.min(1);
const agentReference = { account: name.optional(), agentId: name };
const details = { name: text.optional(), phoneNumber: text.optional(), skills: z.array(name).max(50).optional() };

/** One thing that happens to an agent. A state is any text, since the service has been seen to send any. */
const Step = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('log-in'), ...agentReference, state: text.optional(), ...details }),
  z.strictObject({ action: z.literal('set-state'), ...agentReference, state: text.optional(), ...details }),
  z.strictObject({ action: z.literal('log-out'), ...agentReference }),
]);
export type Step = z.infer<typeof Step>;

/** How long a script may be: room for ten thousand agents and more. */
export const maxScriptBytes = 8 * 1024 * 1024;

/** Where a step stands in a body: nothing to say where it is the only one. */
const formatPath = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

const allowedSteps =
  'A step is {"action": "log-in" | "set-state" | "log-out", "agentId": "…"}, with "state", "name", "phoneNumber", "skills" and "account" as needed.';

/** The steps in a body, and whether it is a list; or what is wrong, and where. No value is told again. */
const parseSteps = (body: string): Result<{ readonly steps: readonly Step[]; readonly isList: boolean }, string> => {
  const value = tryParseJson(body);
  if (value === undefined) return fail('body: Expected JSON, one step or a list of steps');

  const isList = Array.isArray(value);
  const steps = isList ? z.array(Step).safeParse(value) : Step.safeParse(value);
  if (steps.success) return ok({ steps: Array.isArray(steps.data) ? steps.data : [steps.data], isList });
  const wrong = steps.error.issues.map(({ path, message }) => `${formatPath(path) || 'body'}: ${message}`).join('; ');
  return fail(`${wrong}. ${allowedSteps}`);
};

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
const applyStep = (step: Step, draft: Draft): Problem | undefined => {
  const { agentId } = step;
  const agent = agentIn(draft, agentId);

  if (step.action === 'log-in') {
    if (agent !== undefined) return [409, 'agentId', `"${agentId}" is logged in already; set-state changes an agent`];
    draft.changes.set(agentId, withStepDetails(agentForLogIn(agentId, draft.floor.known(agentId)), step, ready));
    return undefined;
  }
  if (agent === undefined) return [404, 'agentId', `"${agentId}" is not logged in`];
  draft.changes.set(agentId, step.action === 'log-out' ? undefined : withStepDetails(agent, step, agent.state));
  return undefined;
};

/** Takes the steps in a body, in their order. Without an account, they are about the first one. */
export const runScript = (accounts: readonly Scriptable[], body: string, at: number): ScriptOutcome => {
  const read = parseSteps(body);
  if (!read.ok) return fail({ status: 400, message: read.problem });

  const drafts = accounts.map((account) => draftOf(account, at));
  for (const [index, step] of read.value.steps.entries()) {
    const draft = step.account === undefined ? drafts[0] : accountNamed(drafts, step.account);
    const problem: Problem | undefined =
      draft === undefined ? [404, 'account', `There is: ${namesOf(accounts)}`] : applyStep(step, draft);
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
