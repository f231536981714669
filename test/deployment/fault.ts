import { AsyncLocalStorage } from 'node:async_hooks';
import { type FunctionName, timeoutSeconds } from '../../functions/timeouts.ts';
import { fail } from '../../lib/core/result.ts';
import type { Clock } from '../../lib/core/time.ts';
import type { ReportService, TelephonyService } from '../../lib/service/service.ts';
import { dynamodbFaults } from '../../sandbox/dynamodb/start-store.ts';
import { lambdaContext } from '../../sandbox/functions.ts';
import type { Answer, Handle } from '../../sandbox/http/serve.ts';
import { sqsFaults } from '../../sandbox/queue/sqs-endpoint.ts';
import type { AwsService, Carry, WireRequest } from './aws-clients.ts';

/** A run of a function: until its answer, and no longer than its time-out by the clock of the test. */
interface Run {
  readonly name: FunctionName;
  readonly endsAt: number;
  readonly onLateCall: (error: Error) => void;
  hasAnswered: boolean;
}

/** Nobody can catch this but the test runner. */
const failTest = (error: Error): void => void Promise.reject(error);

const present = new AsyncLocalStorage<Run>();

/** Runs a function, and freezes it after its answer as Lambda does. */
export const inRun = async <Answer>(
  name: FunctionName,
  clock: Clock,
  handle: (context: ReturnType<typeof lambdaContext>) => Promise<Answer>,
  onLateCall: (error: Error) => void = failTest,
): Promise<Answer> => {
  const endsAt = clock().getTime() + timeoutSeconds[name] * 1_000;
  const run: Run = { name, endsAt, onLateCall, hasAnswered: false };
  const context = {
    ...lambdaContext(name, timeoutSeconds[name] * 1_000),
    getRemainingTimeInMillis: () => Math.max(0, endsAt - clock().getTime()),
  };
  try {
    return await present.run(run, () => handle(context));
  } finally {
    run.hasAnswered = true;
  }
};

/** Whether Lambda has ended the present run, because it took too long. */
export const hasTimedOut = (clock: Clock): boolean => clock().getTime() > (present.getStore()?.endsAt ?? Infinity);

/**
 * Fails the test if the present run has answered, even where the caller ignores what it throws: what a function does not wait for
 * is frozen with it, and lost if no other run thaws it.
 */
const refuseAfterAnswer = (what: string): void => {
  const run = present.getStore();
  if (!run?.hasAnswered) return;
  const error = new Error(`${run.name} called ${what} after its answer: Lambda freezes a function that has answered`);
  run.onLateCall(error);
  throw error;
};

/** What happens to one call that a function makes to AWS or to the telephony service. */
export const faultKinds = [
  'pass',
  /** The service fails, without effect. */
  'fail',
  /** The service throttles the call, without effect. */
  'throttle',
  /** The call takes effect, but its answer is lost. */
  'lose',
  /** Only some of several entries are accepted; a call with one entry passes. */
  'partial',
  /** The process crashes before the call takes effect. */
  'crash-before',
  /** The process crashes after the call has taken effect. */
  'crash-after',
] as const;
/** `hang`: AWS never answers, so the caller has to give up. Without effect, and never drawn: it takes real time. */
export type Fault = (typeof faultKinds)[number] | 'hang';

export type ServiceName = 'dynamodb' | 'sqs' | 'eventbridge' | 'secrets' | 's3' | 'recordings' | 'telephony';

/** A call that is about to be made; `index` counts the calls of its process from 0. */
export interface Call {
  readonly service: ServiceName;
  readonly operation: string;
  readonly index: number;
  /** The request’s body, such as the JSON with the names of tables. */
  readonly body: () => string;
}

export type FaultInjector = (call: Call) => Fault;

export const noFault: FaultInjector = () => 'pass';

/** The crash of a process: none of its later calls takes effect. */
export class ProcessCrash extends Error {
  override readonly name = 'ProcessCrash';
}

const lostAnswer = (): Error =>
  Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });

/** A process with the faults of `faultFor` in its calls. Each call waits for its turn. A run that takes too long ends its process. */
export const createFaultyProcess = (faultFor: FaultInjector, turn: () => Promise<void>, clock: Clock) => {
  let index = 0;
  let crashed = false;

  return {
    /** Makes a call. It takes effect unless the process has crashed or crashes before it. */
    async call<Of>(about: Omit<Call, 'index'>, effect: (fault: Fault) => Promise<Of>): Promise<Of> {
      refuseAfterAnswer(about.operation);
      const fault = faultFor({ ...about, index: index++ });
      await turn();
      if (hasTimedOut(clock)) crashed = true;
      if (crashed) throw new ProcessCrash();
      if (fault === 'crash-before') crashed = true;
      if (crashed) throw new ProcessCrash();
      const answer = await effect(fault);
      if (fault === 'crash-after') crashed = true;
      if (crashed) throw new ProcessCrash();
      if (fault === 'lose') throw lostAnswer();
      return answer;
    },
    hasCrashed: (): boolean => crashed,
  };
};

export type FaultyProcess = ReturnType<typeof createFaultyProcess>;

type Json = Readonly<Record<string, unknown>>;

/** How a batch operation accepts some of its entries and reports the others. */
interface Batch {
  readonly entriesOf: (input: Json) => readonly unknown[];
  readonly withEntries: (input: Json, entries: readonly unknown[]) => Json;
  /** The whole answer, made from the answer for the accepted entries; `isAccepted` has an element for each entry. */
  readonly answer: (accepted: Json, input: Json, isAccepted: readonly boolean[]) => Json;
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const entriesOf = ({ Entries }: Json): readonly unknown[] => listIn(Entries);

const batches: Readonly<Record<string, Batch>> = {
  PutEvents: {
    entriesOf,
    withEntries: (input, Entries) => ({ ...input, Entries }),
    answer: (accepted, _input, isAccepted) => {
      const answers = [...entriesOf(accepted)];
      const failed = { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' };
      const Entries = isAccepted.map((is) => (is ? answers.shift() : failed));
      return { FailedEntryCount: isAccepted.filter((is) => !is).length, Entries };
    },
  },
  SendMessageBatch: {
    entriesOf,
    withEntries: (input, Entries) => ({ ...input, Entries }),
    answer: (accepted, input, isAccepted) => ({
      ...accepted,
      Failed: entriesOf(input)
        .filter((_, index) => !isAccepted[index])
        .map((entry) => ({ Id: Object(entry).Id, Code: 'InternalError', SenderFault: false })),
    }),
  },
  BatchGetItem: {
    entriesOf: ({ RequestItems }) => Object.values(Object(RequestItems)).flatMap((of) => listIn(Object(of).Keys)),
    withEntries: ({ RequestItems }, entries) => ({
      RequestItems: Object.fromEntries(Object.keys(Object(RequestItems)).map((table) => [table, { Keys: entries }])),
    }),
    answer: (accepted, input, isAccepted) => ({
      ...accepted,
      UnprocessedKeys: Object.fromEntries(
        Object.entries(Object(input['RequestItems'])).map(([table, of]) => [
          table,
          { Keys: listIn(Object(of).Keys).filter((_, index) => !isAccepted[index]) },
        ]),
      ),
    }),
  },
  BatchWriteItem: {
    entriesOf: ({ RequestItems }) => Object.values(Object(RequestItems)).flatMap(listIn),
    withEntries: ({ RequestItems }, entries) => ({
      RequestItems: Object.fromEntries(Object.keys(Object(RequestItems)).map((table) => [table, entries])),
    }),
    answer: (_accepted, input, isAccepted) => ({
      UnprocessedItems: Object.fromEntries(
        Object.entries(Object(input['RequestItems'])).map(([table, requests]) => [
          table,
          listIn(requests).filter((_, index) => !isAccepted[index]),
        ]),
      ),
    }),
  },
};

/** Lets a service accept every second entry of a batch, beginning with the first. Other requests pass. */
const acceptPartially = async (carry: Carry, request: WireRequest): Promise<Answer> => {
  const batch = batches[request.operation];
  const input: Json = JSON.parse(request.body.toString());
  const entries = batch?.entriesOf(input) ?? [];
  if (batch === undefined || entries.length < 2) return carry(request);

  const isAccepted = entries.map((_, index) => index % 2 === 0);
  const accepted = batch.withEntries(
    input,
    entries.filter((_, index) => isAccepted[index]),
  );
  const answer = await carry({ ...request, body: Buffer.from(JSON.stringify(accepted)) });
  if (answer.status !== 200) return answer;
  const whole = batch.answer(JSON.parse(String(answer.body)), input, isAccepted);
  return { ...answer, body: JSON.stringify(whole) };
};

export type Services = Readonly<Record<AwsService, Handle>>;

const failures: Readonly<Record<AwsService, { readonly error: Answer; readonly throttle?: Answer }>> = {
  dynamodb: dynamodbFaults,
  sqs: sqsFaults,
  eventbridge: {
    error: {
      status: 500,
      body: JSON.stringify({ __type: 'InternalException', message: 'An internal error occurred.' }),
    },
    throttle: { status: 400, body: JSON.stringify({ __type: 'ThrottlingException', message: 'Rate exceeded' }) },
  },
  secrets: {
    error: { status: 500, body: JSON.stringify({ __type: 'InternalServiceError', message: 'An internal error' }) },
  },
};

const untilAborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    const stop = () => reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }));
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

export const faultyCarry =
  ({ call }: Pick<FaultyProcess, 'call'>, services: Services) =>
  (service: keyof Services): Carry =>
  (request) =>
    call({ service, operation: request.operation, body: () => request.body.toString() }, async (fault) => {
      const toService: Carry = ({ headers, body }) =>
        services[service]({ method: 'POST', path: '/', headers: { ...headers }, body });
      if (fault === 'hang') return untilAborted(request.signal);
      const { error, throttle = error } = failures[service];
      if (fault === 'fail' || fault === 'throttle') return { fail: error, throttle }[fault];
      return fault === 'partial' ? acceptPartially(toService, request) : toService(request);
    });

type Request = Parameters<TelephonyService['post']>[0];

const faultyRequest =
  ({ call }: Pick<FaultyProcess, 'call'>, send: TelephonyService['post']) =>
  (request: Request) =>
    call({ service: 'telephony', operation: request.url, body: () => request.body }, async (fault) => {
      if (fault === 'fail') return fail({ reason: 'connection' as const });
      return send(request);
    }).catch((error: unknown) => {
      if (error instanceof ProcessCrash) throw error;
      return fail({ reason: 'timeout' as const });
    });

export const faultyTelephony = (
  faulty: Pick<FaultyProcess, 'call'>,
  telephony: TelephonyService,
): TelephonyService => ({ post: faultyRequest(faulty, telephony.post) });

export const faultyReport = (faulty: Pick<FaultyProcess, 'call'>, report: ReportService): ReportService => ({
  get: faultyRequest(faulty, report.get),
});
