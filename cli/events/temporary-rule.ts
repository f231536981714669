import {
  DeleteRuleCommand,
  type EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { Problem } from '../problem.ts';

/** Where a queue and a rule of our own are made, and what they are called. */
export interface Place {
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly eventbridge: Pick<EventBridgeClient, 'send'>;
  readonly busName: string;
  /** Of both. */
  readonly name: string;
}

/** Events wait so long at most to be shown: what a killed command leaves behind fills no further. */
export const keptSeconds = 3600;

const targetId = 'queue';

/** What undoes a step, in words for when it cannot be done. */
export interface Undo {
  readonly what: string;
  readonly undo: () => Promise<unknown>;
}

/**
 * Has the bus send the events of a pattern to a queue of our own, step by step; before each step that makes something,
 * `made` is told how to take it away again. Resolves with the queue's address.
 */
export const openRule = async (place: Place, pattern: string, made: (undo: Undo) => void): Promise<string> => {
  const { sqs, eventbridge, busName, name } = place;
  const { QueueUrl } = await sqs.send(
    new CreateQueueCommand({
      QueueName: name,
      Attributes: { MessageRetentionPeriod: String(keptSeconds), SqsManagedSseEnabled: 'true' },
    }),
  );
  made({ what: `queue ${name}`, undo: () => sqs.send(new DeleteQueueCommand({ QueueUrl })) });
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  const queueArn = Attributes?.QueueArn ?? '';

  const rule = { Name: name, EventBusName: busName };
  made({ what: `rule ${name} of the bus ${busName}`, undo: () => eventbridge.send(new DeleteRuleCommand(rule)) });
  const { RuleArn } = await eventbridge.send(
    new PutRuleCommand({
      ...rule,
      EventPattern: pattern,
      Description: 'Of a “callfeed events --follow” that goes on.',
    }),
  );
  await sqs.send(
    new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: policyFor(queueArn, RuleArn ?? '') } }),
  );

  const targets = { Rule: name, EventBusName: busName };
  made({
    what: `target of the rule ${name}`,
    undo: () => eventbridge.send(new RemoveTargetsCommand({ ...targets, Ids: [targetId] })),
  });
  const { FailedEntryCount = 0 } = await eventbridge.send(
    new PutTargetsCommand({ ...targets, Targets: [{ Id: targetId, Arn: queueArn }] }),
  );
  if (FailedEntryCount > 0) throw new Problem('EventBridge did not take the queue as the target of the rule.');
  return QueueUrl ?? '';
};

const policyFor = (queueArn: string, ruleArn: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: queueArn,
        Condition: { ArnEquals: { 'aws:SourceArn': ruleArn } },
      },
    ],
  });
