import type { APIGatewayProxyEventV2, Context, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { composePoller } from '../../../functions/poll-agents/app.ts';
import { PollAgentsEnv } from '../../../functions/poll-agents/env.ts';
import { composePublisher } from '../../../functions/publish-changes/app.ts';
import { PublishChangesEnv } from '../../../functions/publish-changes/env.ts';
import { composeReceiver } from '../../../functions/receive-callback/app.ts';
import { ReceiveCallbackEnv } from '../../../functions/receive-callback/env.ts';
import { composeRecovery } from '../../../functions/recover-callbacks/app.ts';
import { RecoverCallbacksEnv } from '../../../functions/recover-callbacks/env.ts';
import type { FunctionName } from '../../../functions/timeouts.ts';
import type { TelephonyService } from '../../../lib/agents/get-agent-logins.ts';
import type { Clock } from '../../../lib/telemetry/metrics.ts';
import { lambdaContext } from '../../../sandbox/lambda/runtime.ts';
import { awsClients } from './aws-clients.ts';
import { createFaultyProcess, type FaultInjector } from './fault.ts';
import { faultyCarry, faultyTelephony, type Services } from './faulty-services.ts';

/** What a process of a function lives in. */
export interface InstanceOptions {
  readonly clock: Clock;
  readonly services: Services;
  readonly telephony: TelephonyService;
  /** The environment of all functions together. */
  readonly env: Readonly<Record<string, string>>;
  /** Awaited before each call has its effect. */
  readonly turn?: (() => Promise<void>) | undefined;
  /** Lets time go by. */
  readonly pause?: ((milliseconds: number) => Promise<void>) | undefined;
  /** How long the tables may take, by the clock on the wall; on a busy machine nothing may fail for that, unless told. */
  readonly storeDeadlineMs?: number | undefined;
  /** Told each line that a function writes. */
  readonly onLine?: ((line: string) => void) | undefined;
}

/** What came of an invocation: `died` leaves no answer, and who asked will ask again. */
export type Outcome<Of> = { readonly kind: 'answered'; readonly answer: Of } | { readonly kind: 'died' };

/** A process of each function, cold until it is first asked: composed as deployed, over the services of its surroundings. */
export interface Instance {
  readonly receive: (event: APIGatewayProxyEventV2) => Promise<Outcome<unknown>>;
  readonly recover: (event: SQSEvent) => Promise<Outcome<unknown>>;
  readonly publish: (event: DynamoDBStreamEvent) => Promise<Outcome<unknown>>;
  readonly poll: (event: SQSEvent) => Promise<Outcome<unknown>>;
  readonly isDead: () => boolean;
  /** How many calls it has made, or would have made, had it not died. */
  readonly calls: () => number;
}

/** How long functions may run here: on a busy machine nothing may run into a time-out that is not the subject. */
const patienceMs = 120_000;

/** Starts a process whose calls meet the fates that `fateOf` says. */
export const startInstance = (around: InstanceOptions, fateOf: FaultInjector): Instance => {
  const life = createFaultyProcess(fateOf, around.turn ?? (async () => undefined));
  const clients = awsClients(faultyCarry(life, around.services));
  const parts = (name: FunctionName) => ({
    ...clients,
    clock: around.clock,
    telemetry: jsonTelemetry({ function: name, deployment: 'torture' }, around.onLine ?? (() => undefined)),
    storeDeadlineMs: around.storeDeadlineMs ?? patienceMs,
  });
  const { env } = around;
  const cold = {
    'receive-callback': () => composeReceiver({ ...parts('receive-callback'), env: ReceiveCallbackEnv.parse(env) }),
    'recover-callbacks': () => composeRecovery({ ...parts('recover-callbacks'), env: RecoverCallbacksEnv.parse(env) }),
    'publish-changes': () => composePublisher({ ...parts('publish-changes'), env: PublishChangesEnv.parse(env) }),
    'poll-agents': () =>
      composePoller({
        ...parts('poll-agents'),
        env: PollAgentsEnv.parse(env),
        service: faultyTelephony(life, around.telephony),
        pause: around.pause ?? (async () => undefined),
      }),
  };

  const warm = new Map<FunctionName, (event: never, context: Context) => Promise<unknown>>();
  const invoke =
    <Event>(name: FunctionName) =>
    async (event: Event): Promise<Outcome<unknown>> => {
      const handler = warm.get(name) ?? (cold[name]() as (event: never, context: Context) => Promise<unknown>);
      warm.set(name, handler);
      try {
        const answer = await handler(event as never, lambdaContext(name, patienceMs));
        return life.isDead() ? { kind: 'died' } : { kind: 'answered', answer };
      } catch (error) {
        if (life.isDead()) return { kind: 'died' };
        throw error;
      }
    };

  return {
    receive: invoke('receive-callback'),
    recover: invoke('recover-callbacks'),
    publish: invoke('publish-changes'),
    poll: invoke('poll-agents'),
    isDead: life.isDead,
    calls: life.calls,
  };
};
