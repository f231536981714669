import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { nothing } from '../../lib/callback/receipt.ts';
import { maxBodyBytes, maxFields, type RefusalReason } from '../../lib/callback/refusal.ts';
import { isCallbackSecret } from '../../lib/callback/secret-hash.ts';
import { refused, reply } from './reply.ts';
import { textOf } from './text-of.ts';

/** What of the address and headers decides before the body is touched. */
export interface RequestSettings {
  /** The hash of the callback secret, in hexadecimal; undefined: the address holds none. */
  readonly secretSha256: string | undefined;
  /** Told of a request that is refused here. */
  readonly onRefused: (reason: RefusalReason) => void;
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
  onRefused,
}: RequestSettings): MiddlewareObj<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2> => ({
  before: ({ event }) => {
    const { method } = event.requestContext.http;
    if (method === 'GET' || method === 'HEAD') return reply(200, { service: 'callfeed' });

    event.headers = Object.fromEntries(Object.entries(event.headers).map(([name, text]) => [name.toLowerCase(), text]));
    const reason = refusalOf(event, secretSha256);
    if (reason === undefined) return undefined;
    onRefused(reason);
    return refused({ reason, ...nothing });
  },
});

const refusalOf = (event: APIGatewayProxyEventV2, secretSha256: string | undefined): RefusalReason | undefined => {
  if (secretSha256 !== undefined && !provesSecret(event, secretSha256)) return 'callback-secret-wrong';
  if (bytesOf(event) > maxBodyBytes) return 'body-too-large';

  const contentType = event.headers['content-type'] ?? '';
  if (isJsonType(contentType)) return undefined;
  if (contentType.trim() !== '' && !formType.test(contentType)) return 'unsupported-content-type';
  // The form parser is stricter about the spaces around a type, and need not decode again what is counted here.
  event.headers['content-type'] = 'application/x-www-form-urlencoded';
  event.body = textOf(event);
  event.isBase64Encoded = false;
  return event.body.split('&').length > maxFields ? 'too-many-fields' : undefined;
};

const bytesOf = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): number =>
  isBase64Encoded ? Math.floor((body.length * 3) / 4) : Buffer.byteLength(body);
