import * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { accountNamed } from './accounts.ts';
import { type LiveFloor, type LoggedIn, numberAt, people, ready, skills } from './floor.ts';
import { pick, seededRandom, shuffled } from './random.ts';

const text = z.string().max(255);
const name = text.min(1);
const agentReference = { account: name.optional(), agentId: name };

/** One change of an agent. A state can be any text, as the service sends any text. */
const Step = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.enum(['log-in', 'set-state']),
    ...agentReference,
    state: text.optional(),
    name: text.optional(),
    phoneNumber: text.optional(),
    skills: z.array(name).max(50).optional(),
  }),
  z.strictObject({ action: z.literal('log-out'), ...agentReference }),
]);
export type Step = z.infer<typeof Step>;

/** Why a script was rejected: the HTTP status, and what is wrong and where. It holds no personal data but agent ids. */
interface ScriptProblem {
  readonly status: 400 | 404 | 409;
  readonly message: string;
}

interface Scriptable {
  readonly userName: string;
  readonly floor: LiveFloor;
}

/** Steps without an account apply to the first one. Either all are applied or none; then so many agents are logged in. */
export const runScript = (
  accounts: readonly Scriptable[],
  body: string,
  at: number,
): Result<{ readonly applied: number; readonly loggedIn: Readonly<Record<string, number>> }, ScriptProblem> => {
  const value = tryParseJson(body);
  if (value === undefined) return fail({ status: 400, message: 'body: Expected JSON, one step or a list of steps' });
  const isList = Array.isArray(value);
  const read = z.array(Step).safeParse(isList ? value : [value]);
  if (!read.success) return fail({ status: 400, message: problemsOf(read.error, isList) });

  const drafts = accounts.map(({ userName, floor }) => ({
    ...{ userName, floor, changes: new Map<string, LoggedIn | undefined>() },
    loggedIn: new Map(floor.loggedInAt(at).map((agent) => [agent.id, agent])),
  }));
  for (const [index, step] of read.data.entries()) {
    const draft = step.account === undefined ? drafts[0] : accountNamed(drafts, step.account);
    const problem: Problem | undefined =
      draft === undefined
        ? [404, 'account', `Unknown account; the accounts are ${accounts.map(({ userName }) => userName).join(', ')}`]
        : applyStep(step, draft);
    if (problem === undefined) continue;

    const [status, field, message] = problem;
    return fail({ status, message: `${formatPath(isList ? [index, field] : [field])}: ${message}` });
  }
  for (const { floor, changes } of drafts) floor.script(changes);
  const loggedIn = Object.fromEntries(accounts.map(({ userName, floor }) => [userName, floor.loggedInAt(at).length]));
  return ok({ applied: read.data.length, loggedIn });
};

const formatPath = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

const allowedSteps =
  'A step is {"action": "log-in" | "set-state" | "log-out", "agentId": "…"}, with "state", "name", "phoneNumber", "skills" and "account" as needed.';

/** What is wrong with a body and where. It repeats no value. */
const problemsOf = ({ issues }: z.ZodError, isList: boolean): string => {
  const problems = issues.map(
    ({ path, message }) => `${formatPath(isList ? path : path.slice(1)) || 'body'}: ${message}`,
  );
  return `${problems.join('; ')}. ${allowedSteps}`;
};

interface Draft extends Scriptable {
  readonly loggedIn: ReadonlyMap<string, LoggedIn>;
  readonly changes: Map<string, LoggedIn | undefined>;
}

type Problem = readonly [status: ScriptProblem['status'], field: string, message: string];

const applyStep = (step: Step, { floor, loggedIn, changes }: Draft): Problem | undefined => {
  const { agentId } = step;
  const agent = changes.has(agentId) ? changes.get(agentId) : loggedIn.get(agentId);
  const isLogIn = step.action === 'log-in';
  if (isLogIn && agent !== undefined)
    return [409, 'agentId', `"${agentId}" is already logged in; set-state changes an agent`];
  if (!isLogIn && agent === undefined) return [404, 'agentId', `"${agentId}" is not logged in`];

  if (step.action === 'log-out') changes.set(agentId, undefined);
  else {
    const { id, name, number, skills, state } = agent ?? { ...agentWithId(floor, agentId), state: ready };
    const own = { name: step.name ?? name, number: step.phoneNumber ?? number, skills: step.skills ?? skills };
    changes.set(agentId, { id, ...own, state: step.state ?? state });
  }
  return undefined;
};

/** The account's own agent, or an invented one. The same id always gets the same details. */
const agentWithId = (floor: LiveFloor, id: string): Omit<LoggedIn, 'state'> => {
  const hash = [...id].reduce((hash, character) => (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0, 7);
  const [login] = /^\p{L}+/u.exec(id.toLowerCase()) ?? [];
  const random = seededRandom(hash);
  const [, name] = people.find(([known]) => known === login) ?? pick(random, people);
  const own = shuffled(random, skills).slice(0, 1 + (hash % 2));
  return floor.known(id) ?? { id, name, number: numberAt('agent', hash), skills: own };
};
