/** A key of a table or index: attribute names, both of type string. */
export interface Key {
  readonly partition: string;
  readonly sort?: string;
}

/** A global secondary index. `projection` lists the attributes it carries besides the keys. */
export interface Index {
  readonly name: string;
  readonly key: Required<Key>;
  readonly projection: readonly string[];
}

/** A table as the stack and the sandbox both create it. */
export interface Table {
  readonly key: Key;
  /** Seconds since the epoch after which DynamoDB may delete a row. */
  readonly timeToLive: 'expiresAt';
  /** The kinds of row of which changes are published, with the images before and after. */
  readonly published: readonly string[];
  readonly indexes: readonly Index[];
}

/** What a list of calls shows without a second read: usually under 1 KB, so that an index entry costs one write unit. */
export const listedInCalls = {
  account: true,
  callId: true,
  leg: true,
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

/** One row per leg of a call and per participant; one entry more for every agent of a call but the first. */
export const callsTable: Table = {
  key: { partition: 'pk', sort: 'sk' },
  timeToLive: 'expiresAt',
  published: ['call', 'participant'],
  indexes: [index('byTime', 'accountCalls'), index('byCustomer', 'customerCalls'), index('byAgent', 'agentCalls')],
};

/** What was not understood, each with its reason. */
export const quarantineTable: Table = {
  key: { partition: 'id' },
  timeToLive: 'expiresAt',
  published: [],
  indexes: [],
};

/**
 * What is known of agents, in five kinds of partition: the floor as it is now (the feed's row and one for each agent), an
 * agent's timeline, whole floors of the past, what became of the feed, and the poller's token.
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
