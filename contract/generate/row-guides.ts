import type { RowName } from './stored-rows.ts';

/** What the page says of a row beside its attributes. */
export interface RowGuide {
  readonly where: string;
  readonly says: string;
  /** Which of the examples is shown. */
  readonly isExample: (row: Readonly<Record<string, unknown>>) => boolean;
}

const hasKind = (kind: string) => (row: Readonly<Record<string, unknown>>) => row['kind'] === kind;

/** The rows of the Calls table. */
export const callRows: Readonly<Partial<Record<RowName, RowGuide>>> = {
  Call: {
    where: '`pk = account#callId`, `sk = leg#leg`',
    says: 'One for each call, or for each leg of a call that has several; `main` is the leg of a call that has only one.',
    isExample: (row) => row['kind'] === 'call' && row['revision'] === 2,
  },
  CallParticipant: {
    where: '`pk = account#callId`, `sk = participant#participantId`',
    says: 'One for each participant, beside the call.',
    isExample: hasKind('participant'),
  },
  ListedCall: {
    where: 'in the indexes `byTime`, `byCustomer` and `byAgent`',
    says:
      'What a list shows of a call without a second read; the call’s row has the rest. In the table itself such a row ' +
      'exists for each further agent of a call (`kind` `agent-entry`); long texts in it are cut to 255 characters. ' +
      'Read it through the index.',
    isExample: hasKind('agent-entry'),
  },
};

/** The rows of the Agents table. */
export const agentRows: Readonly<Partial<Record<RowName, RowGuide>>> = {
  AgentNow: {
    where: '`pk = account`, `sk = agent#agentId`',
    says: 'One for each agent who is logged in, true for the feed’s `asOf`.',
    isExample: hasKind('agent'),
  },
  AgentInState: {
    where: 'in the index `byState`',
    says: 'The same agents by what they are doing.',
    isExample: hasKind('agent'),
  },
  FeedNow: {
    where: '`pk = account`, `sk = feed`',
    says: 'How old the picture is. Look here before you believe an agent’s row.',
    isExample: hasKind('feed'),
  },
  AgentStretch: {
    where: '`pk = account#agent#agentId`, `sk = from`',
    says: 'A piece of an agent’s day in one state. Through an interruption of the feed it goes on as it was.',
    isExample: (row) => row['kind'] === 'interval' && row['state'] === 'in-call',
  },
  PastFloor: {
    where: '`pk = account#floor`, `sk = at#part`, the part in three digits',
    says:
      'Everybody who was logged in from an instant on. A floor is kept whenever something changes, when a day begins, and ' +
      'when the feed is interrupted or restored.',
    isExample: (row) => row['kind'] === 'floor' && row['status'] === 'interrupted',
  },
  FeedChange: {
    where: '`pk = account#feed`, `sk = at`',
    says: 'One for each interruption of the feed, and one for its end.',
    isExample: (row) => row['kind'] === 'feed-change' && row['status'] === 'interrupted',
  },
};
