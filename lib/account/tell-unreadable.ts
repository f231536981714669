import type { Telemetry } from '../ports.ts';

/** Tells that the accounts could not be read, whether or not the last ones serve on. */
export const tellUnreadable = (telemetry: Telemetry, error: unknown): void => {
  telemetry.count('AccountsUnreadable');
  telemetry.fault('accounts', error);
};
