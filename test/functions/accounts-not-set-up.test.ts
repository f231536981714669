import { describe, expect, it } from 'vitest';
import { accountsPlaceholder } from '../../lib/account/placeholder.ts';
import { specificationSummary } from '../fixtures/call-summaries.ts';
import { type Aws, deployedFunction, linesOf } from '../support/deployed-function.ts';
import { formOf, httpApiEvent } from '../support/http-api-event.ts';

const fromSecret = { CALLFEED_ACCOUNTS: undefined, ACCOUNTS_SECRET_ARN: 'arn:aws:secretsmanager:x:1:secret:accounts' };

/** Secrets Manager with this text, and nothing else of AWS: whatever is written fails. */
const secretOf =
  (text: string | undefined): Aws =>
  (operation) =>
    operation === 'GetSecretValue' && text !== undefined ? { SecretString: text } : undefined;

const functions = [
  ['receive-callback', () => httpApiEvent({ body: formOf(specificationSummary) })],
  [
    'poll-agents',
    () => ({ Records: [{ messageId: '1', body: 'tick', attributes: { SentTimestamp: String(Date.now()) } }] }),
  ],
] as const;

/** Runs a function with this text in the secret, and gives its answer and the lines that it wrote. */
const run = async (name: 'receive-callback' | 'poll-agents', text: string | undefined) => {
  const { invoke, output } = await deployedFunction(name, secretOf(text), { ...fromSecret, DEPLOYMENT: 'callfeed-x' });
  const event = functions.find(([candidate]) => candidate === name)?.[1]();
  const answer = await invoke(event);
  return { answer, output: output(), lines: linesOf(output()) };
};

const errorsIn = (lines: readonly Readonly<Record<string, unknown>>[]) =>
  lines.filter(({ level }) => level === 'error');

describe.each(functions)('%s, as deployed', (name) => {
  it('says in one line, of a secret that nobody has filled in, what to do', async () => {
    const { lines, output } = await run(name, accountsPlaceholder);

    expect(errorsIn(lines)).toEqual([
      {
        level: 'error',
        time: expect.any(String),
        function: name,
        where: 'accounts',
        message: 'Something outside failed',
        error: 'AccountsNotSetUp',
        detail:
          'The accounts’ secret still holds its placeholder: put the JSON list of accounts into it (README, “Deploy”)',
      },
    ]);
    expect(output).not.toMatch(/ {4}at |stack|node:internal/);
  });

  it('names the faulty field of a malformed secret, and no value in it', async () => {
    const { lines, output } = await run(name, '[{"userName": "Sentinel", "apiKeys": "Sentinel"}]');

    expect(errorsIn(lines)).toMatchObject([{ where: 'accounts', detail: expect.stringContaining('[0].apiKeys: ') }]);
    expect(output).not.toMatch(/Sentinel| {4}at /);
  });

  it.each([
    ['that nobody has filled in', accountsPlaceholder],
    ['that is malformed', '[{}]'],
    ['that cannot be read', undefined],
  ])('counts a secret %s, for its deployment', async (_title, text) => {
    const { lines } = await run(name, text);

    expect(lines.filter(({ _aws }) => _aws !== undefined)).toMatchObject([
      { deployment: 'callfeed-x', function: name, AccountsUnreadable: 1 },
    ]);
  });
});

describe('receive-callback, as deployed', () => {
  it.each([
    [
      'accounts-not-set-up',
      accountsPlaceholder,
      /^This deployment has no accounts yet: put their JSON list .* again\.$/,
    ],
    ['accounts-unavailable', '[{}]', /send this again later\.$/],
    ['accounts-unavailable', undefined, /send this again later\.$/],
  ])('answers 503 with a reason and what to do: %s', async (error, text, message) => {
    const { answer } = await run('receive-callback', text);
    const { statusCode, body } = Object(answer);

    expect(statusCode).toBe(503);
    expect(JSON.parse(body)).toEqual({
      error,
      message: expect.stringMatching(message),
      stored: 0,
      duplicates: 0,
      quarantined: 0,
    });
  });
});

describe('poll-agents, as deployed', () => {
  it.each([accountsPlaceholder, '[{}]', undefined])('ends well, and asks for no tick again: %j', async (text) => {
    expect((await run('poll-agents', text)).answer).toEqual({ batchItemFailures: [] });
  });
});
