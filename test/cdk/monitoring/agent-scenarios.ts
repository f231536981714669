import type { Context, SQSEvent } from 'aws-lambda';
import { createPollHandler } from '../../../functions/poll-agents/app.ts';
import type { Accounts, PolledAccount } from '../../../lib/accounts/accounts.ts';
import { pollAgents } from '../../../lib/agents/poll-agents.ts';
import { receiptsKey } from '../../../lib/agents/silence.ts';
import type { AgentTable } from '../../../lib/storage/rows.ts';
import { type ServiceAnswer, scriptedService, success, tokenAnswer } from '../../deployment/telephony.ts';
import { kolkataAccount, specificationLogins } from '../../fixtures/accounts.ts';
import { fixedAccounts, manualClock } from '../../support/memory-ports.ts';
import { memoryAgentTable } from '../../support/memory-tables.ts';
import { type DeployedResources, metricRecorder, type Run, type Scenario } from './scenario.ts';

const slotMs = 15_000;

/** What happens in each minute since the start: the service's answer, and the ticks that arrive. */
interface Polling {
  readonly minutes: number;
  /** The service's answer so many minutes after the start. */
  readonly replyAt?: (minute: number) => ServiceAnswer;
  /** The ages in seconds of the ticks that arrive in each slot of this minute. */
  readonly ticks?: (minute: number) => readonly number[];
  readonly account?: PolledAccount;
  readonly accounts?: (
    telemetry: ReturnType<ReturnType<typeof metricRecorder>['telemetryOf']>,
    clock: () => Date,
  ) => Accounts;
  readonly around?: (table: AgentTable) => AgentTable;
  /** When the latest callback of an account came, at each instant. */
  readonly lastCallbackAt?: (now: Date, account: string) => Date | undefined;
  /** How many processes handle each tick at the same time. */
  readonly processes?: number;
}

/** Runs the deployed poller slot by slot, with a table in memory and a scripted service. */
const polling = async (deployed: DeployedResources, setting: Polling): Promise<Run> => {
  const { minutes, account = kolkataAccount, around = (table) => table, processes = 1 } = setting;
  const { replyAt = () => success(specificationLogins), ticks = () => [1], accounts } = setting;
  const time = manualClock('2026-11-20T06:00:01.000Z');
  const startedAt = time.now();
  const minutesSince = () => (time.now() - startedAt) / 60_000;
  const { telemetryOf, crashed, run } = metricRecorder(time.clock, deployed);
  const telemetry = telemetryOf('poll-agents');
  const service = scriptedService(
    { logins: [() => replyAt(minutesSince())], token: [tokenAnswer('a-token')] },
    time.clock,
  ).telephony;
  const table = around(memoryAgentTable());

  const handlers = Array.from({ length: processes }, () => {
    const poll = pollAgents({
      telemetry,
      service,
      table,
      clock: time.clock,
      accounts: accounts?.(telemetry, time.clock) ?? fixedAccounts([account]),
      pause: async (milliseconds) => time.advance(milliseconds),
      retention: { snapshotDays: 7, intervalDays: 90 },
    });
    return createPollHandler({ poll, telemetry, clock: time.clock });
  });

  for (let slot = 0; slot < minutes * 4; slot++) {
    for (const userName of ['demo', 'other']) {
      const lastReceivedAt = setting.lastCallbackAt?.(time.clock(), userName)?.toISOString();
      if (lastReceivedAt !== undefined) await table.put([{ ...receiptsKey(userName), lastReceivedAt }]);
    }
    const Records = ticks(Math.floor(minutesSince())).map((ageSeconds) => ({
      attributes: { SentTimestamp: String(time.now() - ageSeconds * 1_000) },
    }));
    const event = { Records } as unknown as SQSEvent;
    if (Records.length > 0)
      await Promise.all(handlers.map((handler) => handler(event, {} as Context).catch(crashed('PollAgents'))));
    time.advance(slotMs);
  }
  return run();
};

/** A scenario in which agents are polled. */
export const polled = (what: string, setting: Polling): Scenario => ({
  what,
  cause: (deployed) => polling(deployed, setting),
});

const usualList = success(specificationLogins);

/** The list with an additional agent without an id. */
export const nameless = success([...specificationLogins, { AgentName: 'Nobody' }]);

/** The service gives this answer from one minute until another, and else its usual list. */
export const between =
  (from: number, to: number, reply: ServiceAnswer) =>
  (minute: number): ServiceAnswer =>
    from <= minute && minute < to ? reply : usualList;

/** Every agent changes state each minute. */
export const busy = (minute: number): ServiceAnswer =>
  success(
    specificationLogins.map((agent) => ({ ...agent, AgentState: Math.floor(minute) % 2 === 0 ? 'READY' : 'PAUSE' })),
  );

/** Every agent ends a call each minute. */
export const onThePhone =
  (agents: readonly object[]) =>
  (minute: number): ServiceAnswer =>
    success(agents.map((agent) => ({ ...agent, AgentState: minute % 1 < 0.5 ? 'INCALL' : 'READY' })));
