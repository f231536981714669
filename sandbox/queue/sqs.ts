import type { FaultAnswers } from '../faults.ts';
import { type AwsJson, failure, result } from '../http/aws-json.ts';
import type { Answer } from '../http/serve.ts';
import type { Queue } from './queue.ts';

/** The protocol of SQS. */
export const sqs: AwsJson = { version: '1.0', service: 'AmazonSQS', namespace: 'com.amazonaws.sqs' };

/** A success. */
export const success = (body: unknown): Answer => result(sqs, body);

/** A refusal: something the caller did. */
export const rejection = (type: string, message: string): Answer => failure(sqs, 400, type, message);

/** SQS's own words for being over a quota, and for a fault on its side. */
export const sqsFaults: FaultAnswers = {
  throttle: rejection('RequestThrottled', 'The request was denied due to request throttling.'),
  error: failure(sqs, 500, 'InternalFailure', 'The request processing has failed because of an unknown error.'),
};

/** Finds a queue by its name. */
export type FindQueue = (name: string) => Queue | undefined;

/** Runs an operation on the queue at the end of a queue URL, or says that there is none. */
export const withQueue = (
  queueOf: FindQueue,
  url: string,
  run: (queue: Queue) => Answer | Promise<Answer>,
): Answer | Promise<Answer> => {
  const queue = queueOf(url.slice(url.lastIndexOf('/') + 1));

  return queue === undefined ? rejection('QueueDoesNotExist', 'The specified queue does not exist.') : run(queue);
};

/** One message, and all of a batch together. */
export const limitBytes = 1_048_576;

/** Entries of a batch. */
export const batchLimit = 10;

/** Fifteen minutes. */
export const maxDelaySeconds = 900;

// What SQS takes is what XML 1.0 allows: tab, line feed, carriage return, and all but surrogates and U+FFFE, U+FFFF.
const notAllowed = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** Why SQS refuses a body, as the type of its error and the message; undefined when it takes it. */
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
