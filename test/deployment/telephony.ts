import type { RecordingBucket } from '../../functions/archive-recordings/archive-recordings.ts';
import type { RecordingObject } from '../../functions/archive-recordings/recording-row.ts';
import type { CallEventType } from '../../lib/contract/call-events.ts';
import { sha256 } from '../../lib/core/encoding.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import type { RecordingNote, RecordingProblem } from '../../lib/recordings/schema.ts';
import type {
  ReportService,
  ServiceFailure,
  ServiceProblem,
  ServiceRequest,
  ServiceResponse,
  TelephonyService,
} from '../../lib/service/service.ts';
import { specificationLogins } from '../fixtures/accounts.ts';
import { specificationSummary } from '../fixtures/calls.ts';
import type { MakeCall } from './functions.ts';

/* What is outside: the summaries that the telephony service posts, its answers by a script, and the host of its recordings. */

type Fields = Readonly<Record<string, unknown>>;

/** A call summary as the service posts it. Each method gives another version of it. */
export interface CallSummary {
  readonly fields: Fields;
  readonly with: (fields: Fields) => CallSummary;
  readonly without: (...names: readonly string[]) => CallSummary;
  readonly answered: () => CallSummary;
  readonly missed: () => CallSummary;
  readonly withDisposition: (text: string) => CallSummary;
  readonly withRecording: (url: string) => CallSummary;
  /** The account's key, which the record carries. */
  readonly byKey: (key: string) => CallSummary;
}

/** The specification's call summary, with some fields replaced. Like the service's first post it has no disposition. */
export const call = (fields: Fields = {}): CallSummary => summaryOf({ ...specificationSummary, ...fields });

const summaryOf = (fields: Fields): CallSummary => {
  const changed = (more: Fields): CallSummary => summaryOf({ ...fields, ...more });
  return {
    fields,
    with: changed,
    without: (...names) =>
      summaryOf(Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))),
    answered: () => changed({ Status: 'Answered', AgentStatus: 'answered', CustomerStatus: 'answered' }),
    missed: () => changed({ Status: 'NotAnswered', AgentStatus: 'NotAnswered', Duration: '00:00:00', AudioFile: '' }),
    withDisposition: (Disposition) => changed({ Disposition }),
    withRecording: (AudioFile) => changed({ AudioFile }),
    byKey: (Apikey) => changed({ Apikey }),
  };
};

const isSummary = (value: unknown): value is CallSummary => typeof Object(value).withDisposition === 'function';

/** What a test posts, as the value that goes into JSON. */
export const postedValue = (data: unknown): unknown => {
  if (Array.isArray(data)) return data.map(postedValue);
  return isSummary(data) ? data.fields : data;
};

/** An event of a call, as far as most tests look. */
export interface CallEvent {
  readonly type: CallEventType;
  readonly revision: number;
  readonly changedFields?: readonly string[];
}

/** The first event of a call. */
export const recorded = (revision = 1): CallEvent => ({ type: 'Call Summary Recorded', revision });

/** The event of a later revision, with the fields that it names. */
export const revised = (revision: number, changedFields: readonly string[]): CallEvent => ({
  type: 'Call Summary Revised',
  revision,
  changedFields,
});

/** The service's answer to a request, or why there is none. */
export type ServiceAnswer = Result<ServiceResponse, ServiceFailure>;

/** An answer: text as it is, anything else as JSON. */
export const answer = (body: unknown, status = 200, retryAfterSeconds?: number): ServiceAnswer =>
  ok({ status, text: typeof body === 'string' ? body : JSON.stringify(body), retryAfterSeconds });

/** Records in the form of the specification, as for getAgentLogins. */
export const success = (message: unknown): ServiceAnswer => answer({ status: 'success', message });

/** An error in the form of the specification. */
export const errorAnswer = (message: unknown, status = 200): ServiceAnswer =>
  answer({ status: 'error', message }, status);

/** A token in the form of the service's documentation. */
export const tokenAnswer = (token: unknown): ServiceAnswer => answer({ token });

/** No answer. */
export const noAnswer = (reason: ServiceProblem): ServiceAnswer => fail({ reason });

/** Agents who are logged in, each with a state and other fields as the service sends them. */
export const loggedIn = (agents: Readonly<Record<string, string | object>>): ServiceAnswer =>
  success(
    Object.entries(agents).map(([AgentId, state]) => ({
      AgentId,
      ...(typeof state === 'string' ? { AgentState: state } : state),
    })),
  );

/** Agents by number, all in one state. */
export const manyAgents = (count: number, state = 'READY'): ServiceAnswer =>
  loggedIn(Object.fromEntries(Array.from({ length: count }, (_, index) => [`agent-${index}`, state])));

/** The three agents of the specification. */
export const threeAgents: ServiceAnswer = success(specificationLogins);

/** What a service makes of its pages. By default it gives what it is asked for, and states the number of the day's records. */
export interface Paging {
  /** It gives at most so many records a page. */
  readonly rows?: number;
  /** Whether a page begins behind as many records as were asked for, or as were given. */
  readonly by?: 'asked' | 'given';
  readonly totalCount?: (day: number, page: number) => unknown;
}

/** The report by day, such as 2026-11-20, in pages as the service makes them. */
export const reportOf =
  (days: Readonly<Record<string, readonly object[]>>, paging: Paging = {}) =>
  ({ url, body }: ServiceRequest): ServiceAnswer => {
    const { rows = Number.POSITIVE_INFINITY, by = 'asked', totalCount = (day) => day } = paging;
    const records = days[String(JSON.parse(body).fromDate).slice(0, 10)] ?? [];
    const { pageNo, pageSize } = Object.fromEntries(new URL(url).searchParams);
    if (pageNo === undefined) return answer({ status: 'success', message: 'success', details: records });
    const given = Math.min(rows, Number(pageSize));
    const from = (Number(pageNo) - 1) * (by === 'asked' ? Number(pageSize) : given);
    const details = records.slice(from, from + given);
    const count = totalCount(records.length, details.length);
    return answer({ status: 'success', message: 'success', totalCount: count, details });
  };

export type Operation = 'logins' | 'token' | 'report';

/** An answer, or a function that makes it once the request has arrived. */
type Scripted<Request> = ServiceAnswer | ((request: Request) => ServiceAnswer | Promise<ServiceAnswer>);

/** The answers to each operation in order; the last one is repeated. */
export interface ServiceScript {
  readonly logins?: readonly Scripted<ServiceRequest>[];
  readonly token?: readonly Scripted<ServiceRequest>[];
  readonly report?: readonly Scripted<ServiceRequest>[];
}

const operationOf = ({ url }: ServiceRequest): Operation => {
  if (url.includes('/ca_reports/')) return 'report';
  return url.endsWith('/getAgentLogins') ? 'logins' : 'token';
};

/** A request that arrived at the service, and when. */
export interface Arrived extends ServiceRequest {
  readonly operation: Operation;
  readonly at: string;
}

/** A telephony service that answers by a script, with a record of its requests. */
export const scriptedService = (script: ServiceScript, now: () => Date) => {
  const requests: Arrived[] = [];
  const left: Record<Operation, Scripted<ServiceRequest>[]> = {
    logins: [...(script.logins ?? [success([])])],
    token: [...(script.token ?? [tokenAnswer('token-1')])],
    report: [...(script.report ?? [reportOf({})])],
  };
  const reply = async (request: ServiceRequest): Promise<ServiceAnswer> => {
    const operation = operationOf(request);
    requests.push({ ...request, operation, at: now().toISOString() });
    const answers = left[operation];
    const next = (answers.length > 1 ? answers.shift() : answers[0]) ?? noAnswer('connection');
    return typeof next === 'function' ? next(request) : next;
  };
  const telephony: TelephonyService = { post: reply };
  const report: ReportService = { get: reply };

  return {
    telephony,
    report,
    /** Replaces the answers that are left of these operations. */
    answers(next: ServiceScript) {
      for (const operation of ['logins', 'token', 'report'] as const)
        if (next[operation] !== undefined) left[operation] = [...next[operation]];
    },
    /** The requests so far, or those of an operation. */
    requests: (of?: Operation): readonly Arrived[] =>
      requests.filter(({ operation }) => of === undefined || operation === of),
  };
};

interface NotedRecording {
  readonly body: string;
  readonly note: RecordingNote;
}

/** What a host answers for a URL: the recording, with what nobody can know of it, or why there is none. */
export type RecordingHost = (url: string) => Result<string | NotedRecording, RecordingProblem>;

/** The bucket of recordings in memory, and the host that they come from. */
export const recordingStore = (host: RecordingHost = () => fail('not-found')) => ({
  host,
  /** The recordings by key. */
  objects: new Map<string, string>(),
  /** Those of them that have one. */
  notes: new Map<string, RecordingNote>(),
  /** The URLs that were asked for, in order. */
  asked: [] as string[],
});

export type RecordingStore = ReturnType<typeof recordingStore>;

const described = (body: string, note: RecordingNote | undefined): RecordingObject => ({
  bucket: 'recordings',
  contentType: 'audio/mpeg',
  sizeBytes: body.length,
  sha256: sha256(body).toString('hex'),
  ...(note !== undefined && { note }),
});

/** The bucket as one process uses it. An object is never overwritten. */
export const recordingBucket = (call: MakeCall, { objects, notes, asked, host }: RecordingStore): RecordingBucket => {
  const effect = <Of>(service: 'recordings' | 's3', operation: string, act: () => Of): Promise<Of> =>
    call({ service, operation, body: () => '' }, async (fault) => {
      if (fault === 'fail' || fault === 'throttle') throw new Error('503');
      return act();
    });
  const existing = (objectKey: string): RecordingObject | undefined => {
    const body = objects.get(objectKey);
    return body === undefined ? undefined : described(body, notes.get(objectKey));
  };
  return {
    existing: (objectKey) => effect('s3', 'GetObject', () => existing(objectKey)),
    async copy(url, objectKey) {
      const answer = await effect('recordings', 'GET', () => {
        asked.push(url);
        return host(url);
      });
      if (!answer.ok) return answer;
      return effect('s3', 'PutObject', () => {
        const found = existing(objectKey);
        if (found !== undefined) return ok(found);
        const { body, note } =
          typeof answer.value === 'string' ? { body: answer.value, note: undefined } : answer.value;
        objects.set(objectKey, body);
        if (note !== undefined) notes.set(objectKey, note);
        return ok(described(body, note));
      });
    },
    remove: (objectKey) => effect('s3', 'DeleteObject', () => void objects.delete(objectKey)),
  };
};
