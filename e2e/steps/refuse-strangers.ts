import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { region } from '../cloud/clients.ts';
import { same } from '../runner/facts.ts';

/** Whoever has no right is refused: only so does a step that succeeds show that the deployed roles are wide enough. */
export const refuseStrangers = async (endpoint: string): Promise<void> => {
  const stranger = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'nobody' };
  const client = new SQSClient({ endpoint, region, credentials: stranger });

  const answer = await client.send(new ListQueuesCommand()).then(
    () => 'taken',
    (error: unknown) => (error instanceof Error ? error.name : error),
  );
  same('What a request with a key that nobody has comes to', answer, 'InvalidClientTokenId');
};
