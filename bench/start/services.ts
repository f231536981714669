import { jsonAnswer, serve } from '../../sandbox/frame/serve.ts';
import { type AwsEndpointSettings, startAwsEndpoint } from '../aws/aws-endpoint.ts';
import { peerAccount } from '../peers/peers.ts';
import { simulatedAgents } from '../simulated-agents.ts';

interface ReceivedRequest {
  readonly operation: string;
  readonly input: unknown;
  readonly atMs: number;
}

interface ServiceSettings extends Pick<AwsEndpointSettings, 'delays'> {
  /** How many agents are logged in. */
  readonly agents?: number;
}

/** The service that the poller asks, and AWS, with delays or without. Neither is under the quota of a function. */
export const startServices = async ({ agents = 100, ...delays }: ServiceSettings = {}) => {
  let asked: readonly ReceivedRequest[] = [];
  const provider = await serve(async ({ path }) => {
    const atMs = performance.timeOrigin + performance.now();
    asked = [...asked, { operation: 'getAgentLogins', input: { url: new URL(path, provider.url).href }, atMs }];
    return jsonAnswer(200, JSON.parse(simulatedAgents(agents).answerText()));
  });
  const account = {
    userName: peerAccount.userName,
    apiKeys: [peerAccount.key],
    timeZone: 'Asia/Kolkata',
    baseUrl: provider.url,
    token: { kind: 'none' },
    // The forwarding function puts a message for it into its queue, and does not post.
    forwardTo: ['https://old.example/callDetails'],
  };
  const aws = await startAwsEndpoint({ secret: JSON.stringify([account]), ...delays });
  return {
    url: aws.url,
    /** The requests since they were taken last, in the order in which they arrived. */
    takeRequests(): readonly ReceivedRequest[] {
      const all = [...aws.takeRequests(), ...asked].sort((a, b) => a.atMs - b.atMs);
      asked = [];
      return all.map(({ operation, input, atMs }) => ({ operation, input, atMs }));
    },
    async close() {
      await aws.close();
      await provider.close();
    },
  };
};
