import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientSettings } from '../../../functions/adapters/aws-clients.ts';
import { localClient } from '../../../sandbox/local-client.ts';
import type { WireAnswer, WireRequest } from './wire.ts';

/** What the SDK hands over, as far as it is looked at. */
interface SdkRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The SDK's bytes act as text too, and warn whoever takes them for text: they are taken by their place in memory. */
const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();

/** A client as deployed, which serialises and signs every request, but for the network: `carry` takes them there. */
export const carriedDynamodb = (carry: (request: WireRequest) => Promise<WireAnswer>): DynamoDBClient =>
  new DynamoDBClient({
    ...clientSettings,
    ...localClient('http://dynamodb.invalid'),
    requestHandler: {
      async handle({ headers, body = '' }: SdkRequest) {
        const operation = headers['x-amz-target']?.split('.')[1] ?? '';
        const answer = await carry({ operation, body: textOf(body) });
        const response = {
          statusCode: answer.status,
          headers: { 'content-type': 'application/x-amz-json-1.0' },
          body: Buffer.from(answer.body),
        };
        return { response };
      },
    },
  });
