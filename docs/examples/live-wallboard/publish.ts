import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';

/** What a client of the AWS SDK signs with: the role of the function, and the region. */
type Signing = Pick<DynamoDBClient['config'], 'credentials' | 'region' | 'sha256'>;

/** Publishes one event on a channel of AppSync Events. Throws unless it was accepted. */
export const publish = async (endpoint: string, channel: string, event: unknown, signing: Signing): Promise<void> => {
  const { host, pathname } = new URL(endpoint);
  const body = JSON.stringify({ channel, events: [JSON.stringify(event)] });
  const { credentials, region, sha256 } = signing;
  const { headers } = await new SignatureV4({ credentials, region, sha256, service: 'appsync' }).sign({
    method: 'POST',
    protocol: 'https:',
    hostname: host,
    path: pathname,
    headers: { host, 'content-type': 'application/json' },
    body,
  });
  const { ok, status } = await fetch(endpoint, { method: 'POST', headers, body, signal: AbortSignal.timeout(5_000) });
  if (!ok) throw new Error(`The channel answered ${status}.`);
};
