import { hasCallbacks } from '../accounts/accounts.ts';
import { batchesByWeight } from '../core/collections.ts';
import { localDate } from '../core/time.ts';
import type { AgentsRow, Alongside, RowKey } from '../storage/rows.ts';
import { emitChangeMetrics } from '../telemetry/metrics.ts';
import { type AgentChange, applyChanges, countsByState, diffAgents, isLoggedOut } from './diff-agents.ts';
import { type AgentSummary, pollAnswered } from './feed.ts';
import type { AccountAgents, PollContext, StorePorts } from './poll-context.ts';
import { agentKey, changeRows, feedChangeRow, feedRow } from './rows.ts';
import type { AgentFacts, Feed } from './schema.ts';
import { agentsAfterCall, withEndedCalls } from './silence.ts';
import { readSnapshot, saveSnapshot, snapshotRows, type WriteResult } from './snapshot.ts';

/** Who was logged in at an instant, according to an answer. */
interface Observation {
  /** When the request was sent: an ISO instant in whole seconds. */
  readonly at: string;
  readonly loggedIn: readonly AgentFacts[];
  readonly unreadableRecords: number;
}

/**
 * Writes what an observation changes, and returns the agents as they are stored then. Undefined if another run has
 * written the feed meanwhile.
 *
 * If anything is new, a snapshot of all agents is saved first; the feed's next version commits it. The agents' rows
 * follow in transactions, each with the feed's row, so that every change is written once. A run that is aborted or out of
 * time leaves `pendingAt`, and the next run writes the rest from the snapshot.
 */
export const writeAgents = async (
  run: PollContext,
  known: AccountAgents,
  { at, loggedIn, unreadableRecords }: Observation,
): Promise<AccountAgents | undefined> => {
  const { timeZone } = run.account;
  const { feed } = known;
  const changes = diffAgents(known.agents, loggedIn, { at, recordedAt: run.clock().toISOString(), timeZone });
  const agents = applyChanges(known.agents, changes);
  const summary = { at, counts: countsByState(agents), unreadableRecords };
  const day = localDate(at, timeZone);
  const write = (from: Feed) => writeChanges(run, { ...known, feed: from }, changes, summary);

  const isSaved = feed.poller.pendingAt === at;
  const isNew = changes.length > 0 || day !== feed.poller.day || feed.status !== 'live';
  const snapshot = { feed: pollAnswered(feed, summary), at, agents, retentionDays: run.retention.snapshotDays };
  const withSnapshot = { ...feed, poller: { ...feed.poller, snapshotAt: at, day } };
  const written =
    isNew && !isSaved ? await saveSnapshot(run, snapshot, () => write(withSnapshot)) : (await write(feed)).known;
  return written && removeLoggedOut(run, written);
};

/**
 * Writes the rest of an observation that a run has left pending. The rows come out as that run would have written them.
 */
export const finishPending = async (run: PollContext, known: AccountAgents): Promise<AccountAgents | undefined> => {
  const { account, unreadableRecords, poller } = known.feed;
  const at = poller.pendingAt;
  if (at === undefined) return removeLoggedOut(run, known);

  const loggedIn = await readSnapshot(run, account, at);
  if (loggedIn !== undefined) return writeAgents(run, known, { at, loggedIn, unreadableRecords });

  // Nobody polled until the snapshot expired, so the next answer is compared with the agents' rows as they are.
  const { pendingAt: _pending, ...rest } = poller;
  return { ...known, feed: { ...known.feed, poller: rest } };
};

/**
 * A transaction has up to 100 rows: the feed's, one for a restored feed, and these of the agents. They stay far below its
 * 4 MB, because names, skills and undocumented fields are bounded.
 */
const maxRows = 98;

interface PlannedChange {
  readonly change: AgentChange;
  readonly puts: readonly AgentsRow[];
  readonly removes: readonly RowKey[];
}

const changesIn = (planned: readonly PlannedChange[]) => planned.map(({ change }) => change);

const rowCount = ({ puts, removes }: PlannedChange): number => puts.length + removes.length;

/** Writes the changes in transactions. The last one moves the feed's `asOf` on. */
const writeChanges = async (
  run: PollContext,
  known: AccountAgents,
  changes: readonly AgentChange[],
  summary: AgentSummary,
): Promise<WriteResult> => {
  const { account } = known.feed;
  const planned = changes.map(
    (change): PlannedChange => ({ change, ...changeRows(account, change, run.retention.intervalDays) }),
  );
  const batches = planned.length === 0 ? [[]] : batchesByWeight(planned, maxRows, rowCount);
  const written: AgentChange[] = [];
  let { feed } = known;

  for (const [index, batch] of batches.entries()) {
    if (index > 0 && run.clock().getTime() > run.untilMs) break;

    const isLast = index === batches.length - 1;
    const answered = isLast ? pollAnswered(feed, summary) : withPending(feed, summary);
    const next = hasCallbacks(run.account)
      ? withEndedCalls(answered, agentsAfterCall(known, changesIn(batch), summary.at), summary.at)
      : answered;
    const puts = [...batch.flatMap((each) => each.puts), ...(isLast ? restorationRows(run, known.feed, next) : [])];
    if (!(await writeFeed(run, next, { puts, removes: batch.flatMap(({ removes }) => removes) })))
      return { known: undefined, isCommitted: index > 0 };

    // Where only the day is new, nothing is published.
    const published = batch.filter(({ change }) => change.after?.changedAt === summary.at).length;
    if (published > 0) run.telemetry.count('AgentsChanged', published);
    emitChangeMetrics(run.telemetry, published);
    written.push(...changesIn(batch));
    feed = next;
  }
  return { known: { feed, agents: applyChanges(known.agents, written) }, isCommitted: true };
};

const withPending = (feed: Feed, { at, unreadableRecords }: AgentSummary): Feed => {
  const { backOff: _backOff, ...poller } = feed.poller;
  return { ...feed, unreadableRecords, version: feed.version + 1, poller: { ...poller, pendingAt: at } };
};

const restorationRows = ({ clock, retention }: PollContext, before: Feed, next: Feed): readonly AgentsRow[] =>
  before.status === 'interrupted' ? [feedChangeRow(before, next, clock().toISOString(), retention.intervalDays)] : [];

/** Removes the rows of agents who have logged out. They stayed for one write, by which the stream carries the log-out. */
const removeLoggedOut = async (run: PollContext, known: AccountAgents): Promise<AccountAgents | undefined> => {
  const { account, poller } = known.feed;
  const loggedOutAgents = [...known.agents.values()].filter(isLoggedOut);
  if (poller.pendingAt !== undefined || loggedOutAgents.length === 0) return known;

  let { feed } = known;
  for (const batch of batchesByWeight(loggedOutAgents, maxRows, () => 1)) {
    feed = { ...feed, version: feed.version + 1 };
    const removes = batch.map(({ agentId }) => agentKey(account, agentId));
    if (!(await writeFeed(run, feed, { puts: [], removes }))) return undefined;
  }
  const removals = loggedOutAgents.map(({ agentId }): AgentChange => ({ agentId, after: undefined, timeline: [] }));
  return { feed, agents: applyChanges(known.agents, removals) };
};

/**
 * Writes the next version of the feed, and other rows with it, all or nothing. False means that another run has written
 * the feed since it was read. What this run knows is out of date, and it has to stop.
 */
export const writeFeed = async ({ table }: StorePorts, feed: Feed, alongside?: Alongside): Promise<boolean> =>
  (await table.write(feedRow(feed), alongside)) === 'written';

/**
 * Writes a feed without a new answer. If the feed becomes interrupted, this also writes the row that becomes the event,
 * and saves the agents as they were last known. A failure to save them does not suppress the event. Where another run
 * writes the interruption first, that snapshot may stay: both runs save the same one.
 */
export const writeStatus = async (
  run: PollContext,
  known: AccountAgents,
  feed: Feed,
): Promise<AccountAgents | undefined> => {
  const isStatusChange = feed.status !== known.feed.status;
  const isSaved = isStatusChange && (await saveLastSnapshot(run, known, feed));
  const next = isSaved ? { ...feed, poller: { ...feed.poller, snapshotAt: feed.statusSince } } : feed;
  const { clock, retention } = run;
  const puts = isStatusChange ? [feedChangeRow(known.feed, next, clock().toISOString(), retention.intervalDays)] : [];
  const isWritten = await writeFeed(run, next, { puts, removes: [] });
  return isWritten ? { ...known, feed: next } : undefined;
};

const saveLastSnapshot = async (run: PollContext, { agents }: AccountAgents, feed: Feed): Promise<boolean> => {
  try {
    await run.table.put(snapshotRows(feed, feed.statusSince, agents, run.retention.snapshotDays));
    return true;
  } catch (error) {
    run.telemetry.fault('agent-store', error);
    return false;
  }
};
