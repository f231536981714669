import { acquireSlot } from '../../lib/agents/acquire-slot.ts';
import type { AgentTable } from '../../lib/agents/agent-rows.ts';
import { applyPollResult } from '../../lib/agents/apply-result.ts';
import type { PollFailure, PollProblem } from '../../lib/agents/feed.ts';
import { fetchWithRetry } from '../../lib/agents/fetch-logins.ts';
import type { PolledAccount, ServiceRequest, TelephonyService } from '../../lib/agents/get-agent-logins.ts';
import type { ServiceResponse } from '../../lib/agents/parse-agent-logins.ts';
import { pollAgents } from '../../lib/agents/poll-agents.ts';
import { type PollContext, workWindowMs } from '../../lib/agents/poll-context.ts';
import { tokenCache } from '../../lib/agents/token-cache.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { eventsOf } from '../../lib/publish/publish-changes.ts';
import { polledAccount } from '../fixtures/accounts.ts';
import { type MemoryAgentTableOptions, memoryAgentTable } from './memory-agent-table.ts';
import { fixedAccounts, recordingTelemetry } from './memory-ports.ts';

/** The account of the polls, in a zone whose midnight is no UTC midnight. */
export const kolkataAccount: PolledAccount = {
  userName: 'demo',
  apiKeys: ['demo-key-1'],
  baseUrl: 'https://service.example',
  timeZone: 'Asia/Kolkata',
  token: { kind: 'none' },
};

/** A clock that stands still until it is moved. */
export const manualClock = (from: string) => {
  let nowMs = Date.parse(from);
  return {
    clock: () => new Date(nowMs),
    now: () => nowMs,
    advance(ms: number) {
      nowMs += ms;
    },
  };
};

/** The death of a process, at one call of a table or service. */
export class Crash extends Error {}

/** A table as a process sees it that dies at its n-th step: before or after each call, and ever after. */
export const crashingTable = (table: AgentTable, stepsToLive: number): AgentTable => {
  let left = stepsToLive;
  const live = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    if (left-- <= 0) throw new Crash();
    const answer = await call();
    if (left-- <= 0) throw new Crash();
    return answer;
  };
  return {
    query: (pk, between) => live(() => table.query(pk, between)),
    write: (guard, together) => live(() => table.write(guard, together)),
    put: async (rows) => {
      for (const row of rows) await live(() => table.put([row]));
    },
    remove: async (keys) => {
      for (const key of keys) await live(() => table.remove([key]));
    },
  };
};

/** A process that polls: it knows nothing when it starts. */
export const poller = (
  table: AgentTable,
  service: TelephonyService,
  clock: () => Date,
  accounts: readonly PolledAccount[] = [kolkataAccount],
) => {
  const telemetry = recordingTelemetry();
  const retention = { floorDays: 7, intervalDays: 90 };
  const pause = async () => undefined;
  const poll = pollAgents({
    table,
    service,
    clock,
    pause,
    telemetry,
    retention,
    accounts: fixedAccounts([...accounts]),
  });
  return { poll, telemetry };
};

/** What the service says to a request, or why nothing came. */
export type Reply = Result<ServiceResponse, PollFailure>;

/** An answer over the wire: text as it is, anything else as JSON. */
export const reply = (body: unknown, status = 200, retryAfterSeconds?: number): Reply =>
  ok({ status, text: typeof body === 'string' ? body : JSON.stringify(body), retryAfterSeconds });

/** The records, as the specification answers with them. */
export const success = (message: unknown): Reply => reply({ status: 'success', message });

/** An error, as the specification tells it. */
export const errorText = (message: unknown, status = 200): Reply => reply({ status: 'error', message }, status);

/** A token, as the service's public documentation answers with it. */
export const tokenReply = (token: unknown): Reply => reply({ token });

/** No answer at all. */
export const noReply = (reason: PollProblem): Reply => fail({ reason });

/** A reply, or what makes it when it is due. */
type ScriptedReply = Reply | (() => Reply);

const isForToken = ({ url }: ServiceRequest): boolean => url.endsWith('/generateToken');

/** Which operation a request is for. */
const operationOf = (request: ServiceRequest): 'token' | 'logins' => (isForToken(request) ? 'token' : 'logins');

/** A service that says what a test says: each operation's replies in order, the last one over and over. */
export const scriptedService = (script: {
  readonly logins?: readonly ScriptedReply[];
  readonly token?: readonly ScriptedReply[];
  /** Called before a request is answered, while it is under way. */
  readonly onRequest?: (request: ServiceRequest) => void | Promise<void>;
}) => {
  const requests: ServiceRequest[] = [];
  const service: TelephonyService = {
    async post(request) {
      const operation = operationOf(request);
      const replies = script[operation] ?? [];
      const before = requests.filter((earlier) => operationOf(earlier) === operation).length;
      requests.push(request);
      await script.onRequest?.(request);
      const said = replies[Math.min(before, replies.length - 1)] ?? noReply('connection');
      return typeof said === 'function' ? said() : said;
    },
  };
  return { ...service, requests, operations: () => requests.map(operationOf) };
};

type Script = Parameters<typeof scriptedService>[0];

interface Setting extends Script, MemoryAgentTableOptions {
  readonly account?: unknown;
  readonly start?: string;
}

/** One account's poller over a table in memory and a service that keeps to its script; time moves only when told to. */
export const pollRun = ({ account = polledAccount, start = '2026-11-20T06:00:01.000Z', ...setting }: Setting) => {
  const time = manualClock(start);
  const table = memoryAgentTable(setting);
  const telemetry = recordingTelemetry();
  const service = scriptedService(setting);
  const ports = { table, telemetry, service, clock: time.clock };
  const retention = { floorDays: 7, intervalDays: 90 };
  /** What another instance of the function works with: the same table and service, nothing remembered. */
  const pause = async (milliseconds: number) => time.advance(milliseconds);
  const untilMs = Number.POSITIVE_INFINITY;
  const instance = (): PollContext => ({
    ...ports,
    retention,
    pause,
    untilMs,
    hasNewKey: false,
    account: account as PolledAccount,
    getToken: tokenCache(ports),
  });
  const run = instance();
  const rows = (kind: string) => table.all().filter((row) => row['kind'] === kind);

  return {
    ...time,
    run,
    instance,
    table,
    telemetry,
    service,
    rows,
    /** Serves the present slot. */
    async poll(by: PollContext = run) {
      const inTime = { ...by, untilMs: time.now() + workWindowMs };
      const { kind, floor } = await acquireSlot(inTime, undefined);
      if (kind !== 'acquired' || floor === undefined) return floor;
      const asked = await fetchWithRetry(inTime, floor);
      return asked && applyPollResult(inTime, asked.floor, asked);
    },
    feed: () => rows('feed')[0],
    ids: () => rows('agent').map((row) => row['agentId']),
    events: () => table.changes().flatMap(eventsOf),
  };
};
