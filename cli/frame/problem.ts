import { UnreadableRow } from '../../client/index.ts';
import { loggableMessage } from '../../lib/core/result.ts';

/** Ends a command with a message for its user. Exit code 2 means that the command line is wrong. */
export class Problem extends Error {
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

const credentialsAdvice = 'Name a profile with --profile or AWS_PROFILE, or log in with “aws sso login”';

export type Part = 'Athena' | 'CloudFormation' | 'DynamoDB' | 'EventBridge' | 'S3' | 'Secrets Manager' | 'SQS';

export const ofPart = (part: Part, error: unknown): unknown =>
  error instanceof Error ? Object.assign(error, { part }) : error;

/** Whether a part of the deployment failed or denied access. Otherwise it answered, and the answer is wrong. */
export const isOfPart = (error: unknown): boolean => isDenied(error) || (error instanceof Error && 'part' in error);

const unreachable = /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN/;
const noAnswer = /AbortError|TimeoutError/;

/** Explanations of common errors, by the names and messages of the AWS SDK; `…` is the part that failed. */
const knownErrors: readonly (readonly [RegExp, string])[] = [
  [/Region is missing/, 'No AWS region is set: name one with --region or AWS_REGION.'],
  [/CredentialsProviderError|Could not load credentials/, `There are no credentials for AWS. ${credentialsAdvice}.`],
  [
    /ExpiredToken|TokenProviderError|token (?:is|has) expired/i,
    `The credentials for AWS have expired. ${credentialsAdvice}.`,
  ],
  [
    /UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch/,
    `AWS rejected the credentials. ${credentialsAdvice}.`,
  ],
  [/NoSuchBucket/, 'The bucket no longer exists: is this the right --stack?'],
  [/QueueDoesNotExist|NonExistentQueue/, 'The queue no longer exists: is this the right --stack?'],
  [/ResourceNotFoundException/, 'The table or secret no longer exists: is this the right --stack?'],
  [unreachable, '… cannot be reached over the network.'],
  [noAnswer, '… did not answer in time. Nothing is lost: try again.'],
];

/** Whether the client rejected an argument. Its message names no value. */
const isArgumentError = (error: Error): boolean =>
  (error instanceof TypeError || error instanceof RangeError) &&
  /^[a-z][A-Za-z.]*(?:, [a-z][A-Za-z]*)*: expected /.test(error.message);

export const isDenied = (error: unknown): boolean =>
  error instanceof Error && /AccessDenied|UnauthorizedOperation|AuthorizationError/.test(error.name);

/** AWS's message of a denial. It names the missing permission, and holds no data. */
const denial = /^User: (\S+) is not authorized to perform: (\S+)(?: on resource: (\S+))?(?: (.+))?$/;

const notGranted = /^because no identity-based policy allows/;

/** Says a denial without whole ARNs: the name of a role's session is often somebody's address. */
const denialText = (message: string): string => {
  const [, user = '', action, resource = '*', reason = ''] = denial.exec(message) ?? [];
  if (action === undefined) return message;
  const [, role] = /:assumed-role\/([^/]+)/.exec(user) ?? [];
  const who = role === undefined ? 'these credentials' : `the role ${role}`;
  const where = resource === '*' ? '' : ` on ${resource.replace(/^arn(?::[^:]*){4}:/, '')}`;
  const why = reason === '' || notGranted.test(reason) ? '' : ` (${reason})`;
  return `${action}${where} is not allowed for ${who}${why}.`;
};

/** Explains an error to the user. A library's message may hold personal data, so only known kinds are shown. */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  if (!(error instanceof Error)) return new Problem('The command failed for an unknown reason.');

  const own = loggableMessage(error);
  if (own !== undefined) return new Problem(`${own}.`);
  if (error instanceof UnreadableRow) return new Problem(`${error.message}.`);
  if (isArgumentError(error)) return new Problem(`Invalid value: ${error.message}`, 2);
  if (isDenied(error)) return new Problem(`AWS denied access: ${denialText(error.message)}`);
  const part = 'part' in error ? String(error.part) : undefined;
  const [, explanation] = knownErrors.find(([pattern]) => pattern.test(describe(error))) ?? [];
  if (part !== undefined && isFaultOfService(error))
    return new Problem(`${part} failed with ${error.name}, which is a fault of its own: try again later.`);
  const unexplained = `${part ?? 'The command'} failed with ${error.name}. Its message is not shown because it may hold personal data.`;
  return new Problem(explanation?.replace('…', part ?? 'AWS or the sandbox') ?? unexplained);
};

const isFaultOfService = (error: Error): boolean =>
  '$metadata' in error && Number(Object(error.$metadata).httpStatusCode) >= 500;

/** Whether a part is down or denies access, so that the next request to it would most likely fail too. */
export const isDown = (error: unknown): boolean =>
  error instanceof Error &&
  (isDenied(error) ||
    isFaultOfService(error) ||
    [unreachable, noAnswer].some((pattern) => pattern.test(describe(error))));

const describe = (error: Error): string =>
  [error.name, error.message, ...('code' in error ? [String(error.code)] : [])].join(' ');

export type Known<Value> = { readonly value: Value } | { readonly unknown: string };

/** Waits for one of several readings. If it fails, the others are still shown; a wrong command line ends the command. */
export const settled = async <Value>(reading: Promise<Value>): Promise<Known<Value>> => {
  try {
    return { value: await reading };
  } catch (error) {
    const problem = problemOf(error);
    if (problem.exitCode === 2) throw problem;
    return { unknown: problem.message };
  }
};

export const knownValue = <Value>(read: Known<Value> | undefined): Value | undefined =>
  read !== undefined && 'value' in read ? read.value : undefined;
