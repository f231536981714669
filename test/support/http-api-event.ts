import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** The parts of a request that a test sets; the rest is as API Gateway sets it. */
export interface Request {
  readonly method?: string;
  readonly path?: string;
  readonly secret?: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

const formType = 'application/x-www-form-urlencoded';

/** API Gateway passes text and JSON as text, and everything else, such as forms, as base64. */
const isText = (contentType: string) => /^(text\/|application\/(json|xml|javascript))/.test(contentType);

/** A request as an HTTP API passes it to a function (payload format 2.0). */
export const httpApiEvent = (request: Request): APIGatewayProxyEventV2 => {
  const { method = 'POST', secret, query = '', headers = { 'content-type': formType }, body } = request;
  const { path: rawPath = secret === undefined ? '/callDetails' : `/${secret}/callDetails` } = request;
  const routeKey = '$default';
  const asText = isText(headers['content-type'] ?? '');
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: query,
    headers,
    requestContext: {
      accountId: '000000000000',
      apiId: 'api',
      domainName: 'api.invalid',
      domainPrefix: 'api',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' },
      requestId: 'request',
      routeKey,
      stage: '$default',
      time: '20/Nov/2026:06:00:00 +0000',
      timeEpoch: 1_795_154_400_000,
    },
    ...(body !== undefined && { body: asText ? body.toString() : Buffer.from(body).toString('base64') }),
    isBase64Encoded: body !== undefined && !asText,
  };
};

/** The body of the service's posts: one form field `data`. */
export const formOf = (data: unknown): string =>
  `data=${encodeURIComponent(typeof data === 'string' ? data : JSON.stringify(data))}`;
