import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { vi } from 'vitest';

interface Sender {
  readonly config: {
    readonly maxAttempts: () => Promise<number>;
    readonly requestHandler: { readonly httpHandlerConfigs: () => object };
    readonly serviceId: string;
  };
}

/** The clients of AWS that send something until mocks are restored, with their settings, and what has no limit of its own. */
export const watchedClients = (isLimit: (signal: AbortSignal) => boolean = () => true) => {
  const senders = new Set<Sender['config']>();
  const unlimited = new Set<string>();
  const { prototype } = Object.getPrototypeOf(DynamoDBClient);
  const send: (...args: unknown[]) => unknown = prototype.send;
  vi.spyOn(prototype, 'send').mockImplementation(function (this: Sender, ...args: unknown[]) {
    const [command, options] = args;
    senders.add(this.config);
    const signal: AbortSignal | undefined = Object(options).abortSignal;
    if (signal === undefined || !isLimit(signal)) unlimited.add(Object(command).constructor.name);
    return send.apply(this, args);
  });
  const settings = async () => {
    const all: Record<string, object> = {};
    for (const { maxAttempts, requestHandler, serviceId } of senders) {
      const { connectionTimeout, requestTimeout, socketTimeout, throwOnRequestTimeout } = Object(
        requestHandler.httpHandlerConfigs(),
      );
      const attempts = await maxAttempts();
      all[serviceId] = { attempts, connectionTimeout, requestTimeout, socketTimeout, throwOnRequestTimeout };
    }
    return all;
  };
  return { settings, unlimited: () => [...unlimited] };
};

/** Every time limit that is set from now on, until mocks are restored. `pass` lets all of them pass that were set so far. */
export const watchedLimits = () => {
  const limits: { readonly milliseconds: number; readonly end: AbortController }[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const end = new AbortController();
    limits.push({ milliseconds, end });
    return end.signal;
  });
  return {
    /** The limits in milliseconds, but for the first ones. */
    since: (first: number) => limits.slice(first).map(({ milliseconds }) => milliseconds),
    count: () => limits.length,
    /** Whether a signal is one of them: one of before may have been made when its module was loaded. */
    has: (signal: AbortSignal) => limits.some(({ end }) => end.signal === signal),
    pass: () => {
      for (const { end } of limits) end.abort(new DOMException('The operation timed out.', 'TimeoutError'));
    },
  };
};

type Send = (command: { readonly input: unknown }, ...rest: never[]) => Promise<unknown>;

/** A client that answers by a function, and records every command. */
const recording = <Client extends { send: unknown }>(answer: Send) => {
  const sent: { readonly name: string; readonly input: unknown }[] = [];
  const send: Send = (command, ...rest) => {
    sent.push({ name: command.constructor.name, input: command.input });
    return answer(command, ...rest);
  };
  return { client: { send } as unknown as Pick<Client, 'send'>, sent };
};

/** Passes commands to a real client and records them. */
export const recordingClient = <Client extends { send: unknown }>(real: Client) =>
  recording<Client>((...sent) => (real.send as Send).apply(real, sent));

/** Answers each command from a script instead of AWS. A function may throw; the last one answers all further commands. */
export const scriptedClient = <Client extends { send: unknown }>(...answers: readonly (() => unknown)[]) => {
  const left = [...answers];
  return recording<Client>(async () => (left.length > 1 ? left.shift() : left[0])?.());
};
