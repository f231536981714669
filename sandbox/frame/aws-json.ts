import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';
import { type Answer, type Handle, problemsOf } from './serve.ts';

export interface AwsJson {
  readonly version: '1.0' | '1.1';
  readonly service: string;
  /** The part before `#` in the type of an error. */
  readonly namespace: string;
}

export type Operation = (input: unknown, headers: IncomingHttpHeaders) => Answer | Promise<Answer>;

const answer = ({ version }: AwsJson, status: number, body: unknown): Answer => ({
  status,
  headers: { 'content-type': `application/x-amz-json-${version}`, 'x-amzn-requestid': randomUUID() },
  body: JSON.stringify(body),
});

export const result = (service: AwsJson, body: unknown): Answer => answer(service, 200, body);

export const failure = (service: AwsJson, status: 400 | 500, type: string, message: string): Answer =>
  answer(service, status, { __type: `${service.namespace}#${type}`, message });

export const operation =
  <Schema extends z.ZodType>(
    service: AwsJson,
    schema: Schema,
    run: (input: z.infer<Schema>, headers: IncomingHttpHeaders) => Answer | Promise<Answer>,
  ): Operation =>
  (input, headers) => {
    const request = schema.safeParse(input);
    if (request.success) return run(request.data, headers);
    return failure(service, 400, 'ValidationException', problemsOf(request.error));
  };

export const awsJson =
  (service: AwsJson, operations: Readonly<Record<string, Operation>>): Handle =>
  async ({ headers, body }) => {
    const target = String(headers['x-amz-target'] ?? '');
    const name = target.startsWith(`${service.service}.`) ? target.slice(service.service.length + 1) : '';
    const run = Object.hasOwn(operations, name) ? operations[name] : undefined;
    const unknown = `The sandbox does not support ${target || 'this operation'}.`;
    if (run === undefined) return failure(service, 400, 'UnknownOperationException', unknown);

    const input = tryParseJson(body.toString('utf8') || '{}');
    if (input === undefined) return failure(service, 400, 'SerializationException', 'The body is not JSON.');
    return await run(input, headers);
  };
