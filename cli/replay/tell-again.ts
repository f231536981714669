import { setTimeout as pause } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  TransactionConflictException,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshalled } from '../../functions/adapters/marshalling.ts';
import type { ReplayPorts } from '../../lib/replay/replay.ts';
import type { Deployment } from '../connection/deployment.ts';

const tries = 5;
const pauseMs = 200;

/**
 * Marks a row, unless it is gone or tells of another revision by now, of which the publisher has heard. A delivery that
 * changed nothing does not matter: the event is made of what the row says when it is marked.
 */
export const tellAgain = ({ dynamodb, tables }: Pick<Deployment, 'dynamodb' | 'tables'>): ReplayPorts['tellAgain'] => {
  const mark = async (input: UpdateItemCommandInput, left: number): Promise<'told' | 'gone'> => {
    try {
      await dynamodb.send(new UpdateItemCommand(input));
      return 'told';
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return 'gone';
      // Somebody else's transaction has the row for a moment.
      if (!(error instanceof TransactionConflictException) || left === 0) throw error;
      await pause(pauseMs);
      return mark(input, left - 1);
    }
  };
  return (table, { pk, sk, revision }, replayedAt) => {
    const isSame = revision === undefined ? 'attribute_exists(pk)' : 'revision = :revision';
    const input = {
      TableName: tables[table],
      Key: marshalled({ pk, sk }),
      UpdateExpression: 'SET replayedAt = :replayedAt',
      ConditionExpression: isSame,
      ExpressionAttributeValues: marshalled({ ':replayedAt': replayedAt, ':revision': revision }),
    };
    return mark(input, tries);
  };
};
