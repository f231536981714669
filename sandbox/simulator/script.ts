import { hash } from 'node:crypto';
import * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { problemsOf } from '../frame/serve.ts';
import { accountNamed, byUserName } from './accounts.ts';
import { type LiveCentre, type LoggedIn, numberAt, people, skills } from './centre.ts';
import { between, pick, seededRandom, shuffled } from './random.ts';
import { ready } from './shifts.ts';

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
  readonly centre: LiveCentre;
}

const allowedSteps =
  'A step is {"action": "log-in" | "set-state" | "log-out", "agentId": "…"}, with "state", "name", "phoneNumber", "skills" and "account" as needed. Several are a list, counted from 0.';

/** Steps without an account apply to the first one. Either all are applied or none. Returns how many agents are then logged in. */
export const runScript = (
  accounts: readonly Scriptable[],
  body: string,
  at: number,
): Result<{ readonly applied: number; readonly loggedIn: Readonly<Record<string, number>> }, ScriptProblem> => {
  const steps = z.array(Step).safeParse([tryParseJson(body)].flat());
  if (!steps.success) return fail({ status: 400, message: `${problemsOf(steps.error)}. ${allowedSteps}` });

  const names = accounts.map(({ userName }) => userName).join(', ');
  const drafts = accounts.map(({ userName, centre }) => {
    const loggedIn = new Map(centre.loggedInAt(at).map((agent) => [agent.id, agent]));
    return { userName, centre, loggedIn, changes: new Map<string, LoggedIn | undefined>() };
  });
  for (const [index, step] of steps.data.entries()) {
    const draft = step.account === undefined ? drafts[0] : accountNamed(drafts, step.account);
    const problem: ScriptProblem | undefined =
      draft === undefined
        ? { status: 404, message: `account: Unknown account; the accounts are ${names}` }
        : applyStep(step, draft);
    if (problem !== undefined) return fail({ ...problem, message: `${index}.${problem.message}` });
  }
  for (const { centre, changes } of drafts) centre.script(changes);
  return ok({
    applied: steps.data.length,
    loggedIn: byUserName(accounts, ({ centre }) => centre.loggedInAt(at).length),
  });
};

interface Draft {
  readonly centre: LiveCentre;
  readonly loggedIn: ReadonlyMap<string, LoggedIn>;
  readonly changes: Map<string, LoggedIn | undefined>;
}

const applyStep = (step: Step, { centre, loggedIn, changes }: Draft): ScriptProblem | undefined => {
  const { action, agentId } = step;
  const agent = changes.has(agentId) ? changes.get(agentId) : loggedIn.get(agentId);
  if (action === 'log-in' && agent !== undefined)
    return { status: 409, message: `agentId: "${agentId}" is already logged in; set-state changes an agent` };
  if (action !== 'log-in' && agent === undefined)
    return { status: 404, message: `agentId: "${agentId}" is not logged in` };

  const { id, name, number, skills, state } = agent ?? { ...agentWithId(centre, agentId), state: ready };
  const changed =
    step.action === 'log-out'
      ? undefined
      : {
          id,
          name: step.name ?? name,
          number: step.phoneNumber ?? number,
          skills: step.skills ?? skills,
          state: step.state ?? state,
        };
  changes.set(agentId, changed);
  return undefined;
};

/** The account's own agent, or an invented one. The same id always gets the same details. */
const agentWithId = (centre: LiveCentre, id: string): Omit<LoggedIn, 'state'> => {
  const random = seededRandom(hash('sha256', id, 'buffer').readUInt32LE());
  const [login] = /^\p{L}+/u.exec(id.toLowerCase()) ?? [];
  const [, name] = people.find(([known]) => known === login) ?? pick(random, people);
  const own = shuffled(random, skills).slice(0, between(random, 1, 2));
  return centre.known(id) ?? { id, name, number: numberAt('agent', between(random, 0, 999)), skills: own };
};
