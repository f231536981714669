import type { PolledAccount } from '../../../lib/agent-login/request.ts';
import { attempt } from '../../../lib/poll/attempt.ts';
import { claimSlot } from '../../../lib/poll/claim-slot.ts';
import { conclude } from '../../../lib/poll/conclude.ts';
import { beginsForMs, type Run } from '../../../lib/poll/run.ts';
import { eventsOf } from '../../../lib/publish/events-of.ts';
import { bearerTokens } from '../../../lib/token/bearer-tokens.ts';
import { polledAccount } from '../../fixtures/agents.ts';
import { type MemoryAgentTableOptions, memoryAgentTable } from './memory-agent-table.ts';
import { movedClock } from './polled-floor.ts';
import { recordingTelemetry } from './ports.ts';
import { scriptedService } from './scripted-service.ts';

type Script = Parameters<typeof scriptedService>[0];

interface Setting extends Script, MemoryAgentTableOptions {
  readonly account?: unknown;
  readonly start?: string;
}

/** One account's poller over a table in memory and a service that keeps to its script; time moves only when told to. */
export const pollRun = ({ account = polledAccount, start = '2026-11-20T06:00:01.000Z', ...setting }: Setting) => {
  const time = movedClock(start);
  const table = memoryAgentTable(setting);
  const telemetry = recordingTelemetry();
  const service = scriptedService(setting);
  const ports = { table, telemetry, service, clock: time.clock };
  const retention = { floorDays: 7, intervalDays: 90 };
  /** What another instance of the function works with: the same table and service, nothing remembered. */
  const pause = async (milliseconds: number) => time.advance(milliseconds);
  const untilMs = Number.POSITIVE_INFINITY;
  const instance = (): Run => ({
    ...ports,
    retention,
    pause,
    untilMs,
    hasNewKey: false,
    account: account as PolledAccount,
    bearer: bearerTokens(ports),
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
    async poll(by: Run = run) {
      const inTime = { ...by, untilMs: time.now() + beginsForMs };
      const { kind, floor } = await claimSlot(inTime, undefined);
      if (kind !== 'mine' || floor === undefined) return floor;
      const asked = await attempt(inTime, floor);
      return asked && conclude(inTime, asked.floor, asked);
    },
    feed: () => rows('feed')[0],
    ids: () => rows('agent').map((row) => row['agentId']),
    events: () => table.changes().flatMap(eventsOf),
  };
};
