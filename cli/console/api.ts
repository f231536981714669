import * as z from 'zod';
import { defaultWithinSeconds } from '../../client/index.ts';
import { mapValues } from '../../lib/core/collections.ts';
import { callFilters } from '../calls/call-filters.ts';
import { groupings } from '../day/day.ts';
import { Problem } from '../frame/problem.ts';
import { type ConsoleSettings, type ShownAccount, shownAccounts } from './accounts.ts';
import { readAgentDay, showAgentNow } from './agent.ts';
import { agentFiguresReader } from './agent-figures.ts';
import { readAsSent, showCall } from './call.ts';
import { spellingsReader } from './call-query.ts';
import { dateOf, instantIn } from './call-range.ts';
import { waitReader } from './call-wait.ts';
import { callDetails, callsDownload, callsReader } from './calls.ts';
import { readCustomer } from './customer.ts';
import { dayCsvReader, dayReader } from './day.ts';
import { dayRecords, quartersReader } from './day-records.ts';
import { readDemonstration } from './demonstration.ts';
import { historyReader, showFeed, showFloor } from './floor.ts';
import { operationsReader, readHealth, readQuarantined } from './health.ts';
import { missedReader, waitingReader } from './missed.ts';
import { ControlRequest, controlSandbox, sandboxFaults, streamEvents } from './sandbox.ts';
import { readSound } from './sound.ts';

/** A text of a request; a wrong one is answered with what is allowed. */
const field = (isAllowed: (text: string) => boolean, allowed: string) => z.string().refine(isAllowed, allowed);

const id = field(({ length }) => length > 0 && length <= 300, 'a text of at most 300 characters');
const anyDay = (text: string) => dateOf(text, 'UTC', new Date(0)) !== undefined;
const date = field(anyDay, 'a day such as 2026-11-20, today or yesterday');
const day = date.default('today');
const anInstant = (text: string) => instantIn(text) !== undefined;
const at = field(anInstant, 'an instant with its zone, such as 2026-11-20T06:00:00Z or 2026-11-20T11:30:00+05:30')
  .transform(instantIn)
  .optional();
const maxSeconds = 3_600;
const seconds = field(
  (text) => /^\d{1,4}$/.test(text) && Number(text) <= maxSeconds,
  'a whole number of seconds, from 0 to 3,600',
);

const nothing = z.strictObject({});
const anId = z.strictObject({ id });
const filters = mapValues(callFilters, ({ words, isSeconds }) =>
  (words !== undefined ? z.enum(words) : isSeconds === true ? seconds : id).optional(),
);
const calls = z.strictObject({ day, from: at, to: at, at, ...filters });
/** What is counted of many calls. A customer's calls are few, and found by an index: they are listed alone. */
const countedCalls = calls.omit({ customer: true });
const figures = z.strictObject({
  day,
  from: date.optional(),
  to: date.optional(),
  by: z.enum(groupings).optional(),
  within: seconds.default(String(defaultWithinSeconds)).transform(Number),
});

/** What comes with a request besides its query: the range of a sound that a player asks for, and what ends a stream. */
export interface AskedWith {
  readonly range?: string | undefined;
  readonly signal: AbortSignal;
}

/** Parses a query strictly; the problem names the field and no value. */
const parsed = <Schema extends z.ZodType>(schema: Schema, query: object): z.output<Schema> => {
  const { success, data, error } = schema.safeParse(query);
  if (success) return data;
  const texts = error.issues.map(({ path, code, message }) =>
    code === 'custom' || code === 'invalid_value' ? `${path.join('.')} (${message})` : path.join('.') || 'a name',
  );
  throw new Problem(`Wrong: ${texts.join(', ')}.`, 2);
};

type Query = Readonly<Record<string, string>>;

/** Everything that the page can ask, by its address: the parameters, and what reads the answer. */
const readers = (settings: ConsoleSettings) => {
  const { bus } = settings.deployment;
  const accounts = shownAccounts(settings);
  const missed = missedReader(settings);
  const days = dayRecords(settings);
  const spellings = spellingsReader(settings);
  const details = callDetails();

  const ofAll =
    <Schema extends z.ZodType, Value>(
      schema: Schema,
      read: (query: z.output<Schema>, asked: AskedWith) => Promise<Value>,
    ) =>
    async ({ account: _any, ...query }: Query, asked: AskedWith) =>
      await read(parsed(schema, query), asked);
  const ofAccount =
    <Schema extends z.ZodType, Value>(
      schema: Schema,
      read: (account: ShownAccount, query: z.output<Schema>, asked: AskedWith) => Promise<Value>,
    ) =>
    async ({ account, ...fields }: Query, asked: AskedWith) => {
      const query = parsed(schema, fields);
      return await read(await accounts.get(account), query, asked);
    };

  return {
    about: ofAll(nothing, accounts.about),
    feed: ofAccount(nothing, showFeed),
    floor: ofAccount(z.strictObject({ at }), showFloor),
    history: ofAccount(nothing, historyReader(settings)),
    calls: ofAccount(
      calls.extend({ cursor: field(({ length }) => length <= 2_000, 'the unchanged “next” of a page').optional() }),
      callsReader(settings, missed, spellings, details),
    ),
    'calls-csv': ofAccount(calls, callsDownload(missed, spellings)),
    waiting: ofAccount(countedCalls, waitingReader(settings, missed)),
    call: ofAccount(anId, showCall),
    'call-wait': ofAccount(anId, waitReader(settings)),
    'as-sent': ofAccount(anId, readAsSent),
    recording: ofAccount(anId.extend({ recording: id }), readSound),
    customer: ofAccount(z.strictObject({ number: id }), readCustomer),
    agent: ofAccount(anId.extend({ day }), readAgentDay),
    'agent-now': ofAccount(anId, showAgentNow),
    'agent-figures': ofAccount(anId.extend({ day }), agentFiguresReader(settings, details)),
    day: ofAccount(figures, dayReader(settings, days)),
    'day-csv': ofAccount(figures, dayCsvReader(settings, days)),
    quarters: ofAccount(countedCalls, quartersReader(settings, days, missed)),
    health: ofAccount(nothing, readHealth),
    operations: ofAccount(nothing, operationsReader(settings)),
    quarantined: ofAll(anId, (query) => readQuarantined(settings, query.id)),
    ...(bus.kind === 'sandbox' && {
      sandbox: ofAll(nothing, () => sandboxFaults(bus.eventsAddress)),
      demonstration: ofAll(nothing, () => readDemonstration(bus.eventsAddress)),
      events: ofAll(nothing, (_query, { signal }) => streamEvents(bus.eventsAddress, settings, signal)),
    }),
  };
};

type Readers = Required<ReturnType<typeof readers>>;

/** What the page gets from each address. */
export type Answers = { readonly [Address in keyof Readers]: Awaited<ReturnType<Readers[Address]>> };

export interface ConsoleApi {
  /** An answer is sent in JSON, but for a `Stream`. */
  readonly gets: Readonly<Record<string, (query: Query, asked: AskedWith) => Promise<object>>>;
  /** The only request that changes anything, and only in a sandbox. */
  readonly controlSandbox?: (body: unknown) => Promise<object>;
}

export const consoleApi = (settings: ConsoleSettings): ConsoleApi => {
  const { bus } = settings.deployment;
  return {
    gets: readers(settings),
    ...(bus.kind === 'sandbox' && {
      async controlSandbox(body) {
        const request = ControlRequest.safeParse(body);
        if (!request.success) throw new Problem('The sandbox has no such control.', 2);
        return { answer: await controlSandbox(bus.eventsAddress, request.data) };
      },
    }),
  };
};
