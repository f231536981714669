import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { localAccount } from '../queue/sqs.ts';
import { gatewayTime } from './gateway-time.ts';
import { httpApiBody } from './http-api-body.ts';
import type { Route } from './route.ts';

/** A request as it arrived, its body read. */
export interface GatewayRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly httpVersion: string;
  readonly headers: IncomingHttpHeaders;
  readonly sourceIp: string;
  readonly body: Buffer;
}

const joined = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name === 'cookie' ? [] : [[name, Array.isArray(value) ? value.join(',') : value]],
    ),
  );

const queryOf = (rawQueryString: string): Record<string, string> => {
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    const earlier = query.get(name);
    query.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  return Object.fromEntries(query);
};

/** The request in the shape in which an HTTP API hands it to a function (payload format 2.0). */
export const httpApiEvent = (request: GatewayRequest, route: Route, now: Date): APIGatewayProxyEventV2 => {
  const { method, url, headers, sourceIp } = request;
  const [rawPath = '/', ...query] = url.split('?');
  const rawQueryString = query.join('?');
  const domainName = headers.host?.replace(/:\d+$/, '') ?? 'localhost';

  return {
    version: '2.0',
    routeKey: route.key,
    rawPath,
    rawQueryString,
    ...(headers.cookie !== undefined && { cookies: headers.cookie.split(/;\s*/) }),
    headers: { ...joined(headers), 'x-forwarded-for': sourceIp, 'x-forwarded-proto': 'http' },
    ...(rawQueryString !== '' && { queryStringParameters: queryOf(rawQueryString) }),
    ...(Object.keys(route.parameters).length > 0 && { pathParameters: { ...route.parameters } }),
    requestContext: {
      accountId: localAccount,
      apiId: 'sandbox',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? domainName,
      http: {
        method,
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: route.key,
      stage: '$default',
      time: gatewayTime(now),
      timeEpoch: now.getTime(),
    },
    ...httpApiBody(request.body, headers['content-type']),
  };
};
