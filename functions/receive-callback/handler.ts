import middy from '@middy/core';
import urlEncodeBodyParser from '@middy/http-urlencode-body-parser';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { Form } from '../../lib/callback/form.ts';
import type { Posted } from '../../lib/callback/open-envelope.ts';
import type { Receipt } from '../../lib/callback/receipt.ts';
import type { RefusalReason } from '../../lib/callback/refusal.ts';
import { tellRefused, tellTaken } from '../../lib/callback/tell-post.ts';
import type { ReceiveCallback } from '../../lib/receive-callback.ts';
import type { BufferedTelemetry } from '../adapters/json-telemetry.ts';
import { checkRequest } from './check-request.ts';
import { refused, reply } from './reply.ts';
import { textOf } from './text-of.ts';

interface Services {
  readonly receive: ReceiveCallback;
  readonly telemetry: BufferedTelemetry;
  readonly secretSha256: string | undefined;
}

/** API Gateway in, the receiver, and its answer out. */
export const createHandler = ({ receive, telemetry, secretSha256 }: Services) => {
  const onRefused = (reason: RefusalReason, counts?: Receipt) => {
    tellRefused(telemetry, reason, counts);
    telemetry.log({ level: 'info', message: 'Callback refused', reason, ...(counts && { records: { ...counts } }) });
  };

  return middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>({ requestEnd: telemetry.flush })
    .use(checkRequest({ secretSha256, onRefused }))
    .use(urlEncodeBodyParser({ disableContentTypeError: true }))
    .handler(async (event) => {
      const result = await receive({ ...postedIn(event), secretProven: secretSha256 !== undefined });
      const { stored, duplicates, quarantined, parked = 0 } = result.ok ? result.value : result.problem;
      const records = { stored, duplicates, quarantined, parked };
      if (!result.ok) {
        onRefused(result.problem.reason, records);
        return refused(result.problem);
      }
      tellTaken(telemetry, records);
      telemetry.log({ level: 'info', message: 'Callback taken', records });
      return reply(200, result.value);
    });
};

const postedIn = (event: {
  readonly body?: unknown;
  readonly rawQueryString: string;
  readonly isBase64Encoded: boolean;
}): Posted => {
  const form = Form.safeParse(event.body);
  const content = form.success ? { form: form.data } : { json: textOf(event) };
  return { content, query: queryOf(event.rawQueryString) };
};

/** API Gateway joins repeated parameters with commas; only the raw query still shows that there were two. */
const queryOf = (rawQueryString: string) =>
  Object.fromEntries(
    [...Map.groupBy(new URLSearchParams(rawQueryString), ([name]) => name)].map(([name, pairs]) => [
      name,
      pairs.map(([, value]) => value),
    ]),
  );
