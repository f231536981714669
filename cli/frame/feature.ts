import type { Readable } from 'node:stream';
import type { Delivery, RecordFacts } from '../../lib/calls/merge-deliveries.ts';
import type { ReadingRules } from '../../lib/calls/normalise-facts.ts';
import type { EventType } from '../../lib/contract/events.ts';
import type { Recording } from '../../lib/contract/features.ts';
import type { Row } from '../../lib/storage/rows.ts';
import type { PostedFields } from '../../lib/telephony/posted-fields.ts';
import type { Inspection, PartFindings, VerifiedRange } from '../verify/gaps.ts';
import type { DeclaredCommand, Permission, RunContext } from './command.ts';
import type { Deployment, DeploymentLocation } from './deployment.ts';
import type { Reader } from './reader.ts';
import type { Columns, TableRow } from './report.ts';
import type { CallName } from './rows.ts';

/** What an optional part of a deployment adds to the command line: its own commands, and its share in those about all parts. */
export interface Feature {
  readonly commands?: readonly DeclaredCommand[];
  /** Its line of `status`, under `name` in `--json`, and its card in Health of the console. */
  readonly status?: (deployment: Deployment) => StatusPart | undefined;
  /** Like a line of `status`, but said by `verify` if something waits. It is no gap. */
  readonly notedByVerify?: (deployment: Deployment) => StatusPart | undefined;
  /** Its part of what `status` says of an account, under `name` in `--json`, and its card in Health of the console. */
  readonly accountStatus?: (deployment: Deployment, account: string, clock: () => Date) => AccountPart;
  readonly deadLetters?: DeadLetterQueue;
  readonly verifyCalls?: (
    deployment: Deployment,
    account: string,
    location: DeploymentLocation,
  ) => CallInspection | undefined;
  readonly comparison?: Comparison;
  readonly sounds?: CallSounds;
  readonly erasedWithCall?: ErasedWithCall;
  readonly replayed?: ReplayedRow;
  /** How `renormalise` reads the deliveries that this part stored itself. */
  readonly ownDeliveries?: {
    readonly source: Delivery['source'];
    readonly read: (fields: PostedFields, rules: ReadingRules, day: string | undefined) => RecordFacts;
  };
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
}

export interface AccountPart {
  readonly name: string;
  readonly title: string;
  readonly columns: Columns;
  readonly read: () => Promise<{
    readonly health: HealthText;
    /** What `status` shows, unless the part is switched off. */
    readonly shown?: { readonly json: object; readonly row: TableRow };
  }>;
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
  readonly list: (context: RunContext, deployment: Deployment, options: ListOptions) => Promise<void>;
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

export interface CallInspection {
  /** Its name in `--json`, and in what could not be read. */
  readonly name: string;
  readonly onCall: (call: CallName & { readonly listedAt: string }, rows: readonly Row[]) => void;
  readonly find: () => Promise<PartFindings>;
}

/** A comparison with the service, for which `verify` may have to wait. It is made last, for each account. */
export interface Comparison {
  readonly name: string;
  readonly compare: (
    reader: Reader & { readonly range: VerifiedRange },
    run: Inspection,
    options: { readonly report: boolean; readonly reportWait: number },
  ) => Promise<PartFindings & { readonly isRead: boolean }>;
  /** What the last sentence of `verify` says of it; `unread` are the accounts for which it was not made. */
  readonly verdict: (unread: readonly string[], isOnlyAccount: boolean) => string;
}

export interface ErasedWithCall {
  readonly kind: string;
  readonly permissions: readonly Permission[];
  readonly count: (deployment: Deployment, call: CallName) => Promise<number>;
  /** Resolves with how many rows changed. Doing it again does what an interruption left. */
  readonly erase: (deployment: Deployment, call: CallName, clock: () => Date) => Promise<number>;
}

/** A recording as the console shows it: nothing of it is personal. */
export interface ShownRecording
  extends Pick<Recording, 'recordingId' | 'status' | 'sizeBytes' | 'contentType' | 'askAgainAt'> {
  readonly since: string;
  /** Why it was not there, or may not be whole, for people. */
  readonly reason?: string | undefined;
}

/** The part of a recording that a player asks for, by its header `Range`; the whole, without `content-range`, if it asks for none. */
export interface Sound {
  readonly body: Readable;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
}

export interface CallSounds {
  readonly list: (reader: RecordingsReader, callId: string) => Promise<readonly ShownRecording[]>;
  /** Undefined if there is no such recording. */
  readonly open: (
    reader: RecordingsReader,
    recording: { readonly callId: string; readonly recordingId: string },
    range: string | undefined,
  ) => Promise<Sound | undefined>;
}

type RecordingsReader = Pick<Reader, 'deployment' | 'client'>;

/** A kind of row in the table of calls whose event can be published again. */
export interface ReplayedRow {
  readonly kind: string;
  readonly type: EventType;
  readonly isPublished: (deployment: Deployment) => boolean;
  /** What publishes its events, such as a setting. */
  readonly needs: string;
}
