import type { ListedCall } from '../../client/index.ts';

/** Which calls of a list are wanted; all of them, if nothing is said. */
export interface WantedCalls {
  readonly status?: ListedCall['status'];
  readonly type?: ListedCall['type'];
}

/** Whether not every call is wanted. */
export const isSome = ({ status, type }: WantedCalls): boolean => status !== undefined || type !== undefined;

/** Whether a call is wanted. What a call does not say is no word. */
export const isWanted = (call: ListedCall, { status, type }: WantedCalls): boolean =>
  (status === undefined || call.status === status) && (type === undefined || call.type === type);
