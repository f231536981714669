import * as z from 'zod';
import { parsed } from '../../../lib/json/parsed.ts';
import { fail, ok, type Result } from '../../../lib/result.ts';

const text = z.string().max(255);
const name = text.min(1);
const who = { account: name.optional(), agentId: name };
const details = { name: text.optional(), phoneNumber: text.optional(), skills: z.array(name).max(50).optional() };

/** One thing that happens to an agent. A state is any text, since the service has been seen to send any. */
const Step = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('log-in'), ...who, state: text.optional(), ...details }),
  z.strictObject({ action: z.literal('set-state'), ...who, state: text.optional(), ...details }),
  z.strictObject({ action: z.literal('log-out'), ...who }),
]);
export type Step = z.infer<typeof Step>;

/** How long a script may be: room for ten thousand agents and more. */
export const mostScriptBytes = 8 * 1024 * 1024;

/** Where a step stands in a body: nothing to say where it is the only one. */
export const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

const allowed =
  'A step is {"action": "log-in" | "set-state" | "log-out", "agentId": "…"}, with "state", "name", "phoneNumber", "skills" and "account" as needed.';

/** The steps in a body, and whether it is a list; or what is wrong, and where. No value is told again. */
export const stepsIn = (
  body: string,
): Result<{ readonly steps: readonly Step[]; readonly isList: boolean }, string> => {
  const value = parsed(body);
  if (value === undefined) return fail('body: Expected JSON, one step or a list of steps');

  const isList = Array.isArray(value);
  const steps = isList ? z.array(Step).safeParse(value) : Step.safeParse(value);
  if (steps.success) return ok({ steps: Array.isArray(steps.data) ? steps.data : [steps.data], isList });
  const wrong = steps.error.issues.map(({ path, message }) => `${placeOf(path) || 'body'}: ${message}`).join('; ');
  return fail(`${wrong}. ${allowed}`);
};
