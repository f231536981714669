import { UnreadableRow } from '../lib/client/index.ts';
import { loggableMessage } from '../lib/core/result.ts';

/** Ends a command with a sentence for its user. Exit code 2 means that the command itself was wrong. */
export class Problem extends Error {
  readonly exitCode: 1 | 2;

  constructor(sentence: string, exitCode: 1 | 2 = 1) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

const credentials = 'Name some with --profile or AWS_PROFILE, or log in with “aws sso login”';

/** What is behind the errors that users meet, by how the AWS SDK names or words them. */
const knownErrors: readonly (readonly [RegExp, string])[] = [
  [/Region is missing/, 'AWS has no region to go to: name one with --region or AWS_REGION.'],
  [/CredentialsProviderError|Could not load credentials/, `There are no credentials for AWS. ${credentials}.`],
  [
    /ExpiredToken|TokenProviderError|token (?:is|has) expired/i,
    `The credentials for AWS have expired. ${credentials}.`,
  ],
  [
    /UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch/,
    `AWS takes no such credentials. ${credentials}.`,
  ],
  [/QueueDoesNotExist|NonExistentQueue/, 'The queue is not there any more: is this the right --stack?'],
  [/ResourceNotFoundException/, 'The table or secret is not there any more: is this the right --stack?'],
  [/ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN/, 'It cannot be reached over the network.'],
  [/AbortError|TimeoutError/, 'It did not answer in time; nothing is lost, so try again.'],
];

/** What the client says of an argument, which was typed; it repeats no value. */
const isArgumentError = (error: Error): boolean =>
  (error instanceof TypeError || error instanceof RangeError) &&
  /^[a-z][A-Za-z.]*(?:, [a-z][A-Za-z]*)*: expected /.test(error.message);

/** AWS's own sentence says who lacks which right on what, and nothing of what is in it. */
const accessDenied = /AccessDenied|UnauthorizedOperation|AuthorizationError/;

/**
 * What an error means for whoever ran the command, in a sentence or two. A library's message may hold data, so it is shown
 * only where its kind is known not to.
 */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return new Problem('Something failed that says nothing of itself.');

  const own = loggableMessage(error);
  if (own !== undefined) return new Problem(`${own}.`);
  if (error instanceof UnreadableRow) return new Problem(`${error.message}.`);
  if (isArgumentError(error)) return new Problem(`Wrong: ${error.message}`, 2);
  if (accessDenied.test(error.name)) return new Problem(`AWS refused it: ${error.message}`);
  const [, sentence] = knownErrors.find(([pattern]) => pattern.test(describe(error))) ?? [];
  return new Problem(sentence ?? `It failed with ${error.name}, of which nothing more is told as it may hold data.`);
};

const describe = (error: Error): string =>
  [error.name, error.message, ...('code' in error ? [String(error.code)] : [])].join(' ');
