import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { FaultAnswers } from '../faults.ts';
import { type AwsJson, failure } from '../http/aws-json.ts';
import type { Answer, Handle } from '../http/serve.ts';

/** Headers that apply to one connection only and are not forwarded. */
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host']);

const endToEnd = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));

/** Forwards every request to `endpoint` unchanged, and returns its answer. */
export const forwardTo = (endpoint: string): Handle & { close(): void } => {
  const agent = new Agent({ keepAlive: true });

  const forward: Handle = ({ method, path, headers, body }) =>
    new Promise<Answer>((resolve, reject) => {
      const outgoing = request(new URL(path, endpoint), { method, agent, headers: endToEnd(headers) }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('end', () =>
          resolve({
            status: incoming.statusCode ?? 502,
            headers: endToEnd(incoming.headers),
            body: Buffer.concat(chunks),
          }),
        );
      });
      outgoing.once('error', reject);
      outgoing.end(body);
    });

  return Object.assign(forward, { close: () => agent.destroy() });
};

const dynamodb: AwsJson = {
  version: '1.0',
  service: 'DynamoDB_20120810',
  namespace: 'com.amazonaws.dynamodb.v20120810',
};

/** DynamoDB's errors for exceeded capacity and for a fault on its own side. */
export const dynamodbFaults: FaultAnswers = {
  throttle: failure(
    dynamodb,
    400,
    'ProvisionedThroughputExceededException',
    'The level of configured provisioned throughput for the table was exceeded.',
  ),
  error: failure(dynamodb, 500, 'InternalServerError', 'Internal server error'),
};
