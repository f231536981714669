import * as z from 'zod';
import { defaultWithinSeconds } from '../../lib/client/index.ts';
import { groupings } from '../commands/day.ts';
import { Problem } from '../problem.ts';
import { type ConsoleSettings, shownAccounts } from './accounts.ts';
import { readAgentDay, readAgentSkills } from './agent.ts';
import { readAsSent, readCall, readSound } from './call.ts';
import { callsDownload, callsReader } from './calls.ts';
import { readCustomer } from './customer.ts';
import { dayReader } from './day.ts';
import { floorReader } from './floor.ts';
import { readHealth, readOperations, readQuarantined } from './health.ts';
import { ControlRequest, controlSandbox, sandboxFaults } from './sandbox.ts';

const word = z.string().min(1).max(300).optional();
const day = z
  .string()
  .regex(/^(?:today|yesterday|\d{4}-\d\d-\d\d)$/)
  .default('today');
const at = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  .optional();
const within = z.coerce.number().int().min(0).max(3_600).default(defaultWithinSeconds);
const callFilters = { status: word, type: word, campaign: word, skill: word, agent: word, customer: word };

/** Answers a query in JSON, with a `Download`, or with a `Sound`. A player asks for a range of a sound. */
type Answer = (query: Readonly<Record<string, string>>, range?: string | undefined) => Promise<object>;

/** Everything that the page can ask, by name. Only `sandbox` of `posts` changes anything, and only in a sandbox. */
export interface ConsoleApi {
  readonly gets: Readonly<Record<string, Answer>>;
  readonly posts: Readonly<Record<string, (body: unknown) => Promise<object>>>;
}

/** Parses a query strictly; the problem names the field and no value. */
const withQuery =
  <Fields extends z.ZodRawShape>(
    fields: Fields,
    answer: (query: z.output<z.ZodObject<Fields & { account: typeof word }>>, range?: string) => Promise<object>,
  ): Answer =>
  async (query, range) => {
    const parsed = z.strictObject({ account: word, ...fields }).safeParse(query);
    if (parsed.success) return await answer(parsed.data as never, range);
    throw new Problem(`Wrong: ${parsed.error.issues.map(({ path }) => path.join('.') || 'a name').join(', ')}.`, 2);
  };

/** The console's answers over one deployment. */
export const consoleApi = (settings: ConsoleSettings): ConsoleApi => {
  const { deployment } = settings;
  const accounts = shownAccounts(settings);
  const floors = floorReader(settings);
  const calls = callsReader(settings);
  const days = dayReader(settings);
  const sandbox = deployment.bus.kind === 'sandbox' ? deployment.bus.name : undefined;
  const id = z.string().min(1).max(300);

  return {
    gets: {
      about: withQuery({}, accounts.about),
      feed: withQuery({}, async ({ account }) => floors.feed(await accounts.get(account))),
      floor: withQuery({ at }, async ({ account, at: moment }) => floors.floor(await accounts.get(account), moment)),
      history: withQuery({}, async ({ account }) => floors.history(await accounts.get(account))),
      calls: withQuery(
        { day, at, cursor: z.string().max(2_000).optional(), ...callFilters },
        async ({ account, ...query }) => calls(await accounts.get(account), query),
      ),
      'calls-csv': withQuery({ day, at, ...callFilters }, async ({ account, ...query }) =>
        callsDownload(settings, await accounts.get(account), query),
      ),
      call: withQuery({ id }, async ({ account, id: callId }) =>
        readCall(settings, await accounts.get(account), callId),
      ),
      'as-sent': withQuery({ id }, async ({ account, id: callId }) =>
        readAsSent(settings, await accounts.get(account), callId),
      ),
      recording: withQuery({ id, recording: id }, async ({ account, id: callId, recording: recordingId }, range) =>
        readSound(settings, await accounts.get(account), { callId, recordingId, range }),
      ),
      customer: withQuery({ number: id }, async ({ account, number }) =>
        readCustomer(settings, await accounts.get(account), number),
      ),
      agent: withQuery({ id, day }, async ({ account, id: agentId, day: asked }) =>
        readAgentDay(settings, await accounts.get(account), { agentId, day: asked }),
      ),
      'agent-skills': withQuery({ id }, async ({ account, id: agentId }) =>
        readAgentSkills(settings, await accounts.get(account), agentId),
      ),
      day: withQuery(
        { day, by: z.enum(groupings).default('agent'), within, again: at },
        async ({ account, ...query }) => days(await accounts.get(account), query),
      ),
      health: withQuery({}, async ({ account }) => readHealth(settings, await accounts.get(account))),
      operations: withQuery({}, async ({ account }) => readOperations(settings, await accounts.get(account))),
      quarantined: withQuery({ id }, ({ id: entry }) => readQuarantined(settings, entry)),
      ...(sandbox !== undefined && { sandbox: withQuery({}, () => sandboxFaults(sandbox)) }),
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
