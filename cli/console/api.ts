import * as z from 'zod';
import { defaultWithinSeconds } from '../../lib/client/index.ts';
import { groupings } from '../commands/day.ts';
import { Problem } from '../problem.ts';
import { type ConsoleSettings, type ShownAccount, shownAccounts } from './accounts.ts';
import { readAsSent, readCall, readSound } from './call.ts';
import { callsDownload, callsReader } from './calls.ts';
import { dayReader } from './day.ts';
import { floorReader } from './floor.ts';
import { readHealth, readOperations, readQuarantined } from './health.ts';
import { readAgentDay, readAgentSkills, readCustomer } from './people.ts';
import { ControlRequest, controlSandbox, sandboxFaults } from './sandbox.ts';

const id = z.string().min(1).max(300);
const word = id.optional();
const day = z
  .string()
  .regex(/^(?:today|yesterday|\d{4}-\d\d-\d\d)$/)
  .default('today');
const at = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  .optional();
const within = z.coerce.number().int().min(0).max(3_600).default(defaultWithinSeconds);

const nothing = z.strictObject({});
const anId = z.strictObject({ id });
const calls = z.strictObject({
  ...{ day, at, status: word, type: word, campaign: word, skill: word, agent: word, customer: word },
});

/** Answers a query in JSON, or with a `Stream`. A player asks for a range of a sound. */
type Answer = (query: Readonly<Record<string, string>>, range?: string | undefined) => Promise<object>;

/** Everything that the page can ask, by name. Only `sandbox` of `posts` changes anything, and only in a sandbox. */
export interface ConsoleApi {
  readonly gets: Readonly<Record<string, Answer>>;
  readonly posts: Readonly<Record<string, (body: unknown) => Promise<object>>>;
}

/** Parses a query strictly; the problem names the field and no value. */
const parsed = <Schema extends z.ZodType>(schema: Schema, query: object): z.output<Schema> => {
  const { success, data, error } = schema.safeParse(query);
  if (success) return data;
  throw new Problem(`Wrong: ${error.issues.map(({ path }) => path.join('.') || 'a name').join(', ')}.`, 2);
};

export const consoleApi = (settings: ConsoleSettings): ConsoleApi => {
  const { deployment } = settings;
  const accounts = shownAccounts(settings);
  const floors = floorReader(settings);
  const readCalls = callsReader(settings);
  const readDay = dayReader(settings);
  const sandbox = deployment.bus.kind === 'sandbox' ? deployment.bus.eventsAddress : undefined;

  const ofAll =
    <Schema extends z.ZodType>(schema: Schema, answer: (query: z.output<Schema>) => Promise<object>): Answer =>
    async ({ account: _any, ...query }) =>
      await answer(parsed(schema, query));
  const ofAccount =
    <Schema extends z.ZodType>(
      schema: Schema,
      answer: (account: ShownAccount, query: z.output<Schema>, range: string | undefined) => Promise<object>,
    ): Answer =>
    async ({ account, ...fields }, range) => {
      const query = parsed(schema, fields);
      return await answer(await accounts.get(account), query, range);
    };

  return {
    gets: {
      about: ofAll(nothing, accounts.about),
      feed: ofAccount(nothing, floors.feed),
      floor: ofAccount(z.strictObject({ at }), (account, query) => floors.floor(account, query.at)),
      history: ofAccount(nothing, floors.history),
      calls: ofAccount(calls.extend({ cursor: z.string().max(2_000).optional() }), readCalls),
      'calls-csv': ofAccount(calls, callsDownload),
      call: ofAccount(anId, readCall),
      'as-sent': ofAccount(anId, readAsSent),
      recording: ofAccount(anId.extend({ recording: id }), readSound),
      customer: ofAccount(z.strictObject({ number: id }), readCustomer),
      agent: ofAccount(anId.extend({ day }), readAgentDay),
      'agent-skills': ofAccount(anId, readAgentSkills),
      day: ofAccount(z.strictObject({ day, by: z.enum(groupings).default('agent'), within, again: at }), readDay),
      health: ofAccount(nothing, readHealth),
      operations: ofAccount(nothing, readOperations),
      quarantined: ofAll(anId, (query) => readQuarantined(settings, query.id)),
      ...(sandbox !== undefined && { sandbox: ofAll(nothing, () => sandboxFaults(sandbox)) }),
    },
    posts: {
      ...(sandbox !== undefined && {
        sandbox: async (body) => {
          const request = ControlRequest.safeParse(body);
          if (!request.success) throw new Problem('The sandbox has no such control.', 2);
          return { answer: await controlSandbox(sandbox, request.data) };
        },
      }),
    },
  };
};
