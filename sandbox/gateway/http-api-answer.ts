import * as z from 'zod';
import type { Answer } from '../http/serve.ts';

const Structured = z.object({
  statusCode: z.int().min(100).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/** An answer of API Gateway's own, as it words them. */
export const gatewayAnswer = (status: number, message: string): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
});

/** What goes out when a function fails, or answers with something API Gateway cannot use. */
export const functionFailed = gatewayAnswer(500, 'Internal Server Error');

const structured = ({ statusCode, headers, cookies, body, isBase64Encoded }: z.infer<typeof Structured>): Answer => {
  const text = body ?? '';
  const lowered = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]);

  return {
    status: statusCode,
    headers: {
      'content-type': 'text/plain;charset=utf-8',
      ...Object.fromEntries(lowered),
      ...(cookies && cookies.length > 0 && { 'set-cookie': cookies }),
    },
    body: isBase64Encoded === true ? Buffer.from(text, 'base64') : text,
  };
};

/** Turns what a function returned into an answer; what has no `statusCode` is itself the body of a 200. */
export const httpApiAnswer = (returned: unknown): Answer => {
  const hasStatus = typeof returned === 'object' && returned !== null && 'statusCode' in returned;
  if (!hasStatus) {
    const body = typeof returned === 'string' ? returned : JSON.stringify(returned ?? null);
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }

  const result = Structured.safeParse(returned);
  return result.success ? structured(result.data) : functionFailed;
};
