import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { isCallbackSecret } from '../../lib/callback/authenticate-sender.ts';
import { type Acceptance, discarded, type Rejection } from '../../lib/callback/receipt.ts';
import { maxBodyBytes, maxFields, type RejectionReason, rejectionResponses } from '../../lib/callback/rejections.ts';

/** The body of an event. */
interface HttpBody {
  readonly body?: unknown;
  readonly isBase64Encoded: boolean;
}

/** The body as it was sent. API Gateway encodes in base64 whatever is not text by its type, such as a form. */
export const bodyText = ({ body, isBase64Encoded }: HttpBody): string => {
  const text = typeof body === 'string' ? body : '';
  return isBase64Encoded ? Buffer.from(text, 'base64').toString() : text;
};

/** A JSON answer. */
export const reply = (statusCode: number, body: object): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});

/**
 * The answer to a post: what was stored and, where it was not fully understood, the reason as a word for programs and a
 * sentence for people. Practice: a sender that is answered anything but 200 posts again and alerts its administrators.
 */
export const callbackReply = ({
  reason,
  isAcknowledged,
  ...counts
}: Acceptance & Pick<Rejection, 'isAcknowledged'>): APIGatewayProxyStructuredResultV2 => {
  if (reason === undefined) return reply(200, counts);
  const { status, message } = rejectionResponses[reason];
  return reply(isAcknowledged ? 200 : status, { ...counts, reason, message });
};

/** The settings of `checkRequest`. */
export interface RequestSettings {
  /** The hashes of the callback secrets, in hexadecimal; undefined if the deployment has no secret. */
  readonly secretSha256: string | undefined;
  /** Called for each request that is rejected. */
  readonly onRejected: (rejection: Rejection) => void;
}

const formType = /^application\/x-www-form-urlencoded *(;|$)/i;

/** Whether a content type is JSON, such as `application/json`, `text/json` or `application/problem+json`. */
const isJsonType = (contentType: string): boolean => /^(application|text)\/([\w.-]+\+)?json *(;|$)/i.test(contentType);

/** Whether the path has a callback secret. */
const hasSecret = ({ pathParameters }: APIGatewayProxyEventV2, secretSha256: string): boolean => {
  const sent = pathParameters?.['secret'];
  return sent !== undefined && isCallbackSecret(sent, secretSha256);
};

/**
 * Answers requests that can be decided without parsing the body. Practice: before the service accepts a callback URL, it
 * sends GET or HEAD, and reports "invalid URL" unless the status is 200. Header names become lower case for the following
 * middleware. If the deployment has a callback secret, every request that passes has sent it.
 */
export const checkRequest = ({
  secretSha256,
  onRejected,
}: RequestSettings): MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2> => ({
  before: ({ event }) => {
    const { method } = event.requestContext.http;
    if (method === 'GET' || method === 'HEAD') return reply(200, { service: 'callfeed' });

    event.headers = Object.fromEntries(Object.entries(event.headers).map(([name, text]) => [name.toLowerCase(), text]));
    const reason = rejectionReasonOf(event, secretSha256);
    if (reason === undefined) return undefined;
    const rejection = discarded(reason);
    onRejected(rejection);
    return callbackReply(rejection);
  },
});

const rejectionReasonOf = (
  event: APIGatewayProxyEventV2,
  secretSha256: string | undefined,
): RejectionReason | undefined => {
  if (secretSha256 !== undefined && !hasSecret(event, secretSha256)) return 'callback-secret-wrong';
  if (bodyBytes(event) > maxBodyBytes) return 'body-too-large';

  const contentType = event.headers['content-type'] ?? '';
  if (isJsonType(contentType)) return undefined;
  if (contentType.trim() !== '' && !formType.test(contentType)) return 'unsupported-content-type';
  // The form parser is stricter about spaces around the type. The body is decoded once, here, to count its fields.
  event.headers['content-type'] = 'application/x-www-form-urlencoded';
  event.body = bodyText(event);
  event.isBase64Encoded = false;
  return event.body.split('&').length > maxFields ? 'too-many-fields' : undefined;
};

const bodyBytes = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): number =>
  isBase64Encoded ? Math.floor((body.length * 3) / 4) : Buffer.byteLength(body);
