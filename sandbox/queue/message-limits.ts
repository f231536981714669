/** One message, and all of a batch together. */
export const limitBytes = 1_048_576;

/** Entries of a batch. */
export const batchLimit = 10;

/** Fifteen minutes. */
export const longestDelaySeconds = 900;

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
