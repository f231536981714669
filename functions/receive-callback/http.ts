import type { MiddlewareObj } from '@middy/core';
import urlEncodeBodyParser from '@middy/http-urlencode-body-parser';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { isCallbackSecret } from '../../lib/accounts/callback-secret.ts';
import { type Form, hasJson } from '../../lib/callback/parse-envelope.ts';
import { type Reply, rejected, rejectionResponses } from '../../lib/callback/reply.ts';
import { isKeyField } from '../../lib/telephony/posted-fields.ts';
import { decodedBody, queryOf } from './decode-body.ts';

/** With its query, parsed. */
type ReceivedEvent = APIGatewayProxyEventV2 & { query: Form };

const jsonReply = (statusCode: number, body: object): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});

/**
 * What was stored, and where not all was understood the reason, as a word and a sentence. After any status but 200 the
 * service alerts its administrators and, by a setting of its account, posts again.
 */
export const callbackReply = ({ outcome, reason, ...counts }: Reply): APIGatewayProxyStructuredResultV2 => {
  if (reason === undefined) return jsonReply(200, counts);
  const { status, message } = rejectionResponses[reason];
  return jsonReply(outcome === 'rejected' ? status : 200, { ...counts, reason, message });
};

const { headers, ...notAllowed } = callbackReply(rejected('method-not-allowed'));
const methodNotAllowed = { ...notAllowed, headers: { ...headers, allow: 'GET, HEAD, POST' } };

interface RequestSettings {
  readonly secretSha256: string | undefined;
  /** Called for each callback that is rejected here. A request to an unknown address, or by another method, is no callback. */
  readonly onReply: (reply: Reply) => void;
}

/**
 * Any number of slashes separates the parts of a path: people enter the URL with or without one at its end. An address that
 * is not for callbacks can only be checked.
 */
const addressOf = (rawPath: string) => {
  const parts = rawPath.split('/').filter((part) => part !== '');
  const isCallback = parts.at(-1) === 'callDetails';
  const [secret, ...others] = isCallback ? parts.slice(0, -1) : parts;
  return others.length > 0 ? undefined : { secret, isCallback };
};

const isPost = ({ body, query }: ReceivedEvent): boolean =>
  (body ?? '') !== '' || hasJson(query) || Object.keys(query).some(isKeyField);

/**
 * Answers what needs no body. Before the service accepts a callback URL, it sends GET or HEAD, and wants status 200. With
 * content they are treated as a post. Header names become lower case. With a callback secret, a request that passes has sent it.
 */
export const checkRequest = ({
  secretSha256,
  onReply,
}: RequestSettings): MiddlewareObj<ReceivedEvent, APIGatewayProxyStructuredResultV2> => ({
  before: ({ event }) => {
    const { method } = event.requestContext.http;
    const address = addressOf(event.rawPath);
    if (address === undefined) return callbackReply(rejected('not-found'));
    event.query = queryOf(event);
    const isCheck = (method === 'GET' || method === 'HEAD') && !isPost(event);
    if (isCheck) return jsonReply(200, { service: 'callfeed' });
    if (!['GET', 'HEAD', 'POST'].includes(method)) return methodNotAllowed;
    if (!address.isCallback) return callbackReply(rejected('not-found'));

    event.headers = Object.fromEntries(Object.entries(event.headers).map(([name, text]) => [name.toLowerCase(), text]));
    if (secretSha256 === undefined || isCallbackSecret(address.secret ?? '', secretSha256)) return undefined;
    const rejection = rejected('callback-secret-wrong');
    onReply(rejection);
    return callbackReply(rejection);
  },
});

type FormParser = ReturnType<typeof urlEncodeBodyParser<APIGatewayProxyEventV2>>;

/** Decodes the body, once: a form by its parser, anything else as text. */
export const decodeBody = (): FormParser => {
  const { before: parseForm } = urlEncodeBodyParser<APIGatewayProxyEventV2>({ disableContentTypeCheck: true });
  return {
    before: (request) => {
      const { event } = request;
      const { form, text = '' } = decodedBody(event);
      event.body = form ?? text;
      event.isBase64Encoded = false;
      return form === undefined ? undefined : parseForm?.(request);
    },
  };
};
