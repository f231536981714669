import type { PolledAccount } from '../../lib/accounts/accounts.ts';
import { pollAgents } from '../../lib/agents/poll-agents.ts';
import { type PollRun, pollSlot } from '../../lib/agents/poll-slot.ts';
import { receiptsReader } from '../../lib/agents/silence.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { eventsOf } from '../../lib/publish/events-of-change.ts';
import type { AgentTable } from '../../lib/storage/rows.ts';
import type {
  PollFailure,
  PollProblem,
  ServiceRequest,
  ServiceResponse,
  TelephonyService,
} from '../../lib/telephony/service/service.ts';
import { tokenCache } from '../../lib/telephony/service/token-cache.ts';
import { polledAccount, specificationLogins } from '../fixtures/accounts.ts';
import { type MemoryAgentTableOptions, memoryAgentTable } from './memory-agent-table.ts';
import { fixedAccounts, recordingTelemetry } from './memory-ports.ts';

/** A polled account, in a zone whose midnight is no UTC midnight. */
export const kolkataAccount: PolledAccount = {
  userName: 'demo',
  apiKeys: ['demo-key-1'],
  baseUrl: 'https://service.example',
  timeZone: 'Asia/Kolkata',
  token: { kind: 'none' },
};

/** A clock that moves only when a test advances it. */
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

/** A simulated crash of a process. */
export class Crash extends Error {}

/** A table for a process that crashes after so many steps. A step is the time before a call, or after it. */
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
    write: (row, alongside) => live(() => table.write(row, alongside)),
    put: async (rows) => {
      for (const row of rows) await live(() => table.put([row]));
    },
    remove: async (keys) => {
      for (const key of keys) await live(() => table.remove([key]));
    },
  };
};

/** A new process that polls: it remembers nothing. */
export const poller = (
  table: AgentTable,
  service: TelephonyService,
  clock: () => Date,
  {
    accounts = fixedAccounts([kolkataAccount]),
    pause = async () => undefined,
  }: Partial<Pick<Parameters<typeof pollAgents>[0], 'accounts' | 'pause'>> = {},
) => {
  const telemetry = recordingTelemetry();
  return { poll: pollAgents({ table, service, clock, pause, telemetry, retention, accounts }), telemetry };
};

const retention = { snapshotDays: 7, intervalDays: 90 };

/** The service's response to a request, or why there is none. */
export type Reply = Result<ServiceResponse, PollFailure>;

/** A response: text as it is, anything else as JSON. */
export const reply = (body: unknown, status = 200, retryAfterSeconds?: number): Reply =>
  ok({ status, text: typeof body === 'string' ? body : JSON.stringify(body), retryAfterSeconds });

/** Records in the form of the specification. */
export const success = (message: unknown): Reply => reply({ status: 'success', message });

/** The three agents of the specification. */
export const threeAgents: Reply = success(specificationLogins);

/** Agents by number, all in one state. */
export const manyAgents = (count: number, AgentState = 'READY'): Reply =>
  success(Array.from({ length: count }, (_, index) => ({ AgentId: `agent-${index}`, AgentState })));

/** An error in the form of the specification. */
export const errorText = (message: unknown, status = 200): Reply => reply({ status: 'error', message }, status);

/** A token in the form of the service's documentation. */
export const tokenReply = (token: unknown): Reply => reply({ token });

/** No response. */
export const noReply = (reason: PollProblem): Reply => fail({ reason });

/** A reply, or a function that makes it when it is due. */
type ScriptedReply = Reply | (() => Reply);

const operationOf = ({ url }: ServiceRequest): 'token' | 'logins' =>
  url.endsWith('/generateToken') ? 'token' : 'logins';

/** A service that replies by script: each operation's replies in order, then the last one again and again. */
export const scriptedService = (script: {
  readonly logins?: readonly ScriptedReply[];
  readonly token?: readonly ScriptedReply[];
  /** Called while a request is under way. */
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
      const next = replies[Math.min(before, replies.length - 1)] ?? noReply('connection');
      return typeof next === 'function' ? next() : next;
    },
  };
  return { ...service, requests, operations: () => requests.map(operationOf) };
};

type Script = Parameters<typeof scriptedService>[0];

interface Setting extends Script, MemoryAgentTableOptions {
  readonly account?: unknown;
  readonly start?: string;
}

/** The length of a slot. */
export const slotMs = 15_000;

/** One account's poller, over a table in memory, a scripted service and a manual clock. */
export const pollRun = ({ account = polledAccount, start = '2026-11-20T06:00:01.000Z', ...setting }: Setting) => {
  const time = manualClock(start);
  const table = memoryAgentTable(setting);
  const telemetry = recordingTelemetry();
  const service = scriptedService(setting);
  const ports = { table, telemetry, service, clock: time.clock };
  const pause = async (milliseconds: number) => time.advance(milliseconds);
  const untilMs = Number.POSITIVE_INFINITY;
  /** Another instance of the function: the same table and service, nothing remembered. */
  const instance = (): PollRun => ({
    ...ports,
    retention,
    pause,
    untilMs,
    hasNewKey: false,
    account: account as PolledAccount,
    getToken: tokenCache(ports),
    getReceipts: receiptsReader(ports),
  });
  const run = instance();
  const rows = (kind: string) => table.all().filter((row) => row['kind'] === kind);
  const events = () => table.changes().flatMap(eventsOf);

  return {
    ...time,
    run,
    instance,
    table,
    telemetry,
    service,
    rows,
    /** Polls the present slot. */
    async poll(by: PollRun = run) {
      return (await pollSlot({ ...by, untilMs: time.now() + 9_000 }, undefined)).known;
    },
    feed: () => rows('feed')[0],
    snapshots: () => rows('floor'),
    ids: () => rows('agent').map((row) => row['agentId']),
    events,
    feedEvents: () => events().filter(({ type }) => type.startsWith('Agent Feed')),
  };
};
