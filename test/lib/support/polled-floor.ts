import type { PolledAccount } from '../../../lib/agent-login/request.ts';
import { pollAgents } from '../../../lib/poll-agents.ts';
import type { AgentTable, TelephonyService } from '../../../lib/ports.ts';
import { fixedAccounts, recordingTelemetry } from './ports.ts';

/** The account of the polls, in a zone whose midnight is no UTC midnight. */
export const polledAccount: PolledAccount = {
  userName: 'demo',
  apiKeys: ['demo-key-1'],
  baseUrl: 'https://service.example',
  timeZone: 'Asia/Kolkata',
  token: { kind: 'none' },
};

/** A clock that stands still until it is moved. */
export const movedClock = (from: string) => {
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
export class Cut extends Error {}

/** A table as a process sees it that dies at its n-th step: before or after each call, and ever after. */
export const mortal = (table: AgentTable, stepsToLive: number): AgentTable => {
  let left = stepsToLive;
  const live = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    if (left-- <= 0) throw new Cut();
    const answer = await call();
    if (left-- <= 0) throw new Cut();
    return answer;
  };
  return {
    rows: (pk, between) => live(() => table.rows(pk, between)),
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
  accounts: readonly PolledAccount[] = [polledAccount],
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
