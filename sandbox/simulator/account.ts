import type { Account as ConfiguredAccount } from '../../lib/account/account.ts';

/** An account of the service. */
export interface Account {
  readonly userName: string;
  /** The key that its callbacks carry. */
  readonly apiKey: string;
  /** Keys that are valid besides, as while a key is changed. */
  readonly furtherKeys?: readonly string[] | undefined;
  /** IANA zone in which the service writes this account's times. */
  readonly timeZone: string;
  /** Whether getAgentLogins asks for a token, and which; none unless told. */
  readonly token?: TokenRule | undefined;
}

/** No token, one that was agreed on, or one that has to be generated. */
export type TokenRule = ConfiguredAccount['token'];
