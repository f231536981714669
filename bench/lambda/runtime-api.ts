import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { parsed } from '../../lib/json/parsed.ts';
import { type Answer, type Received, serve } from '../../sandbox/http/serve.ts';

/** What a handler threw. */
export interface HandlerError {
  readonly errorType: string;
  readonly errorMessage: string;
}

/** What came of an invocation, and what the process has taken since its start. */
export interface Reply {
  readonly result: unknown;
  readonly error: HandlerError | undefined;
  readonly cpuUs: number;
  readonly rssBytes: number;
}

/** A local end of Lambda's Runtime API, for one process: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html */
export interface RuntimeApi {
  /** Host and port, as `AWS_LAMBDA_RUNTIME_API` has them. */
  readonly address: string;
  /** Resolves when the process asks for work the first time; rejects if its handler cannot be loaded. */
  readonly ready: Promise<void>;
  /** Hands an event over. One at a time, as on Lambda. */
  invoke(event: unknown): Promise<Reply>;
  close(): Promise<void>;
}

const Fault = z.object({ errorType: z.string(), errorMessage: z.string() });

const timeoutMs = 30_000;

/** Starts the API; `functionName` is in the ARN that the process is told. */
export const startRuntimeApi = async (functionName: string): Promise<RuntimeApi> => {
  const ready = Promise.withResolvers<void>();
  // A process that ends before anyone waits must not end this one.
  ready.promise.catch(() => undefined);
  let work = Promise.withResolvers<string>();
  let reply = Promise.withResolvers<Reply>();

  const next = async (): Promise<Answer> => {
    ready.resolve();
    const body = await work.promise;
    work = Promise.withResolvers();
    return {
      status: 200,
      headers: {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': randomUUID(),
        'lambda-runtime-deadline-ms': String(Date.now() + timeoutMs),
        'lambda-runtime-invoked-function-arn': `arn:aws:lambda:eu-west-1:000000000000:function:${functionName}`,
      },
      body,
    };
  };

  const replied = ({ path, headers, body }: Received): Answer => {
    const content = parsed(body.toString());
    const taken = { cpuUs: Number(headers['x-cpu-us']), rssBytes: Number(headers['x-rss-bytes']) };
    if (path.endsWith('/response')) reply.resolve({ result: content, error: undefined, ...taken });
    else reply.resolve({ result: undefined, error: Fault.parse(content), ...taken });
    return { status: 202 };
  };

  const { url, close } = await serve(async (received) => {
    const { method, path, body } = received;
    if (method === 'GET' && path.endsWith('/invocation/next')) return next();
    if (path.endsWith('/init/error')) {
      ready.reject(new Error(`The handler cannot be loaded: ${body.toString()}`));
      return { status: 202 };
    }
    return replied(received);
  });

  return {
    address: new URL(url).host,
    ready: ready.promise,
    close,
    async invoke(event) {
      reply = Promise.withResolvers();
      work.resolve(JSON.stringify(event));
      return reply.promise;
    },
  };
};
