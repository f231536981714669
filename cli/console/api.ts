import * as z from 'zod';
import { defaultWithinSeconds } from '../../lib/client/index.ts';
import { groupings } from '../commands/day.ts';
import { Problem } from '../problem.ts';
import { type ConsoleSettings, type ShownAccount, shownAccounts } from './accounts.ts';
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

export const consoleApi = (settings: ConsoleSettings): ConsoleApi => {
  const { deployment } = settings;
  const accounts = shownAccounts(settings);
  const floors = floorReader(settings);
  const calls = callsReader(settings);
  const days = dayReader(settings);
  const sandbox = deployment.bus.kind === 'sandbox' ? deployment.bus.name : undefined;
  const id = z.string().min(1).max(300);
  const ofAccount = <Fields extends z.ZodRawShape>(
    fields: Fields,
    answer: (account: ShownAccount, query: z.output<z.ZodObject<Fields>>, range?: string) => Promise<object>,
  ): Answer =>
    withQuery(fields, async (parsed, range) => {
      const { account, ...query } = parsed as { readonly account?: string };
      return await answer(await accounts.get(account), query as never, range);
    });

  return {
    gets: {
      about: withQuery({}, accounts.about),
      feed: ofAccount({}, floors.feed),
      floor: ofAccount({ at }, (account, query) => floors.floor(account, query.at)),
      history: ofAccount({}, floors.history),
      calls: ofAccount({ day, at, cursor: z.string().max(2_000).optional(), ...callFilters }, calls),
      'calls-csv': ofAccount({ day, at, ...callFilters }, (account, query) => callsDownload(settings, account, query)),
      call: ofAccount({ id }, (account, query) => readCall(settings, account, query.id)),
      'as-sent': ofAccount({ id }, (account, query) => readAsSent(settings, account, query.id)),
      recording: ofAccount({ id, recording: id }, (account, query, range) =>
        readSound(settings, account, { callId: query.id, recordingId: query.recording, range }),
      ),
      customer: ofAccount({ number: id }, (account, { number }) => readCustomer(settings, account, number)),
      agent: ofAccount({ id, day }, (account, query) =>
        readAgentDay(settings, account, { agentId: query.id, day: query.day }),
      ),
      'agent-skills': ofAccount({ id }, (account, query) => readAgentSkills(settings, account, query.id)),
      day: ofAccount({ day, by: z.enum(groupings).default('agent'), within, again: at }, days),
      health: ofAccount({}, (account) => readHealth(settings, account)),
      operations: ofAccount({}, (account) => readOperations(settings, account)),
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
