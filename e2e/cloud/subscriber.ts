import { PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { Clients } from './clients.ts';
import type { Outputs } from './deployment.ts';

const Event = z.object({
  id: z.string(),
  source: z.string(),
  'detail-type': z.string(),
  detail: z.looseObject({ id: z.string() }),
});

/** An event as the bus hands it over. */
export type Event = Readonly<z.infer<typeof Event>>;

/** Another team's queue behind the deployed bus. */
export interface Subscriber {
  /** Every event that has come so far, in the order in which they came. */
  readonly events: () => Promise<readonly Event[]>;
}

const mayDeliver = (queueArn: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: queueArn,
      },
    ],
  });

/** Subscribes as README says, by the source, which is written out here as any subscriber has to. */
export const subscribe = async ({ sqs, eventBridge }: Clients, { BusName }: Outputs): Promise<Subscriber> => {
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'another-team' }));
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  const queueArn = Attributes?.['QueueArn'] ?? '';
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: mayDeliver(queueArn) } }));

  const rule = { Name: 'another-team', EventBusName: BusName };
  await eventBridge.send(new PutRuleCommand({ ...rule, EventPattern: JSON.stringify({ source: ['callfeed'] }) }));
  await eventBridge.send(
    new PutTargetsCommand({ Rule: rule.Name, EventBusName: BusName, Targets: [{ Id: 'queue', Arn: queueArn }] }),
  );

  const events: Event[] = [];
  return {
    async events() {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
      for (const { Body = '', ReceiptHandle } of Messages) {
        events.push(Event.parse(JSON.parse(Body)));
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
      return [...events];
    },
  };
};
