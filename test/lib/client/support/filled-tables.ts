import { writeInBatches } from '../../../../functions/adapters/dynamo-agent-table.ts';
import { pollStatusRow, snapshotRows } from '../../../../functions/poll-agents/agent-store.ts';
import type { AgentsById } from '../../../../lib/agents/diff-agents.ts';
import { agentRow } from '../../../../lib/agents/rows.ts';
import type { AgentFacts } from '../../../../lib/agents/schema.ts';
import { rowOf } from '../../../../lib/calls/call-row.ts';
import { marshalled, type Row } from '../../../../lib/storage/rows.ts';
import type { TestTables } from '../../../support/dynamodb-local.ts';
import { agentsOf, callFacts, deliveryAt, loggedIn, recordFrom } from '../../../support/posted-records.ts';
import { feedAtNoon } from './clients.ts';

/** The feed's row, with what the poller notes. */
export const feedWithNotes = {
  ...feedAtNoon,
  poller: { slot: 1, requests: [], inFlight: false },
};

/** So many agents, each of some kilobytes, logged in at an instant. */
export const largeAgents = (count: number, at: string): AgentsById =>
  agentsOf(
    ...Array.from({ length: count }, (_, index) => {
      const facts: Partial<AgentFacts> = { agentId: `agent${String(index).padStart(5, '0')}`, name: 'x'.repeat(250) };
      const skills = Array.from({ length: 20 }, (__, skill) => `${skill} ${'y'.repeat(100)}`).toSorted();
      return { ...loggedIn(at), ...facts, skills };
    }),
  );

/** Writes rows as the product makes them, without the handlers, so that many of them take seconds. */
export const fillTables = ({ client, tableNames }: Pick<TestTables, 'client' | 'tableNames'>) => {
  const put = (tableName: string, rows: readonly Row[]) =>
    writeInBatches(
      { client, tableName, deadlineMs: 60_000 },
      rows.map((row) => ({ PutRequest: { Item: marshalled(row) } })),
    );
  return {
    agents: (rows: readonly Row[]) => put(tableNames.agents, rows),
    /** The agents as they are now. */
    floor: (agents: AgentsById) =>
      put(tableNames.agents, [
        pollStatusRow(feedWithNotes),
        ...[...agents.values()].map((agent) => agentRow('demo', agent)),
      ]),
    /** Writes a snapshot; resolves with its rows. */
    async snapshot(at: string, agents: AgentsById, retentionDays = 7) {
      const rows = snapshotRows({ pollStatus: { ...feedWithNotes, asOf: at }, at, agents, retentionDays });
      await put(tableNames.agents, rows);
      return rows;
    },
    /** Calls of an agent and a customer, a second apart, each with entries of some kilobytes in lists; ids from 0. */
    async calls(count: number) {
      const dispositions = Array.from({ length: 9 }, () => 'z'.repeat(200)).join(' -> ');
      const facts = callFacts({ AgentID: 'asha', CallerID: '09000000042', Disposition: dispositions });
      const receivedAt = Date.parse('2026-11-20T06:00:00.000Z');
      const rows = Array.from({ length: count }, (_, index) => {
        const at = new Date(receivedAt + index * 1000).toISOString();
        const key = { kind: 'call' as const, account: 'demo', callId: String(index) };
        return rowOf(recordFrom([deliveryAt({ ...facts, startedAt: at }, at)], key), 9);
      });
      await put(tableNames.calls, rows);
    },
  };
};
