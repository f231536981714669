import { setTimeout } from 'node:timers/promises';
import type { ScriptOutcome } from './script.ts';
import type { AccountReport, AgentsReport, SimulatedAccount } from './service/accounts.ts';
import type { ServiceFault } from './service/responses.ts';

/** How the simulator behaves. */
export interface SimulatorSettings {
  /** Port on 127.0.0.1; 0 picks a free one. */
  readonly port: number;
  /** The receiver's base, without `/callDetails`; a secret may be part of its path. It is never told or logged. */
  readonly callbackUrl: string;
  readonly account: SimulatedAccount;
  /** Further accounts: their floors hold who is scripted, and nobody calls. */
  readonly furtherAccounts?: readonly SimulatedAccount[] | undefined;
  /** Whether calls happen by themselves, and agents of `account` come and go. Else nobody is logged in until scripted. */
  readonly traffic: boolean;
  /** The same seed gives the same calls and shifts at other times. Drawn unless told, so that two runs do not repeat their ids. */
  readonly seed?: number | undefined;
  /** More than 0, at most 600; 20 unless told. */
  readonly callsPerMinute?: number | undefined;
  /** Takes readable lines about what is sent, without personal data or keys. */
  readonly onLog?: ((line: string) => void) | undefined;
  /** How the sixth getAgentLogins of a minute is met: with an error text under HTTP 200, unless told, or with 429. */
  readonly limitStatus?: 200 | 429 | undefined;
  /** Asked about each request to the service's operations, `/ca_apis/...`; the control endpoints are never faulty. */
  readonly fault?: (() => ServiceFault) | undefined;
  /** Multiplies the waits between the posts of a call. 1 unless told: a late disposition takes 20 to 40 s; 10 is life. */
  readonly pace?: number | undefined;
  /** How often a post is tried in all; 3 unless told. */
  readonly tries?: number | undefined;
  /** The wait before the second try, doubled with every further one; 1 unless told. */
  readonly retrySeconds?: number | undefined;
  /** How long a try waits for its answer; 10 unless told. */
  readonly timeoutSeconds?: number | undefined;
  /** The real time unless told. */
  readonly clock?: Clock | undefined;
}

/** A simulator at work. */
export interface Simulator {
  /** Where it listens: the service's base address. */
  readonly url: string;
  /** The seed in use, by which a run can be repeated. */
  readonly seed: number;
  /** Scripts who is logged in: a JSON text with one step or a list of steps, taken all or none. */
  readonly script: (steps: string) => ScriptOutcome;
  /** Who is logged in now, by account, without names and numbers. */
  readonly agents: () => Readonly<Record<string, AgentsReport>>;
  /** What the service was asked so far, by account. */
  readonly accounts: () => Readonly<Record<string, AccountReport>>;
  /** Ends traffic, timers and open posts, and resolves when nothing of it is left. */
  readonly stop: () => Promise<void>;
}

/** Time as the simulator sees it; tests pass their own, so that nothing has to wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after the milliseconds, or at once when the signal is aborted: the caller looks at the signal. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** The real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => setTimeout(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined),
};
