import type { Telemetry } from '../ports.ts';

/** What is left when the accounts could not be read: nobody to go by, or the accounts as they were before. */
export type AccountsLeft = 'AccountsUnreadable' | 'AccountsOutdated';

/** Tells that the accounts could not be read, and what that leaves. */
export const tellAccountsFault = (telemetry: Telemetry, left: AccountsLeft, error: unknown): void => {
  telemetry.count(left);
  telemetry.fault('accounts', error);
};
