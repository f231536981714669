import type { FaultAnswers } from '../faults/faulty.ts';
import { type AwsJson, failure, result } from '../http/aws-json.ts';
import type { Answer } from '../http/serve.ts';

/** The protocol of SQS. */
export const sqs: AwsJson = { version: '1.0', service: 'AmazonSQS', namespace: 'com.amazonaws.sqs' };

/** The account every resource of the sandbox claims to be in. */
export const localAccount = '000000000000';

/** A success. */
export const done = (body: unknown): Answer => result(sqs, body);

/** A refusal: something the caller did. */
export const refuse = (type: string, message: string): Answer => failure(sqs, 400, type, message);

/** SQS's own words for being over a quota, and for a fault on its side. */
export const sqsFaults: FaultAnswers = {
  throttle: refuse('RequestThrottled', 'The request was denied due to request throttling.'),
  error: failure(sqs, 500, 'InternalFailure', 'The request processing has failed because of an unknown error.'),
};
