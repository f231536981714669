import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { httpApiEvent } from '../../../test/support/http-api-event.ts';

/** A request before API Gateway has made an event of it. */
export interface Posted {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly body: Buffer | undefined;
  /** What stands in the address where the callback secret belongs. */
  readonly secret?: string | undefined;
  /** How the body reaches the function, if not as API Gateway does it. */
  readonly handedOver?: 'as-text' | 'as-base64' | 'text-called-base64' | 'base64-called-text' | undefined;
}

const handed: Readonly<
  Record<NonNullable<Posted['handedOver']>, (body: Buffer) => Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'>>
> = {
  'as-text': (body) => ({ body: body.toString(), isBase64Encoded: false }),
  'as-base64': (body) => ({ body: body.toString('base64'), isBase64Encoded: true }),
  'text-called-base64': (body) => ({ body: body.toString(), isBase64Encoded: true }),
  'base64-called-text': (body) => ({ body: body.toString('base64'), isBase64Encoded: false }),
};

/** API Gateway hands over text, JSON, XML and JavaScript as text, and everything else as base64. */
const isText = (contentType: string): boolean => /^(text\/|application\/(json|xml|javascript))/.test(contentType);

/** The event of a request. */
export const eventOf = ({ headers, query, body, secret, handedOver }: Posted): APIGatewayProxyEventV2 => {
  const event = httpApiEvent({ headers, query, ...(secret !== undefined && { secret }) });
  if (body === undefined) return { ...event, isBase64Encoded: false };
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return { ...event, ...handed[handedOver ?? (isText(type) ? 'as-text' : 'as-base64')](body) };
};

/** How many bytes were posted. */
export const bytesOf = ({ body, query }: Posted): number => (body?.byteLength ?? 0) + query.length;
