import type { RowName } from './schemas.ts';

interface RowGuide {
  readonly where: string;
  readonly description: string;
}

/** The rows of the Calls table. */
export const callRows: Readonly<Partial<Record<RowName, RowGuide>>> = {
  Call: {
    where: 'At `pk = account#callId`, `sk = call`',
    description: 'one for each call, however it was posted, and however many legs it has.',
  },
  CallParticipant: {
    where: 'At `pk = account#callId`, `sk = participant#participantId`',
    description: 'one for each participant, in the call’s partition.',
  },
  ListedCall: {
    where: 'In the indexes `byTime`, `byCustomer`, `byAgent` and `byLateRecording`',
    description:
      'the fields that lists need, without a second read. The table itself has such a row for each further agent of a ' +
      'call (`kind` `agent-entry`), with long texts truncated to 150 characters. Read it through the index.',
  },
  Recording: {
    where: 'At `pk = account#callId#recordings`, `sk = recordingId`',
    description:
      'what became of each recording of a call, in a partition of its own. Only with `recordings=archive`. The index ' +
      '`byTime` lists recordings that were asked for in vain at `accountCalls = account#recordings#status`.',
  },
};

/** The rows of the Agents table. */
export const agentRows: Readonly<Partial<Record<RowName, RowGuide>>> = {
  AgentNow: {
    where: 'At `pk = account`, `sk = agent#agentId`',
    description: 'one for each logged-in agent, true for the feed’s `asOf`.',
  },
  AgentInState: { where: 'In the index `byState`', description: 'the same agents, by their state.' },
  FeedNow: {
    where: 'At `pk = account`, `sk = feed`',
    description: 'how old the rows of agents are. Check it before you rely on an agent’s row.',
  },
  AgentInterval: {
    where: 'At `pk = account#agent#agentId`, `sk = from`',
    description: 'a part of an agent’s day in one state. It continues unchanged through an interruption of the feed.',
  },
  FloorSnapshot: {
    where: 'At `pk = account#floor`, `sk = at#part`, the part in three digits',
    description:
      'all agents who were logged in from an instant on. A snapshot is written whenever something changes, when a day ' +
      'begins, and when the feed is interrupted or restored.',
  },
  FeedChange: {
    where: 'At `pk = account#feed`, `sk = at`',
    description: 'one for each start and each end of an interruption of the feed.',
  },
};
