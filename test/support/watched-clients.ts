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
