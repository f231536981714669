import { pollStatusRow, snapshotRows } from '../../functions/poll-agents/agent-store.ts';
import { newPollStatus, nextStatus } from '../../functions/poll-agents/poll-status.ts';
import { accountsKey, namedAccounts } from '../../lib/accounts/account-index.ts';
import type { Account } from '../../lib/accounts/accounts.ts';
import { type AgentsById, applyChanges, countsByState, diffAgents } from '../../lib/agents/diff-agents.ts';
import { changeRows } from '../../lib/agents/rows.ts';
import { rowOf } from '../../lib/calls/call-row.ts';
import { deliveryOf } from '../../lib/calls/merge-deliveries.ts';
import { applyDeliveries } from '../../lib/calls/record-delivery.ts';
import type { Row } from '../../lib/storage/rows.ts';
import { agentFacts, normalisedRecords } from '../../test/support/posted-records.ts';
import { exampleText } from '../sample-posts.ts';
import { scenario, type Volume } from './scenario.ts';

const retentionDays = 730;
const hourMs = 3_600_000;
/** From its end on a call is in the table, and after two minutes more it has its disposition, if it gets one. */
const callMs = 250_000;
const dispositionMs = 120_000;

const instant = (ms: number): string => new Date(ms).toISOString();

const deliveryIn = (name: string, account: Account, fields: object = {}) => {
  const records = [{ ...JSON.parse(exampleText(name)), ...fields }];
  const [found] = normalisedRecords(records, account).deliveries;
  if (found === undefined) throw new Error(`The example ${name} is no call any more`);
  return found.delivery;
};

/**
 * The calls of a day, evenly over its open hours. Of ten, six are answered, two missed, and two made by agents: one of these
 * returns a missed call.
 */
const callsOf = (account: Account, opensAtMs: number, { callsADay, agents }: Volume) => {
  const gapMs = (scenario.openHoursADay * hourMs) / callsADay;
  const answered = [deliveryIn('call-summary', account), deliveryIn('with-disposition', account)];
  const missed = [deliveryIn('missed-call', account)];
  const outgoing = [deliveryIn('call-summary', account, { Type: 'Manual' })];
  const sentIn = (turn: number) => {
    if (turn < 6) return answered;
    return turn < 8 ? missed : outgoing;
  };
  const endOf = (index: number) => opensAtMs + index * gapMs + callMs;

  const rowAt = (index: number, nowMs: number): Row => {
    const turn = index % 10;
    const endedMs = endOf(index);
    const own = {
      startedAt: instant(endedMs - callMs),
      endedAt: instant(endedMs),
      customerNumber: `09${String(turn === 9 ? index - 2 : index).padStart(9, '0')}`,
    };
    const deliveries = sentIn(turn).flatMap((delivery, later) => {
      const receivedMs = endedMs + later * dispositionMs;
      const ofAgent = 'agentIds' in delivery.facts && { agentIds: [`agent-${index % agents}`] };
      const facts = { ...delivery.facts, ...own, ...ofAgent };
      return receivedMs > nowMs ? [] : [deliveryOf(facts, { ...delivery, receivedAt: instant(receivedMs) })];
    });
    const key = { kind: 'call', account: account.userName, callId: `${opensAtMs}${index}` } as const;
    const { record } = applyDeliveries(key, undefined, deliveries.slice(0, 1), instant(endedMs));
    return rowOf(
      applyDeliveries(key, record, deliveries.slice(1), instant(endedMs + dispositionMs)).record,
      retentionDays,
    );
  };
  /** The rows that are written after one instant and up to another, as they are then. */
  return (afterMs: number, nowMs: number): readonly Row[] => {
    const isNew = (ms: number) => ms > afterMs && ms <= nowMs;
    return Array.from({ length: callsADay }, (_, index) => index)
      .filter((index) => isNew(endOf(index)) || (index % 10 < 6 && isNew(endOf(index) + dispositionMs)))
      .map((index) => rowAt(index, nowMs));
  };
};

const states = ['READY', 'INCALL', 'ACW', 'PAUSE'];
const slotMs = 15_000;

/** The agents of a day, polled in every slot: a tenth of them has changed at each poll. */
const pollsOf = (account: Account, opensAtMs: number, agents: number) => {
  let known: AgentsById = new Map();
  let pollStatus = newPollStatus(account.userName, new Date(opensAtMs));
  const pollsAState = 1 / scenario.changedShare;
  const rowsOfPoll = (ms: number, isSeen: boolean): readonly Row[] => {
    const at = instant(ms);
    const slot = (ms - opensAtMs) / slotMs;
    const seen = Array.from({ length: agents }, (_, index) =>
      agentFacts({
        AgentId: `agent-${index}`,
        AgentName: `Asha Rao ${index}`,
        PhoneNumber: `0900000${String(index).padStart(4, '0')}`,
        AgentState: states[Math.floor((slot + index) / pollsAState) % states.length],
        SkillName: 'Sales, Support',
      }),
    );
    const changes = diffAgents(known, seen, { at, recordedAt: at, timeZone: account.timeZone });
    known = applyChanges(known, changes);
    const summary = { at, counts: countsByState(known), unreadableRecords: 0 };
    pollStatus = nextStatus(pollStatus, { kind: 'written', summary }, new Date(ms));
    return [
      ...changes.flatMap((change) => changeRows(account.userName, change, retentionDays).puts),
      ...(isSeen ? snapshotRows({ pollStatus, at, agents: known, retentionDays }) : []),
      pollStatusRow(pollStatus),
    ];
  };
  let polledMs = opensAtMs - slotMs;
  /** The rows that the polls up to an instant write. */
  return (nowMs: number): readonly Row[] => {
    const rows: Row[] = [];
    while (polledMs + slotMs <= nowMs) {
      polledMs += slotMs;
      // A console reads the snapshots of the last two hours, and the first one of each.
      rows.push(...rowsOfPoll(polledMs, polledMs % hourMs === 0 || nowMs - polledMs < 2.5 * hourMs));
    }
    return rows;
  };
};

const weekMs = 7 * 24 * hourMs;

/** What a contact centre writes into its tables on a day, and the calls of the same day a week before. */
export const workingDay = (volume: Volume, opensAtMs: number) => {
  const account: Account = {
    userName: `centre-${volume.callsADay}`,
    apiKeys: ['demo-key'],
    timeZone: 'UTC',
    token: { kind: 'none' },
  };
  const calls = callsOf(account, opensAtMs, volume);
  const polls = pollsOf(account, opensAtMs, volume.agents);
  let writtenMs = opensAtMs;
  return {
    account,
    before: () => ({
      calls: callsOf(account, opensAtMs - weekMs, volume)(0, opensAtMs),
      agents: [{ ...accountsKey, kind: 'accounts', accounts: namedAccounts([account]) }],
    }),
    /** What is new up to an instant. */
    until(nowMs: number) {
      const rows = { calls: calls(writtenMs, nowMs), agents: polls(nowMs) };
      writtenMs = nowMs;
      return rows;
    },
  };
};
