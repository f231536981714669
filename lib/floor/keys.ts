import { joinedKey } from '../text/key.ts';

/** Where a row lies. */
export interface RowKey {
  readonly pk: string;
  readonly sk: string;
}

/** The floor as it is now, with the feed's row: all of it is one query. */
export const floorKey = (account: string): string => joinedKey(account);

/** The row that tells how old the floor is. It sorts after the agents. */
export const feedKey = (account: string): RowKey => ({ pk: floorKey(account), sk: 'feed' });

/** The row of an agent who is logged in. */
export const agentKey = (account: string, agentId: string): RowKey => ({
  pk: floorKey(account),
  sk: joinedKey('agent', agentId),
});

/** An agent's timeline, in the order in which its pieces begin. */
export const timelineKey = (account: string, agentId: string): string => joinedKey(account, 'agent', agentId);

/** The whole floors that were kept, in the order of time. */
export const floorsKey = (account: string): string => joinedKey(account, 'floor');

/** A part of a kept floor: most have just one. */
export const floorPartKey = (account: string, at: string, part: number): RowKey => ({
  pk: floorsKey(account),
  sk: joinedPart(at, part),
});

/** Instants hold colons, which stay as they are: keys by time are for people to type. */
const joinedPart = (at: string, part: number): string => `${at}#${String(part).padStart(3, '0')}`;

/** Sorts after every part of the floor that was kept at an instant. */
export const afterFloor = (at: string): string => `${at}#~`;

/** What became of the feed, in the order of time. */
export const feedChangesKey = (account: string): string => joinedKey(account, 'feed');

/** The poller's token and how many were had of late. */
export const tokenKey = (account: string): RowKey => ({ pk: joinedKey(account, 'token'), sk: 'token' });

/** Under which key of the index the agents in a state are. */
export const stateKey = (account: string, state: string): string => joinedKey(account, state);
