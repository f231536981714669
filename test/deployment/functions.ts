import { AsyncLocalStorage } from 'node:async_hooks';
import type { APIGatewayProxyEventV2, Context, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { type EnvSchema, readEnv } from '../../functions/adapters/env.ts';
import { jsonTelemetry } from '../../functions/adapters/json-telemetry.ts';
import { composeArchiving } from '../../functions/archive-recordings/app.ts';
import { archiveRecordingsEnv } from '../../functions/archive-recordings/environment.ts';
import { composeForwarding } from '../../functions/forward-deliveries/app.ts';
import { forwardDeliveriesEnv } from '../../functions/forward-deliveries/environment.ts';
import type { ForwardPorts } from '../../functions/forward-deliveries/forward-delivery.ts';
import { type FunctionName, timeoutSeconds } from '../../functions/limits.ts';
import { composePoller } from '../../functions/poll-agents/app.ts';
import { pollAgentsEnv } from '../../functions/poll-agents/environment.ts';
import { composePublisher } from '../../functions/publish-changes/app.ts';
import { publishChangesEnv } from '../../functions/publish-changes/environment.ts';
import { composeReceiver } from '../../functions/receive-callback/app.ts';
import { receiveCallbackEnv } from '../../functions/receive-callback/environment.ts';
import { composeReconciliation } from '../../functions/reconcile-calls/app.ts';
import { reconcileCallsEnv } from '../../functions/reconcile-calls/environment.ts';
import { composeRecovery } from '../../functions/recover-callbacks/app.ts';
import { recoverCallbacksEnv } from '../../functions/recover-callbacks/environment.ts';
import type { Clock } from '../../lib/core/time.ts';
import type { ReportService, TelephonyService } from '../../lib/service/service.ts';
import { dynamodbFaults } from '../../sandbox/dynamodb/start-store.ts';
import type { Answer, Handle } from '../../sandbox/frame/serve.ts';
import { lambdaContext } from '../../sandbox/functions/load-function.ts';
import { sqsFaults } from '../../sandbox/queue/sqs-endpoint.ts';
import { type AwsService, awsClients, type Carry, type WireRequest } from '../support/aws-clients.ts';
import { forbiddenIn } from './permissions.ts';
import { noAnswer, type RecordingStore, recordingBucket } from './telephony.ts';

/*
 * The functions as Lambda runs them, without transform-events: composed as deployed, ended at their time-out, frozen after their
 * answer. Each call that they make to AWS or to the outside may have a fault.
 */

/** A run of a function: until its answer, and no longer than its time-out by the clock of the test. */
interface Run {
  readonly name: FunctionName;
  readonly endsAt: number;
  /** Nobody can catch what AWS would not even try. */
  readonly onRefused: (error: Error) => void;
  hasAnswered: boolean;
}

const present = new AsyncLocalStorage<Run>();

/** Nobody can catch this but the test runner. */
const failTest = (error: Error): void => void Promise.reject(error);

/** Runs a function, and freezes it after its answer as Lambda does. */
export const inRun = async <Answer>(
  name: FunctionName,
  clock: Clock,
  handle: (context: Context) => Promise<Answer>,
  onRefused: (error: Error) => void = failTest,
): Promise<Answer> => {
  const endsAt = clock().getTime() + timeoutSeconds[name] * 1_000;
  const run: Run = { name, endsAt, onRefused, hasAnswered: false };
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
  run.onRefused(error);
  throw error;
};

/** Fails the test if the present run's function may not make a call: AWS would deny it, and every try of it. */
const refuseForbidden = (call: Omit<Call, 'index'>, env: Surroundings['env']): void => {
  const run = present.getStore();
  if (run === undefined) return;
  const forbidden = forbiddenIn(run.name, call, env);
  if (forbidden.length === 0) return;
  const error = new Error(`${run.name} has no permission for ${forbidden.join(', ')}`);
  run.onRefused(error);
  throw error;
};

/** What happens to one call that a function makes to AWS or to the outside. */
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

export type ServiceName = AwsService | 's3' | 'recordings' | 'telephony' | 'receiver';

/** A call that is about to be made; `index` counts the calls of its process from 0. */
export interface Call {
  readonly service: ServiceName;
  readonly operation: string;
  readonly index: number;
  /** The request’s body, such as the JSON with the names of tables. */
  readonly body: () => string;
}

export type FaultInjector = (call: Call) => Fault;

/** The crash of a process: none of its later calls takes effect. */
export class ProcessCrash extends Error {
  override readonly name = 'ProcessCrash';
}

/** A process with the faults of `faultFor` in its calls. Each call waits for its turn. A run that takes too long ends its process. */
export const createFaultyProcess = (
  faultFor: FaultInjector,
  turn: () => Promise<void>,
  clock: Clock,
  env: Surroundings['env'],
) => {
  let index = 0;
  let crashed = false;
  const endIf = (crashes: boolean): void => {
    crashed ||= crashes;
    if (crashed) throw new ProcessCrash();
  };

  return {
    /** Makes a call. It takes effect unless the process has crashed or crashes before it. */
    async call<Of>(about: Omit<Call, 'index'>, effect: (fault: Fault) => Promise<Of>): Promise<Of> {
      refuseAfterAnswer(about.operation);
      refuseForbidden(about, env);
      const fault = faultFor({ ...about, index: index++ });
      await turn();
      endIf(hasTimedOut(clock) || fault === 'crash-before');
      const answer = await effect(fault);
      endIf(fault === 'crash-after');
      if (fault === 'lose')
        throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
      return answer;
    },
    hasCrashed: (): boolean => crashed,
  };
};

export type MakeCall = ReturnType<typeof createFaultyProcess>['call'];

type Json = Readonly<Record<string, unknown>>;

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The input of a batch with those entries for whose number `takes` is true. */
const part = ({ Entries, RequestItems, ...input }: Json, takes: (index: number) => boolean): Json => {
  let index = 0;
  const some = (entries: unknown): readonly unknown[] => listIn(entries).filter(() => takes(index++));
  if (Entries !== undefined) return { ...input, Entries: some(Entries) };
  const tables = Object.entries(Object(RequestItems)).flatMap(([table, of]) => {
    const taken = some(Array.isArray(of) ? of : Object(of).Keys);
    return taken.length === 0 ? [] : [[table, Array.isArray(of) ? taken : { ...Object(of), Keys: taken }]];
  });
  return { ...input, RequestItems: Object.fromEntries(tables) };
};

const throttledEvent = { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' };

/** The answer to a batch where every second entry was refused, made from the answer for the accepted entries. */
const partialAnswers: Readonly<Record<string, (accepted: Json, refused: Json) => Json>> = {
  PutEvents: ({ Entries }, refused) => {
    const failed = listIn(refused['Entries']);
    const answers = listIn(Entries).flatMap((entry, index) =>
      index < failed.length ? [entry, throttledEvent] : [entry],
    );
    return { FailedEntryCount: failed.length, Entries: answers };
  },
  SendMessageBatch: (accepted, { Entries }) => ({
    ...accepted,
    Failed: listIn(Entries).map((entry) => ({ Id: Object(entry).Id, Code: 'InternalError', SenderFault: false })),
  }),
  BatchGetItem: (accepted, { RequestItems }) => ({ ...accepted, UnprocessedKeys: RequestItems }),
  BatchWriteItem: (_accepted, { RequestItems }) => ({ UnprocessedItems: RequestItems }),
};

/** Lets a service accept every second entry of a batch, beginning with the first. Other requests pass. */
export const acceptPartially = async (carry: Carry, request: WireRequest): Promise<Answer> => {
  const whole = partialAnswers[request.operation];
  if (whole === undefined) return carry(request);
  const input: Json = JSON.parse(request.body.toString());
  const accepted = part(input, (index) => index % 2 === 0);
  const answer = await carry({ ...request, body: Buffer.from(JSON.stringify(accepted)) });
  if (answer.status !== 200) return answer;
  const refused = part(input, (index) => index % 2 === 1);
  return { ...answer, body: JSON.stringify(whole(JSON.parse(String(answer.body)), refused)) };
};

type Services = Readonly<Record<AwsService, Handle>>;

const failedAnswer = (status: number, __type: string, message: string): Answer => ({
  status,
  body: JSON.stringify({ __type, message }),
});

const failures: Readonly<Record<AwsService, { readonly error: Answer; readonly throttle?: Answer }>> = {
  dynamodb: dynamodbFaults,
  sqs: sqsFaults,
  eventbridge: {
    error: failedAnswer(500, 'InternalException', 'An internal error occurred.'),
    throttle: failedAnswer(400, 'ThrottlingException', 'Rate exceeded'),
  },
  secrets: { error: failedAnswer(500, 'InternalServiceError', 'An internal error') },
};

const untilAborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    const stop = () => reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }));
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

const faultyCarry =
  (call: MakeCall, services: Services) =>
  (service: AwsService): Carry =>
  (request) =>
    call({ service, operation: request.operation, body: () => request.body.toString() }, async (fault) => {
      const { error, throttle = error } = failures[service];
      // The SDK sends nothing behind a limit that has passed.
      if (fault === 'hang' || request.signal?.aborted) return untilAborted(request.signal);
      if (fault === 'fail' || fault === 'throttle') return { fail: error, throttle }[fault];
      return fault === 'partial' ? acceptPartially(services[service], request) : services[service](request);
    });

type Ask = TelephonyService['post'];

const faultyRequest =
  (call: MakeCall, send: Ask = async () => noAnswer('connection')): Ask =>
  (request) =>
    call({ service: 'telephony', operation: request.url, body: () => request.body }, async (fault) =>
      fault === 'fail' ? noAnswer('connection') : send(request),
    ).catch((error: unknown) => {
      if (error instanceof ProcessCrash) throw error;
      return noAnswer('timeout');
    });

/** A receiver of forwarded deliveries. An answer that is lost has come too late. */
const faultyPost =
  (call: MakeCall, send: ForwardPorts['post'] = async () => undefined): ForwardPorts['post'] =>
  (address, body) =>
    call({ service: 'receiver', operation: 'POST', body: () => body }, async (fault) =>
      fault === 'fail' ? 'status 500' : send(address, body),
    ).catch((error: unknown) => {
      if (error instanceof ProcessCrash) throw error;
      return 'timeout';
    });

/** What a process finds around it. */
export interface Surroundings {
  readonly clock: Clock;
  readonly services: Services;
  /** By default the service answers nothing, and has no call report. */
  readonly telephony?: TelephonyService | undefined;
  readonly report?: ReportService | undefined;
  /** The receivers to which deliveries are forwarded. By default they accept everything. */
  readonly receiver?: ForwardPorts['post'] | undefined;
  /** The bucket of recordings, and their host. */
  readonly recordings: RecordingStore;
  readonly env: Readonly<Record<string, string>>;
  /** Awaited before each call takes effect. */
  readonly turn?: (() => Promise<void>) | undefined;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** The deadline of the tables in real time. By default it is long, as a busy machine must not exceed it. */
  readonly storeDeadlineMs?: number | undefined;
  readonly onLine?: ((line: string, at: Date) => void) | undefined;
  /** The name of the deployment in metrics. */
  readonly monitored?: { readonly deployment: string } | undefined;
}

/** The outcome of an invocation. After a crash there is no answer, and the caller tries again. */
export type Outcome = { readonly kind: 'answered'; readonly answer: unknown } | { readonly kind: 'crashed' };

type Handler = (event: never, context: Context) => Promise<unknown>;

/** One process of each function, cold until its first invocation, composed as deployed. */
export const startInstance = (around: Surroundings, faultFor: FaultInjector) => {
  const { clock, env, turn = async () => undefined, pause, storeDeadlineMs = 120_000 } = around;
  const { call, hasCrashed } = createFaultyProcess(faultFor, turn, clock, env);
  const clients = awsClients(faultyCarry(call, around.services));
  const parts = <Values>(name: FunctionName, declared: EnvSchema<Values>) => ({
    ...clients,
    clock,
    storeDeadlineMs,
    env: readEnv(declared, env),
    telemetry: jsonTelemetry({ function: name, deployment: 'faults', ...around.monitored }, (line) => {
      // A process that has crashed logs nothing.
      if (!hasCrashed()) around.onLine?.(line, clock());
    }),
  });
  const service = { post: faultyRequest(call, around.telephony?.post) };
  const report = { get: faultyRequest(call, around.report?.get) };
  const post = faultyPost(call, around.receiver);
  const bucket = recordingBucket(call, around.recordings);
  const cold = {
    'receive-callback': () =>
      composeReceiver({ ...parts('receive-callback', receiveCallbackEnv), sqs: () => clients.sqs }),
    'recover-callbacks': () => composeRecovery(parts('recover-callbacks', recoverCallbacksEnv)),
    'publish-changes': () => composePublisher(parts('publish-changes', publishChangesEnv)),
    'poll-agents': () => composePoller({ ...parts('poll-agents', pollAgentsEnv), service, pause }),
    'reconcile-calls': () => composeReconciliation({ ...parts('reconcile-calls', reconcileCallsEnv), service, report }),
    'forward-deliveries': () => composeForwarding({ ...parts('forward-deliveries', forwardDeliveriesEnv), post }),
    'archive-recordings': () => composeArchiving({ ...parts('archive-recordings', archiveRecordingsEnv), bucket }),
  };

  const warm = new Map<FunctionName, Handler>();
  const invoke =
    <Event>(name: keyof typeof cold) =>
    async (event: Event): Promise<Outcome> => {
      const handler = warm.get(name) ?? (cold[name]() as Handler);
      warm.set(name, handler);
      try {
        const answer = await inRun(name, clock, (context) => handler(event as never, context));
        return hasCrashed() ? { kind: 'crashed' } : { kind: 'answered', answer };
      } catch (error) {
        if (hasCrashed()) return { kind: 'crashed' };
        throw error;
      }
    };

  return {
    receive: invoke<APIGatewayProxyEventV2>('receive-callback'),
    recover: invoke<SQSEvent>('recover-callbacks'),
    publish: invoke<DynamoDBStreamEvent>('publish-changes'),
    poll: invoke<SQSEvent>('poll-agents'),
    reconcile: invoke<SQSEvent>('reconcile-calls'),
    forward: invoke<DynamoDBStreamEvent | SQSEvent>('forward-deliveries'),
    archive: invoke<SQSEvent>('archive-recordings'),
    hasCrashed,
  };
};

export type Instance = ReturnType<typeof startInstance>;
