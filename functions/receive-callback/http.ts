import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { isCallbackSecret } from '../../lib/callback/authenticate-sender.ts';
import { emptyReceipt, type Rejection } from '../../lib/callback/receive-callback.ts';
import { maxBodyBytes, maxFields, type RejectionReason, rejectionResponses } from '../../lib/callback/rejections.ts';

/** What of an event holds its body. */
interface HttpBody {
  readonly body?: unknown;
  readonly isBase64Encoded: boolean;
}

/** The body as it was sent: API Gateway hands over in base64 what is no text by its type, such as a form. */
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

/** The answer to a post that is refused: the reason as a word to test for, and a sentence for the reader. */
export const rejectionReply = ({ reason, ...counts }: Rejection): APIGatewayProxyStructuredResultV2 => {
  const { status, message } = rejectionResponses[reason];
  return reply(status, { error: reason, message, ...counts });
};

/** What of the address and headers decides before the body is touched. */
export interface RequestSettings {
  /** The hash of the callback secret, in hexadecimal; undefined: the address holds none. */
  readonly secretSha256: string | undefined;
  /** Told of a request that is refused here. */
  readonly onRejected: (reason: RejectionReason) => void;
}

const formType = /^application\/x-www-form-urlencoded *(;|$)/i;

/** Whether a content type is JSON, in whatever dress. */
const isJsonType = (contentType: string): boolean => /^(application|text)\/([\w.-]+\+)?json *(;|$)/i.test(contentType);

/** Whether the address holds the callback secret. */
const provesSecret = ({ pathParameters }: APIGatewayProxyEventV2, secretSha256: string): boolean => {
  const sent = pathParameters?.['secret'];
  return sent !== undefined && isCallbackSecret(sent, secretSha256);
};

/**
 * Answers what needs no look at the body. Practice: before an address is accepted it is called with GET or HEAD, and
 * anything but 200 is taken as "invalid URL". Header names are brought to lower case for what follows. Where there is a
 * callback secret, whatever passes has proven it.
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
    onRejected(reason);
    return rejectionReply({ reason, ...emptyReceipt });
  },
});

const rejectionReasonOf = (
  event: APIGatewayProxyEventV2,
  secretSha256: string | undefined,
): RejectionReason | undefined => {
  if (secretSha256 !== undefined && !provesSecret(event, secretSha256)) return 'callback-secret-wrong';
  if (bodyBytes(event) > maxBodyBytes) return 'body-too-large';

  const contentType = event.headers['content-type'] ?? '';
  if (isJsonType(contentType)) return undefined;
  if (contentType.trim() !== '' && !formType.test(contentType)) return 'unsupported-content-type';
  // The form parser is stricter about the spaces around a type, and need not decode again what is counted here.
  event.headers['content-type'] = 'application/x-www-form-urlencoded';
  event.body = bodyText(event);
  event.isBase64Encoded = false;
  return event.body.split('&').length > maxFields ? 'too-many-fields' : undefined;
};

const bodyBytes = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): number =>
  isBase64Encoded ? Math.floor((body.length * 3) / 4) : Buffer.byteLength(body);
