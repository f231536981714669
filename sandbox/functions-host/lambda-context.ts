import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { localRegion } from '../local-client.ts';
import { localAccount } from '../queue/sqs.ts';

/** What Lambda hands to a function beside the event. */
export const lambdaContext = (functionName: string, timeoutMilliseconds: number, startedAt = Date.now()): Context => ({
  callbackWaitsForEmptyEventLoop: true,
  functionName,
  functionVersion: '$LATEST',
  invokedFunctionArn: `arn:aws:lambda:${localRegion}:${localAccount}:function:${functionName}`,
  memoryLimitInMB: '512',
  awsRequestId: randomUUID(),
  logGroupName: `/aws/lambda/${functionName}`,
  logStreamName: 'sandbox',
  getRemainingTimeInMillis: () => Math.max(0, startedAt + timeoutMilliseconds - Date.now()),
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
});
