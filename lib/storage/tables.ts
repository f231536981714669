export interface Key {
  readonly partition: string;
  readonly sort?: string;
}

export interface Index {
  readonly name: string;
  readonly key: Required<Key>;
  readonly projection: readonly string[];
}

export interface Table {
  readonly key: Key;
  /** Seconds since the epoch after which DynamoDB may delete a row. */
  readonly timeToLive: 'expiresAt';
  readonly published: readonly string[];
  readonly indexes: readonly Index[];
}

/** What a list of calls shows without a second read. Most entries stay under 1 KB, so each costs one write unit. */
export const listedInCalls = {
  account: true,
  callId: true,
  revision: true,
  status: true,
  type: true,
  startedAt: true,
  endedAt: true,
  timeZone: true,
  callDurationSeconds: true,
  customerNumber: true,
  agentIds: true,
  agentNames: true,
  skillName: true,
  campaignName: true,
  dispositions: true,
  hangupBy: true,
  linkedCallId: true,
} as const;

const index = (name: string, partition: string): Index => ({
  name,
  key: { partition, sort: 'listedAt' },
  projection: Object.keys(listedInCalls),
});

/** Only late calls have `lateCalls`, so others cost no write unit. It lacks rows from before it was added. */
const byLateRecording: Index = {
  name: 'byLateRecording',
  key: { partition: 'lateCalls', sort: 'firstRecordedAt' },
  projection: [...Object.keys(listedInCalls), 'listedAt'],
};

/** A row for each call, participant, archived recording, further agent of a call, and erasure of a person. */
export const callsTable: Table = {
  key: { partition: 'pk', sort: 'sk' },
  timeToLive: 'expiresAt',
  published: ['call', 'participant'],
  indexes: [
    index('byTime', 'accountCalls'),
    index('byCustomer', 'customerCalls'),
    index('byAgent', 'agentCalls'),
    byLateRecording,
  ],
};

/** The table of calls where recordings are archived: rows of these, of the kind `recording`, are published too. */
export const callsTableWithRecordings: Table = { ...callsTable, published: [...callsTable.published, 'recording'] };

export const quarantineTable: Table = {
  key: { partition: 'id' },
  timeToLive: 'expiresAt',
  published: [],
  indexes: [],
};

/**
 * The agents, in several kinds of partition. An account has these: its current agents (the feed's row and one for each
 * agent), snapshots, changes of its feed, bearer token, the time of its latest callback, and the state of its reconciliation.
 * Another kind holds the timeline of an agent. One row lists the accounts.
 */
export const agentsTable: Table = {
  key: { partition: 'pk', sort: 'sk' },
  timeToLive: 'expiresAt',
  published: ['agent', 'feed-change'],
  indexes: [
    {
      name: 'byState',
      key: { partition: 'agentsInState', sort: 'since' },
      projection: ['account', 'agentId', 'name', 'phoneNumber', 'state', 'stateAsSent', 'skills', 'loggedInSince'],
    },
  ],
};
