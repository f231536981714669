import { hasCallbacks, type PolledAccount } from '../../lib/accounts/accounts.ts';
import { applyChanges, countsByState, diffAgents, isLoggedOut, removalOf } from '../../lib/agents/diff-agents.ts';
import { agentKey, changeRows, feedChangeRow } from '../../lib/agents/rows.ts';
import type { AgentChange, AgentFacts, PollStatus } from '../../lib/agents/schema.ts';
import { batchesByWeight } from '../../lib/core/collections.ts';
import { ok } from '../../lib/core/result.ts';
import { localDate } from '../../lib/core/time.ts';
import type { AgentsRow } from '../../lib/storage/rows.ts';
import { emitPublishMetrics } from '../../lib/telemetry/metrics.ts';
import {
  type AccountAgents,
  commitSnapshot,
  readSnapshot,
  type SnapshotInput,
  type StorePorts,
  snapshotRows,
  type Written,
  writePollStatus,
} from './agent-store.ts';
import type { PollAgentsEnv } from './environment.ts';
import { type AgentSummary, nextStatus, type PollEvent } from './poll-status.ts';
import { withEndedCalls } from './silence.ts';

export interface WriteRun extends StorePorts {
  readonly account: PolledAccount;
  readonly env: Pick<PollAgentsEnv, 'SNAPSHOT_RETENTION_DAYS' | 'INTERVAL_RETENTION_DAYS'>;
  /** After this instant (milliseconds) the run begins nothing more, so that it ends before Lambda's time-out. */
  readonly untilMs: number;
}

interface Observation {
  readonly at: string;
  readonly loggedIn: readonly AgentFacts[];
  readonly unreadableRecords: number;
}

/**
 * Writes what an observation changes, and returns the agents as they are stored then.
 *
 * If anything is new, a snapshot of all agents is saved first; the next version of the poll status commits it. The agents'
 * rows follow in transactions, each with the poll status, so that every change is written once. A run that is aborted or
 * out of time leaves `pendingAt`, and the next run writes the rest from the snapshot.
 */
export const writeAgents = async (
  run: WriteRun,
  known: AccountAgents,
  { at, loggedIn, unreadableRecords }: Observation,
): Promise<Written<AccountAgents>> => {
  const { timeZone } = run.account;
  const { pollStatus } = known;
  const now = run.clock();
  const changes = diffAgents(known.agents, loggedIn, { at, recordedAt: now.toISOString(), timeZone });
  const agents = applyChanges(known.agents, changes);
  const summary = { at, counts: countsByState(agents), unreadableRecords };
  const day = localDate(at, timeZone);

  const isSaved = pollStatus.poller.pendingAt === at;
  const isNew = changes.length > 0 || day !== pollStatus.poller.day || pollStatus.status !== 'live';
  if (isSaved || !isNew) return writeChanges(run, known, changes, summary);

  const written = nextStatus(pollStatus, { kind: 'written', summary }, now);
  const snapshot = { pollStatus: written, at, agents, retentionDays: run.env.SNAPSHOT_RETENTION_DAYS };
  const committing = { ...pollStatus, poller: { ...pollStatus.poller, snapshotAt: at, day } };
  return writeChanges(run, { ...known, pollStatus: committing }, changes, summary, snapshot);
};

/** Writes the rest of an observation that a run has left pending. The rows come out as that run would have written them. */
export const writeRest = async (run: WriteRun, known: AccountAgents): Promise<Written<AccountAgents>> => {
  const { account, unreadableRecords, poller } = known.pollStatus;
  const { pendingAt: at = '', ...rest } = poller;
  const loggedIn = await readSnapshot(run, account, at);
  if (loggedIn !== undefined) return writeAgents(run, known, { at, loggedIn, unreadableRecords });

  // Nobody polled until the snapshot expired, so the next answer is compared with the agents' rows as they are.
  return ok({ ...known, pollStatus: { ...known.pollStatus, poller: rest } });
};

/** Up to 100 rows: the poll status, a restoration, and these. Their fields are bounded, so they stay far below 4 MB. */
const maxRows = 98;

const batchesOf = ({ account: { userName }, env }: WriteRun, changes: readonly AgentChange[]) => {
  const planned = changes.map((change) => ({ change, ...changeRows(userName, change, env.INTERVAL_RETENTION_DAYS) }));
  const batches = batchesByWeight(planned, maxRows, ({ puts, removes }) => puts.length + removes.length);
  return (batches.length === 0 ? [[]] : batches).map((batch) => ({
    changes: batch.map(({ change }) => change),
    puts: batch.flatMap(({ puts }) => puts),
    removes: batch.flatMap(({ removes }) => removes),
  }));
};

/** Writes the changes in transactions. The first commits the snapshot, if there is a new one. The last one moves `asOf` on. */
const writeChanges = async (
  run: WriteRun,
  known: AccountAgents,
  changes: readonly AgentChange[],
  summary: AgentSummary,
  snapshot?: SnapshotInput,
): Promise<Written<AccountAgents>> => {
  const { asOf } = known.pollStatus;
  const batches = batchesOf(run, changes);
  const done: AgentChange[] = [];
  let { pollStatus } = known;

  for (const [index, batch] of batches.entries()) {
    if (index > 0 && run.clock().getTime() > run.untilMs) break;

    const isLast = index === batches.length - 1;
    const answered = nextStatus(pollStatus, { kind: isLast ? 'written' : 'partly-written', summary }, run.clock());
    const watched = watchedChanges(run, batch.changes);
    const next = { ...answered, poller: withEndedCalls(answered.poller, watched, { asOf, at: summary.at }) };
    const restoration = isLast ? restorationRows(run, known.pollStatus, next) : [];
    const write = () => writePollStatus(run, next, { puts: [...batch.puts, ...restoration], removes: batch.removes });
    const written = await (index === 0 && snapshot !== undefined ? commitSnapshot(run, snapshot, write) : write());
    if (!written.ok) return written;
    pollStatus = written.value;
    done.push(...batch.changes);
    // Where only the day is new, nothing is published.
    if (batch.changes.some(({ after }) => after?.changedAt === summary.at)) emitPublishMetrics(run.telemetry);
  }
  return removeLoggedOut(run, { pollStatus, agents: applyChanges(known.agents, done) });
};

/** Changes that show ended calls. Without callbacks none is missed. */
const watchedChanges = ({ account }: WriteRun, changes: readonly AgentChange[]): readonly AgentChange[] =>
  hasCallbacks(account) ? changes : [];

const restorationRows = (run: WriteRun, before: PollStatus, next: PollStatus): readonly AgentsRow[] =>
  before.status === 'interrupted' ? [feedChangeNow(run, before, next)] : [];

const feedChangeNow = ({ clock, env }: WriteRun, before: PollStatus, next: PollStatus): AgentsRow =>
  feedChangeRow(before, next, clock().toISOString(), env.INTERVAL_RETENTION_DAYS);

/** Removes the rows of agents who have logged out. They stayed for one write, by which the stream carries the log-out. */
export const removeLoggedOut = async (run: WriteRun, known: AccountAgents): Promise<Written<AccountAgents>> => {
  const { account, poller } = known.pollStatus;
  const loggedOut = [...known.agents.values()].filter(isLoggedOut);
  if (poller.pendingAt !== undefined || loggedOut.length === 0) return ok(known);

  let { pollStatus } = known;
  for (const batch of batchesByWeight(loggedOut, maxRows, () => 1)) {
    const removes = batch.map(({ agentId }) => agentKey(account, agentId));
    const written = await writePollStatus(run, pollStatus, { puts: [], removes });
    if (!written.ok) return written;
    pollStatus = written.value;
  }
  return ok({ pollStatus, agents: applyChanges(known.agents, loggedOut.map(removalOf)) });
};

/**
 * Writes what an event without an answer makes of the poll status. Before an interruption the agents are saved as last known; if
 * that fails, the interruption is written all the same. If another run writes it first, the snapshot may stay: both runs save the
 * same one.
 */
export const writePollEvent = async (
  run: WriteRun,
  known: AccountAgents,
  event: Exclude<PollEvent, { summary: AgentSummary }>,
): Promise<Written<AccountAgents>> => {
  const before = known.pollStatus;
  let next = nextStatus(before, event, run.clock());
  if (next === before) return ok(known);

  const isInterrupted = next.status !== before.status;
  if (isInterrupted && (await saveLastSnapshot(run, known, next)))
    next = { ...next, poller: { ...next.poller, snapshotAt: next.statusSince } };
  const alongside = isInterrupted ? { puts: [feedChangeNow(run, before, next)], removes: [] } : undefined;
  const written = await writePollStatus(run, next, alongside);
  return written.ok ? ok({ ...known, pollStatus: written.value }) : written;
};

const saveLastSnapshot = async (run: WriteRun, { agents }: AccountAgents, pollStatus: PollStatus): Promise<boolean> => {
  const snapshot = { pollStatus, at: pollStatus.statusSince, agents, retentionDays: run.env.SNAPSHOT_RETENTION_DAYS };
  try {
    await run.table.put(snapshotRows(snapshot));
    return true;
  } catch (error) {
    run.telemetry.fault('agent-store', error);
    return false;
  }
};
