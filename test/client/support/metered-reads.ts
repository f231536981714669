import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';

/** What a request asked, and what DynamoDB said of it. */
export interface MeteredRead {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly count: number | undefined;
}

type Command = { readonly input: object };
type Answer = { readonly Count?: number; readonly ScannedCount?: number };
type Send = (command: Command, ...rest: never[]) => Promise<Answer>;

/**
 * Lets reads through to a real client and notes them. Whatever is asked must read no more than it returns. `onAnswer` may
 * do something before an answer reaches who asked.
 */
export const meteredReads = (real: DynamoDBClient, onAnswer: () => Promise<void> = async () => undefined) => {
  const sent: MeteredRead[] = [];
  const send = async (command: Command, ...rest: never[]) => {
    const answer = await (real.send as unknown as Send).call(real, command, ...rest);
    const { Count: count, ScannedCount } = answer;
    expect(ScannedCount).toBe(count);
    expect(command.input).not.toHaveProperty('FilterExpression');
    sent.push({ name: command.constructor.name.replace('Command', ''), input: { ...command.input }, count });
    await onAnswer();
    return answer;
  };
  return {
    dynamodb: { send } as unknown as Pick<DynamoDBClient, 'send'>,
    /** The requests since this was asked last. */
    taken: () => sent.splice(0),
  };
};
