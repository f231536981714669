import type { FaultAnswers } from '../faults.ts';
import { type AwsJson, failure, result } from '../http/aws-json.ts';
import type { Answer } from '../http/serve.ts';
import type { Queue } from './queue.ts';

export const sqs: AwsJson = { version: '1.0', service: 'AmazonSQS', namespace: 'com.amazonaws.sqs' };

export const success = (body: unknown): Answer => result(sqs, body);

/** An error caused by the caller. */
export const rejection = (type: string, message: string): Answer => failure(sqs, 400, type, message);

/** SQS's errors for throttling and for a fault on its own side. */
export const sqsFaults: FaultAnswers = {
  throttle: rejection('RequestThrottled', 'The request was denied due to request throttling.'),
  error: failure(sqs, 500, 'InternalFailure', 'The request processing has failed because of an unknown error.'),
};

/** Finds a queue by its name. */
export type FindQueue = (name: string) => Queue | undefined;

/** Runs an operation on the queue of a queue URL. If there is none, the answer is an error. */
export const withQueue = (
  queueOf: FindQueue,
  url: string,
  run: (queue: Queue) => Answer | Promise<Answer>,
): Answer | Promise<Answer> => {
  const queue = queueOf(url.slice(url.lastIndexOf('/') + 1));

  return queue === undefined ? rejection('QueueDoesNotExist', 'The specified queue does not exist.') : run(queue);
};

/** SQS's limit in bytes for one message, and for all messages of a batch together. */
export const limitBytes = 1_048_576;

/** SQS's limit for the entries of a batch. */
export const batchLimit = 10;

/** SQS's longest delay: fifteen minutes. */
export const maxDelaySeconds = 900;

// SQS accepts the characters of XML 1.0: tab, line feed, carriage return, and all but surrogates and U+FFFE, U+FFFF.
const notAllowed = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** The error for a body that SQS rejects, as type and message; undefined if SQS accepts the body. */
export const bodyProblem = (body: string): readonly [type: string, message: string] | undefined => {
  if (body === '') return ['MissingParameter', 'The request must contain the parameter MessageBody.'];
  if (Buffer.byteLength(body) > limitBytes)
    return [
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${limitBytes} bytes.`,
    ];
  if (notAllowed.test(body))
    return ['InvalidMessageContents', 'Invalid binary character was found in the message body.'];

  return undefined;
};
