import { setTimeout } from 'node:timers/promises';
import type { CallbackFault } from './delivery/callbacks.ts';
import type { ScriptOutcome } from './script.ts';
import type { AccountReport, AgentsReport, SimulatedAccount } from './service/accounts.ts';
import type { ServiceFault } from './service/responses.ts';
import type { TrafficRules } from './traffic.ts';

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

/** A running simulator. */
export interface Simulator {
  /** The service's base address. */
  readonly url: string;
  /** The seed of this run, with which it can be repeated. */
  readonly seed: number;
  /** Logs agents in and out by a JSON text with one step or a list. Either all steps are applied or none. */
  readonly script: (steps: string) => ScriptOutcome;
  /** The agents that are logged in, by account, without names and phone numbers. */
  readonly agents: () => Readonly<Record<string, AgentsReport>>;
  /** The requests so far, by account. */
  readonly accounts: () => Readonly<Record<string, AccountReport>>;
  readonly traffic: () => TrafficRules;
  /** Changes what happens by itself from now on. Fields that are left out stay. */
  readonly setTraffic: (changes: Partial<TrafficRules>) => void;
  /** Replaces the accounts. The one that has the calls keeps them while it is away; nothing happens in it then. */
  readonly setAccounts: (accounts: readonly SimulatedAccount[]) => void;
  /** Ends traffic, timers and open posts. Resolves when all have ended. */
  readonly stop: () => Promise<void>;
}

/** The simulator's source of time. Tests pass their own clock, so that they need not wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after the time, or at once when the signal aborts. Callers must check the signal. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => setTimeout(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined),
};
