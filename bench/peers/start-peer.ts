import { type AwsEndpointSettings, startAwsEndpoint } from '../aws/aws-endpoint.ts';
import { startLambda } from '../lambda/lambda-process.ts';
import { type BundledFunction, type BundledPeer, peerSecret } from './peers.ts';

/** Starts the functions of a peer with an AWS endpoint of its own, which answers at once unless it gets tables. */
export const startPeer = async ({ receiver, publisher }: BundledPeer, dynamodb?: AwsEndpointSettings['dynamodb']) => {
  const aws = await startAwsEndpoint({ secret: peerSecret, ...(dynamodb && { dynamodb }) });
  const start = ({ folder, environment }: BundledFunction) =>
    startLambda({ folder, environment: environment(aws.url) });
  const receiving = await start(receiver);
  const publishing = publisher && (await start(publisher));
  return {
    aws,
    receiving,
    publishing,
    async stop() {
      await Promise.all([receiving.stop(), publishing?.stop()]);
      await aws.close();
    },
  };
};
