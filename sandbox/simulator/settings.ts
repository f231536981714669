import type { Clock } from '../clock.ts';
import type { ServiceFault } from './service/responses.ts';
import type { SimulatedAccount } from './simulated-account.ts';

/** The shares of calls whose callbacks go wrong, 0 to 1. */
export interface CallbackFault {
  /** Calls of which nothing is posted. */
  readonly lost: number;
  /** Of the other calls, those of which only a poorer callback is posted. */
  readonly poorer: number;
}

/** Settings of the simulator. */
export interface SimulatorSettings {
  /** Port on 127.0.0.1; 0 picks a free one. */
  readonly port: number;
  /** The receiver's base address without `/callDetails`. Its path may contain a secret, so it is never logged or shown. */
  readonly callbackUrl: string;
  readonly account: SimulatedAccount;
  /** Further accounts. They have no calls, and only scripted agents. */
  readonly furtherAccounts?: readonly SimulatedAccount[] | undefined;
  /** Whether calls happen and agents of `account` log in and out by themselves. Otherwise all agents are scripted. */
  readonly traffic: boolean;
  /** The same seed makes the same calls and shifts. Default: random, so that two runs have different ids. */
  readonly seed?: number | undefined;
  /** More than 0 and at most 600. Default: 20. */
  readonly callsPerMinute?: number | undefined;
  /** Called with log lines about what is sent, without personal data or keys. */
  readonly onLog?: ((line: string) => void) | undefined;
  /** The HTTP status of the sixth getAgentLogins within a minute. Default: 200, with an error text. */
  readonly limitStatus?: 200 | 429 | undefined;
  /** The fault of each request to the operations `/ca_apis/...` and `/ca_reports/...`. The control endpoints have no faults. */
  readonly fault?: (() => ServiceFault) | undefined;
  /** The shares of calls whose callbacks are lost or made poorer, for each call anew. Default: none. */
  readonly callbackFault?: (() => CallbackFault) | undefined;
  /** Multiplies the waits between the posts of a call. Default: 1, where a late disposition takes 20 to 40 s; 10 is realistic. */
  readonly pace?: number | undefined;
  /** The number of attempts for a post. Default: 3. */
  readonly tries?: number | undefined;
  /** The wait before the second attempt; it doubles for each further one. Default: 1. */
  readonly retrySeconds?: number | undefined;
  /** How long an attempt waits for its response. Default: 10. */
  readonly timeoutSeconds?: number | undefined;
  /** Default: the system clock. */
  readonly clock?: Clock | undefined;
}
