import { hasCallbacks, type PolledAccount } from '../../lib/accounts/accounts.ts';
import { applyChanges, countsByState, diffAgents, isLoggedOut, removalOf } from '../../lib/agents/diff-agents.ts';
import { agentKey, changeRows, feedChangeRow } from '../../lib/agents/rows.ts';
import type { AgentChange, AgentFacts, PollStatus } from '../../lib/agents/schema.ts';
import { batchesByWeight } from '../../lib/core/collections.ts';
import { localDate } from '../../lib/core/time.ts';
import type { AgentsRow, RowKey } from '../../lib/storage/rows.ts';
import { emitPublishMetrics } from '../../lib/telemetry/metrics.ts';
import {
  type AccountAgents,
  commitSnapshot,
  readSnapshot,
  type StorePorts,
  snapshotRows,
  writePollStatus,
} from './agent-store.ts';
import { type AgentSummary, pollAnswered, pollPending } from './poll-status.ts';
import { withEndedCalls } from './silence.ts';

/** What a run writes an account's agents with. Each write throws `LostRace` if another run wrote the poll status first. */
export interface WriteRun extends StorePorts {
  readonly account: PolledAccount;
  readonly retention: Retention;
  /** After this instant (milliseconds) the run begins nothing more, so that it ends before Lambda's time-out. */
  readonly untilMs: number;
}

/** How many days the agents' past stays in the table. */
export interface Retention {
  readonly snapshotDays: number;
  readonly intervalDays: number;
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
): Promise<AccountAgents> => {
  const { timeZone } = run.account;
  const { pollStatus } = known;
  const changes = diffAgents(known.agents, loggedIn, { at, recordedAt: run.clock().toISOString(), timeZone });
  const agents = applyChanges(known.agents, changes);
  const summary = { at, counts: countsByState(agents), unreadableRecords };
  const day = localDate(at, timeZone);

  const isSaved = pollStatus.poller.pendingAt === at;
  const isNew = changes.length > 0 || day !== pollStatus.poller.day || pollStatus.status !== 'live';
  if (isSaved || !isNew) return removeLoggedOut(run, await writeChanges(run, known, changes, summary));

  const retentionDays = run.retention.snapshotDays;
  const snapshot = { pollStatus: pollAnswered(pollStatus, summary), at, agents, retentionDays };
  const committing = { ...pollStatus, poller: { ...pollStatus.poller, snapshotAt: at, day } };
  const commit: Commit = (write) => commitSnapshot(run, snapshot, write);
  return removeLoggedOut(run, await writeChanges(run, { ...known, pollStatus: committing }, changes, summary, commit));
};

/** Writes the rest of an observation that a run has left pending. The rows come out as that run would have written them. */
export const finishPending = async (run: WriteRun, known: AccountAgents): Promise<AccountAgents> => {
  const { account, unreadableRecords, poller } = known.pollStatus;
  const at = poller.pendingAt;
  if (at === undefined) return removeLoggedOut(run, known);

  const loggedIn = await readSnapshot(run, account, at);
  if (loggedIn !== undefined) return writeAgents(run, known, { at, loggedIn, unreadableRecords });

  // Nobody polled until the snapshot expired, so the next answer is compared with the agents' rows as they are.
  const { pendingAt: _pending, ...rest } = poller;
  return { ...known, pollStatus: { ...known.pollStatus, poller: rest } };
};

/**
 * A transaction has up to 100 rows: the poll status, one for a restoration, and these of the agents. They stay far below its
 * 4 MB, because names, skills and undocumented fields are bounded.
 */
const maxRows = 98;

interface PlannedChange {
  readonly change: AgentChange;
  readonly puts: readonly AgentsRow[];
  readonly removes: readonly RowKey[];
}

/** Runs the first write, which commits the snapshot. */
type Commit = (write: () => Promise<PollStatus>) => Promise<PollStatus>;

/** Writes the changes in transactions. The last one moves `asOf` on. */
const writeChanges = async (
  run: WriteRun,
  known: AccountAgents,
  changes: readonly AgentChange[],
  summary: AgentSummary,
  commit: Commit = (write) => write(),
): Promise<AccountAgents> => {
  const { account, asOf } = known.pollStatus;
  const planned = changes.map(
    (change): PlannedChange => ({ change, ...changeRows(account, change, run.retention.intervalDays) }),
  );
  const batches = batchesByWeight(planned, maxRows, ({ puts, removes }) => puts.length + removes.length);
  const written: AgentChange[] = [];
  let { pollStatus } = known;

  for (const [index, batch] of (batches.length === 0 ? [[]] : batches).entries()) {
    if (index > 0 && run.clock().getTime() > run.untilMs) break;

    const isLast = index >= batches.length - 1;
    const ofBatch = batch.map(({ change }) => change);
    const answered = isLast ? pollAnswered(pollStatus, summary) : pollPending(pollStatus, summary);
    const next = withCallsOf(run, answered, ofBatch, { asOf, at: summary.at });
    const alongside = {
      puts: [...batch.flatMap(({ puts }) => puts), ...(isLast ? restorationRows(run, known.pollStatus, next) : [])],
      removes: batch.flatMap(({ removes }) => removes),
    };
    const write = () => writePollStatus(run, next, alongside);
    pollStatus = await (index === 0 ? commit(write) : write());
    written.push(...ofBatch);
    // Where only the day is new, nothing is published.
    if (ofBatch.some(({ after }) => after?.changedAt === summary.at)) emitPublishMetrics(run.telemetry);
  }
  return { pollStatus, agents: applyChanges(known.agents, written) };
};

const withCallsOf = (
  { account }: WriteRun,
  pollStatus: PollStatus,
  changes: readonly AgentChange[],
  between: { readonly asOf: string | undefined; readonly at: string },
): PollStatus =>
  hasCallbacks(account) ? { ...pollStatus, poller: withEndedCalls(pollStatus.poller, changes, between) } : pollStatus;

const restorationRows = (run: WriteRun, before: PollStatus, next: PollStatus): readonly AgentsRow[] =>
  before.status === 'interrupted' ? [statusChangeRow(run, before, next)] : [];

const statusChangeRow = ({ clock, retention }: WriteRun, before: PollStatus, next: PollStatus): AgentsRow =>
  feedChangeRow(before, next, clock().toISOString(), retention.intervalDays);

/** Removes the rows of agents who have logged out. They stayed for one write, by which the stream carries the log-out. */
const removeLoggedOut = async (run: WriteRun, known: AccountAgents): Promise<AccountAgents> => {
  const { account, poller } = known.pollStatus;
  const loggedOutAgents = [...known.agents.values()].filter(isLoggedOut);
  if (poller.pendingAt !== undefined || loggedOutAgents.length === 0) return known;

  let { pollStatus } = known;
  for (const batch of batchesByWeight(loggedOutAgents, maxRows, () => 1)) {
    const removes = batch.map(({ agentId }) => agentKey(account, agentId));
    pollStatus = await writePollStatus(run, pollStatus, { puts: [], removes });
  }
  return { pollStatus, agents: applyChanges(known.agents, loggedOutAgents.map(removalOf)) };
};

/**
 * Writes a poll status without a new answer. If it becomes interrupted, this also writes the row that becomes the event,
 * and saves the agents as they were last known. A failure to save them does not suppress the event. Where another run
 * writes the interruption first, that snapshot may stay: both runs save the same one.
 */
export const writeUnanswered = async (
  run: WriteRun,
  known: AccountAgents,
  pollStatus: PollStatus,
): Promise<AccountAgents> => {
  if (pollStatus.status === known.pollStatus.status)
    return { ...known, pollStatus: await writePollStatus(run, pollStatus) };

  const isSaved = await saveLastSnapshot(run, known, pollStatus);
  const { statusSince: snapshotAt, poller } = pollStatus;
  const next = isSaved ? { ...pollStatus, poller: { ...poller, snapshotAt } } : pollStatus;
  const alongside = { puts: [statusChangeRow(run, known.pollStatus, next)], removes: [] };
  return { ...known, pollStatus: await writePollStatus(run, next, alongside) };
};

const saveLastSnapshot = async (run: WriteRun, { agents }: AccountAgents, pollStatus: PollStatus): Promise<boolean> => {
  const snapshot = { pollStatus, at: pollStatus.statusSince, agents, retentionDays: run.retention.snapshotDays };
  try {
    await run.table.put(snapshotRows(snapshot));
    return true;
  } catch (error) {
    run.telemetry.fault('agent-store', error);
    return false;
  }
};
