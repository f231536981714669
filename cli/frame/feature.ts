import type { Context, DeclaredCommand, Permission, RunContext } from './command.ts';
import type { Deployment } from './deployment.ts';

/** What an optional part of a deployment adds to the command line, beside what one command alone takes from its folder. */
export interface Feature {
  readonly commands?: readonly DeclaredCommand[];
  /** Its line of `status`, under `name` in `--json`, and its card in Health of the console. */
  readonly status?: (deployment: Deployment) => StatusPart | undefined;
  readonly deadLetters?: DeadLetterQueue;
}

/** What waits or was rejected in a part of a deployment. */
export interface StatusPart {
  readonly name: string;
  readonly title: string;
  readonly read: () => Promise<{
    readonly json: unknown;
    readonly text: string;
    /** What waits or was rejected: `status` marks the line, and `verify` notes it, unless it is zero. */
    readonly count: number;
    /** Whether somebody has to do something about that. */
    readonly health: HealthText;
  }>;
  /** What happened to it, for `status --since`, in any order; absent where nothing is stored of that. */
  readonly happened?: ((asked: AskedHappenings) => Promise<readonly Happening[]>) | undefined;
}

export interface AskedHappenings {
  readonly context: Context;
  readonly deployment: Deployment;
  readonly accounts: readonly string[];
  /** An ISO instant. */
  readonly since: string;
}

/** Something that happened to a deployment, at an instant or from it until another (ISO). */
export interface Happening {
  readonly at: string;
  readonly until?: string;
  readonly account?: string | undefined;
  readonly what: 'feed' | 'publishing' | 'parking' | 'quarantine' | 'dead letters' | 'reconciliation';
  readonly text: string;
  /** A command that shows more, without `callfeed` and the options that name the deployment. */
  readonly command?: readonly string[];
}

/** A sentence, which may end in an instant; the console shows that on the account's clocks. */
export type HealthLine = string | readonly [text: string, at: string];

/**
 * What Health of the console says of a part of the deployment. Bad is what needs somebody: `status` warns of it. What is not
 * known is neither good nor bad.
 */
export interface HealthText {
  readonly verdict: 'good' | 'bad' | 'unknown';
  /** Of a bad part, the first line says what is wrong, and what to do: `status` prints it. */
  readonly lines: readonly HealthLine[];
  /** The word in capitals with which `status` warns of a bad part. By default that is the part's title. */
  readonly word?: 'DEAD LETTERS';
  /** A command that helps, without `callfeed` and the options that name the deployment. */
  readonly command?: readonly string[] | undefined;
}

/** The command that shows since when something is wrong, and what else happened then. */
export const lately = ['status', '--since', '3h'] as const;

export interface ListOptions {
  readonly json: boolean;
  readonly limit: number;
  readonly account?: string | undefined;
  readonly status?: 'waiting' | 'given-up' | undefined;
}

export interface QueuePair {
  readonly queue: string;
  readonly deadLetters: string;
}

export interface DeadLetterQueue {
  readonly name: string;
  readonly queueOf: (deployment: Deployment) => QueuePair | undefined;
  /** Resolves with how many dead letters it has listed. */
  readonly list: (context: RunContext, deployment: Deployment, options: ListOptions) => Promise<number>;
  readonly redrive: (context: RunContext, deployment: Deployment, request: RedriveRequest) => Promise<void>;
  /** Whether its dead letters can be selected by call, account and status. */
  readonly isSelectable: boolean;
  readonly permissions?: { readonly list: readonly Permission[]; readonly redrive: readonly Permission[] };
}

export interface RedriveRequest {
  readonly json: boolean;
  readonly limit?: number | undefined;
  readonly dryRun: boolean;
  readonly ids: readonly string[];
  readonly account?: string | undefined;
}
