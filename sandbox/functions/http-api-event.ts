import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { mapValues } from '../../lib/core/collections.ts';
import { localAccount } from '../frame/local-aws.ts';

interface GatewayRequest {
  readonly method: string;
  readonly url: string;
  readonly httpVersion: string;
  readonly headers: IncomingHttpHeaders;
  readonly sourceIp: string;
  readonly body: Buffer;
}

const routeKey = '$default';

/** A request as API Gateway hands it to the function of an HTTP API (payload format 2.0). */
export const httpApiEvent = (request: GatewayRequest, now: Date): APIGatewayProxyEventV2 => {
  const { method, url, headers, sourceIp } = request;
  const [path = '/', ...query] = url.split('?');
  const rawPath = decoded(path);
  const rawQueryString = query.join('?');
  const domainName = headers.host?.replace(/:\d+$/, '') ?? 'localhost';
  const protocol = `HTTP/${request.httpVersion}`;

  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString,
    ...(headers.cookie !== undefined && { cookies: headers.cookie.split(/;\s*/) }),
    headers: { ...joined(headers), 'x-forwarded-for': sourceIp, 'x-forwarded-proto': 'http' },
    ...(rawQueryString !== '' && { queryStringParameters: queryOf(rawQueryString) }),
    requestContext: {
      accountId: localAccount,
      apiId: 'sandbox',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? domainName,
      http: { method, path: rawPath, protocol, sourceIp, userAgent: headers['user-agent'] ?? '' },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: gatewayTime(now),
      timeEpoch: now.getTime(),
    },
    ...httpApiBody(request.body, headers['content-type']),
  };
};

/** Decodes a path as an HTTP API does: every escape except that of a percent sign. */
const decoded = (path: string): string =>
  path.replace(/(?:%(?!25)[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());

const joined = ({ cookie: _, ...headers }: IncomingHttpHeaders): Record<string, string> =>
  mapValues(headers, (value) => [value].flat().join(','));

const queryOf = (rawQueryString: string): Record<string, string> => {
  const byName = Map.groupBy(new URLSearchParams(rawQueryString), ([name]) => name);
  return Object.fromEntries([...byName].map(([name, same]) => [name, same.map(([, value]) => value).join(',')]));
};

const textual = /^(?:text\/.*|application\/(?:json|xml|javascript))$/i;

/** The body as an HTTP API hands it to the function: text for a few types, base64 for all others, including forms. */
const httpApiBody = (body: Buffer, contentType = ''): { readonly body?: string; readonly isBase64Encoded: boolean } => {
  if (body.length === 0) return { isBase64Encoded: false };

  const [mediaType = ''] = contentType.split(';');
  const isText = textual.test(mediaType.trim());
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
};

/** An instant in the format of `requestContext.time`, such as `21/Nov/2026:09:05:00 +0000`. */
const gatewayTime = (instant: Date): string => {
  const [, day, month, year, time] = instant.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
};
