import type { Account as ConfiguredAccount } from '../../lib/accounts/accounts.ts';
import type { ReportSettings } from './report/report-settings.ts';

/** Settings of an account of the service. */
export interface SimulatedAccount {
  readonly userName: string;
  /** The key in its callbacks. */
  readonly apiKey: string;
  /** Further valid keys, as during a key rotation. */
  readonly furtherKeys?: readonly string[] | undefined;
  /** IANA time zone of this account's times. */
  readonly timeZone: string;
  /** The token that getAgentLogins requires. Default: none. */
  readonly token?: TokenRule | undefined;
  /** How its call report behaves. Default: as in the service's own example. */
  readonly report?: Partial<ReportSettings> | undefined;
}

/** No token, a static token, or a generated one. */
export type TokenRule = NonNullable<ConfiguredAccount['token']>;
