import type { Context, SQSEvent } from 'aws-lambda';
import { createHandler } from '../../../../functions/poll-agents/handler.ts';
import type { PolledAccount } from '../../../../lib/agent-login/request.ts';
import { pollAgents } from '../../../../lib/poll-agents.ts';
import type { Accounts, AgentTable } from '../../../../lib/ports.ts';
import { specificationLogins } from '../../../fixtures/agents.ts';
import { memoryAgentTable } from '../../../lib/support/memory-agent-table.ts';
import { movedClock, polledAccount } from '../../../lib/support/polled-floor.ts';
import { fixedAccounts } from '../../../lib/support/ports.ts';
import { type Reply, scriptedService, success, tokenReply } from '../../../lib/support/scripted-service.ts';
import { type Run, recorder } from '../datum.ts';

const slotMs = 15_000;

/** What a minute since the beginning means for the world: the service's answer, ticks that come or not. */
export interface Polling {
  readonly deployment: string;
  readonly minutes: number;
  /** What the service answers in a minute. */
  readonly says?: (minute: number) => Reply;
  /** How many seconds ago each tick was sent that comes in a slot of this minute. */
  readonly ticks?: (minute: number) => readonly number[];
  readonly account?: PolledAccount;
  readonly accounts?: (
    telemetry: ReturnType<ReturnType<typeof recorder>['telemetryOf']>,
    clock: () => Date,
  ) => Accounts;
  readonly around?: (table: AgentTable) => AgentTable;
  /** How many processes serve each tick at once. */
  readonly processes?: number;
}

/** The poller as it is deployed, a slot at a time, over a table in memory and a service that says what the minute has. */
export const polling = async (setting: Polling): Promise<Run> => {
  const { deployment, minutes, account = polledAccount, around = (table) => table, processes = 1 } = setting;
  const { says = () => success(specificationLogins), ticks = () => [1], accounts } = setting;
  const time = movedClock('2026-11-20T06:00:01.000Z');
  const startedAt = time.now();
  const minute = () => Math.floor((time.now() - startedAt) / 60_000);
  const { telemetryOf, run } = recorder(time.clock, deployment);
  const telemetry = telemetryOf('poll-agents');
  const service = scriptedService({ logins: [() => says(minute())], token: [tokenReply('a-token')] });
  const table = around(memoryAgentTable());

  const handlers = Array.from({ length: processes }, () => {
    const poll = pollAgents({
      telemetry,
      service,
      table,
      clock: time.clock,
      accounts: accounts?.(telemetry, time.clock) ?? fixedAccounts([account]),
      pause: async () => undefined,
      retention: { floorDays: 7, intervalDays: 90 },
    });
    return createHandler({ poll, telemetry, clock: time.clock });
  });

  for (let slot = 0; slot < minutes * 4; slot++) {
    const Records = ticks(minute()).map((ageSeconds) => ({
      attributes: { SentTimestamp: String(time.now() - ageSeconds * 1_000) },
    }));
    const event = { Records } as unknown as SQSEvent;
    if (Records.length > 0) await Promise.all(handlers.map((handler) => handler(event, {} as Context)));
    time.advance(slotMs);
  }
  return run();
};
