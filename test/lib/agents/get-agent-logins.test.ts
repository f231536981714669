import { describe, expect, it } from 'vitest';
import type { PolledAccount } from '../../../lib/accounts/accounts.ts';
import { getAgentLogins, loginsRequest, parseAgentLogins } from '../../../lib/agents/get-agent-logins.ts';
import { ok } from '../../../lib/core/result.ts';
import type { ServiceProblem } from '../../../lib/service/service.ts';
import {
  answer,
  deployment,
  errorAnswer,
  noAnswer,
  type ServiceAnswer,
  success,
  threeAgents,
  tokenAnswer,
} from '../../deployment/index.ts';
import {
  polledAccount,
  sentinelKey,
  sentinelToken,
  specificationLogins,
  tokenAccount,
} from '../../fixtures/accounts.ts';

const polled = polledAccount as never;

it('the request for logins has the form of the specification, with the first live key', () => {
  expect(loginsRequest(polled, 'the-token')).toEqual({
    url: 'https://service.invalid/ca_apis/getAgentLogins',
    headers: { apiKey: sentinelKey, Authorization: 'Bearer the-token' },
    body: '{"userName":"demo"}',
  });
});

it.each([
  ['abc', 'Bearer abc'],
  ['Bearer abc', 'Bearer abc'],
  ['bearer abc', 'bearer abc'],
  ['Bearerabc', 'Bearer Bearerabc'],
  ['my bearer abc', 'Bearer my bearer abc'],
  // The account needs none.
  [undefined, undefined],
])('the request for logins has the token %s with its scheme once', (token, Authorization) => {
  expect(loginsRequest(polled, token).headers).toEqual({ apiKey: sentinelKey, ...(token && { Authorization }) });
});

it.each([
  ['https://service.invalid/', 'https://service.invalid/ca_apis/getAgentLogins'],
  ['https://service.invalid//', 'https://service.invalid/ca_apis/getAgentLogins'],
  ['https://service.invalid/in/', 'https://service.invalid/in/ca_apis/getAgentLogins'],
])('the request for logins joins the address %s and the path', (baseUrl, url) => {
  expect(loginsRequest({ ...polledAccount, baseUrl } as never, undefined).url).toBe(url);
});

const account: PolledAccount = {
  ...(polledAccount as never as PolledAccount),
  apiKeys: ['a "key" of the account', 'another-live-key'],
};

describe('getAgentLogins', () => {
  const fetched = (text: string, token?: string, changes: Partial<PolledAccount> = {}) =>
    getAgentLogins({ post: async () => ok({ status: 200, text }) }, { ...account, ...changes }, token);

  it('redacts keys and tokens that the service echoes', async () => {
    const message = [
      { AgentId: 'asha', AgentName: `${account.apiKeys.join(' ')} a-bearer-token`, AgentState: 'READY' },
    ];

    expect(await fetched(JSON.stringify({ status: 'success', message }), 'a-bearer-token')).toMatchObject({
      ok: true,
      value: { agents: [{ agentId: 'asha', name: '*** *** ***' }] },
    });
  });

  it.each([
    ['in escapes', 'a-bearer-token', '\\u0061-bearer\\u002Dtoken'],
    ['with the slash escaped', 'a/bearer/token', 'a\\/bearer\\/token'],
    ['without its scheme', 'Bearer a-bearer-token', 'a-bearer-token'],
    ['without its scheme and two spaces', 'bearer  a-bearer-token', 'a-bearer-token'],
  ])('redacts a token that is echoed %s', async (_title, token, echoed) => {
    const text = `{"status":"success","message":[{"AgentId":"asha","AgentName":"x ${echoed}","AgentState":"READY"}]}`;

    expect(await fetched(text, token)).toMatchObject({ ok: true, value: { agents: [{ name: 'x ***' }] } });
  });

  it.each(['', 'another-live-key '])('knows the states that the account’s settings add, after “%s”', async (echoed) => {
    const text = `{"status":"success","message":[{"AgentId":"asha","AgentName":"${echoed}x","AgentState":"Training"}]}`;
    const words = { state: { TRAINING: 'aux' } };

    expect(await fetched(text)).toMatchObject({ value: { agents: [{ state: 'unknown' }] } });
    expect(await fetched(text, undefined, { words })).toMatchObject({
      value: { agents: [{ state: 'aux', stateAsSent: 'Training' }] },
    });
  });

  it('parses an answer whose status is an object with a toString', async () => {
    const text = '{"status":{"toString":"x"},"message":[{"AgentId":"asha","AgentState":"READY"}]}';

    expect(await fetched(text)).toMatchObject({ ok: true, value: { agents: [{ agentId: 'asha' }] } });
  });
});

const asha = { AgentId: 'asha', AgentState: 'READY' };
const deep = JSON.parse(`${'['.repeat(99)}${']'.repeat(99)}`);

/** The ids of the logged-in agents, or why the poll failed. */
const outcomeOf = (answered: ServiceAnswer): readonly string[] | ServiceProblem => {
  const logins = answered.ok ? parseAgentLogins(answered.value) : answered;
  return logins.ok ? logins.value.agents.map(({ agentId }) => agentId) : logins.problem.reason;
};

const allAgents = ['asha', 'meera', 'ravi'];
const logins: readonly object[] = specificationLogins;
const json = JSON.stringify({ status: 'success', message: logins });

/** The errors of the specification, which does not define their HTTP status. */
const specifiedErrors = [
  ['userName should not be empty', 'rejected'],
  ['apiKey should not be empty', 'rejected'],
  ['userName or apiKey is Invalid', 'unauthorised'],
  ['Max limit exceeded', 'rate-limited'],
] as const;

it.each(specifiedErrors)('the error “%s” of the specification has its reason, with any status', (message, reason) => {
  for (const status of [200, 400, 404, 500, 503]) expect(outcomeOf(errorAnswer(message, status))).toBe(reason);
  expect(outcomeOf(errorAnswer(` ${message.toUpperCase()}. `))).toBe(reason);
});

/** The word "success", and the records in `details`. */
const withDetails = (details: unknown) => answer({ status: 'success', message: 'success', details });

/** What error texts are about. Each counts with HTTP 200 and 400, in any letter case. */
const errorTexts: Partial<Record<ServiceProblem, readonly string[]>> = {
  'rate-limited': [
    ...['API rate limit hit. Please try after 1 minute', 'Rate limited'],
    ...['You were rate limited by the gateway', 'Requests are limited to 5 per minute', 'RateLimitExceeded'],
    ...['You have reached your request quota', 'Too many calls in a minute', 'Request was throttled'],
    ...['Throttling: Rate exceeded', 'Maximum API hits reached', 'Allowed requests exceeded, please wait'],
    ...['Token limit exceeded', 'You have exceeded 5 requests per minute with this apiKey'],
  ],
  unauthorised: [
    ...['Missing userName or apiKey', 'Invalid userName', 'user_name is wrong', 'API key not found'],
    ...['apikey is inactive', 'The token has been revoked', 'Token is not valid', 'Incorrect password'],
    ...['userName and apiKey do not match', 'Unknown user name', 'Authentication failed', 'Token expired'],
    ...['Unauthorized access', 'Invalid API key', 'Your credentials have expired'],
    ...['Authorization has failed', 'User is not authorized'],
  ],
  'unknown-error': [
    ...['Internal Server Error', 'Access is not allowed from your IP', 'Your address is not whitelisted'],
    ...['Access is limited to allowed IP addresses', 'Limited access', 'Service Temporarily Unavailable'],
    ...['Database connection failed', 'Unlimited plan needed', 'Please try again later'],
    ...['Invalid Json Pass Valid Json', 'Token service is not available'],
    ...['Something is wrong', 'Invalid request', 'Token service is busy'],
    ...['Something went wrong while reading the token', 'fromDate should not be empty', 'Keyboard not found'],
  ],
};

describe('an error text', () => {
  it.each(Object.entries(errorTexts).flatMap(([reason, texts]) => texts.map((message) => [message, reason] as const)))(
    'says what is wrong: %s: %s',
    (message, reason) => {
      expect(outcomeOf(errorAnswer(message))).toBe(reason);
      expect(outcomeOf(errorAnswer(message.toUpperCase()))).toBe(reason);
      expect(outcomeOf(errorAnswer(message, 400))).toBe(reason === 'unknown-error' ? 'http-error' : reason);
    },
  );

  it('beside logged-in agents reports no problem, and without them logs nobody out', () => {
    const success = { status: 'success', message: 'API hits left: 3, the limit is 5' };

    expect(outcomeOf(answer({ ...success, details: logins }))).toEqual(allAgents);
    expect(outcomeOf(answer({ ...success, details: [] }))).toBe('rate-limited');
    expect(outcomeOf(answer({ ...success, status: 'error', details: logins }))).toBe('rate-limited');
  });
});

/** What clients of the service have met, and what any client may meet. */
const failures: readonly (readonly [string, ServiceAnswer, ServiceProblem])[] = [
  ['200 with a text and status "false"', answer({ status: 'false', message: 'Something is wrong' }), 'unknown-error'],
  ['401 with status "false"', answer({ status: 'false', message: 'Token is missing' }, 401), 'unauthorised'],
  ['401 without a body', answer('', 401), 'unauthorised'],
  ['401 with records', answer({ status: 'success', message: logins }, 401), 'unauthorised'],
  ['403', answer({ status: 'error', message: 'Forbidden' }, 403), 'unauthorised'],
  ['403 without a text', answer('', 403), 'unauthorised'],
  ['403 with a text about the token', errorAnswer('This token is for another account', 403), 'unauthorised'],
  ['403 with a text about an address', errorAnswer('You are not allowed from your IP', 403), 'unknown-error'],
  ['403 with records', answer({ status: 'success', message: logins }, 403), 'unauthorised'],
  ['429', errorAnswer('Max limit exceeded', 429), 'rate-limited'],
  ['200 with an error text that is no JSON', answer('Max limit exceeded'), 'rate-limited'],
  ['200 with an error text under another name', answer({ error: 'API rate limit hit' }), 'rate-limited'],
  ['the same beside a message that is no text', answer({ message: null, error: 'Internal error' }), 'unknown-error'],
  ['429 without JSON', answer('Too Many Requests', 429), 'rate-limited'],
  ['429 with records', answer({ status: 'success', message: logins }, 429), 'rate-limited'],
  ['the rate limit with status 500', errorAnswer('Max limit exceeded', 500), 'rate-limited'],
  ['405 without JSON', answer('Method Not Allowed', 405), 'http-error'],
  ['404 as a page', answer('<h1>Not Found</h1>', 404), 'http-error'],
  ['500 with an error text', errorAnswer('Internal error', 500), 'http-error'],
  ['500 with an error text about a token', errorAnswer('Invalid token', 500), 'http-error'],
  ['500 with the message for nobody', errorAnswer('No data found', 500), 'http-error'],
  ['502 as a page', answer('<h1>Bad Gateway</h1>', 502), 'http-error'],
  ['503 with records', answer({ status: 'success', message: logins }, 503), 'http-error'],
  ['202 with an empty list', answer({ status: 'success', message: [] }, 202), 'unexpected-answer'],
  ['204 without a body', answer('', 204), 'unexpected-answer'],
  ['206 with records', answer({ status: 'success', message: logins }, 206), 'unexpected-answer'],
  ['206 with the message for nobody', errorAnswer('No data found', 206), 'unexpected-answer'],
  ['400 KB, whose beginning counts', errorAnswer(`${'token and key '.repeat(30_000)}quota`), 'unknown-error'],
  ['200 with a long error text', errorAnswer(`Max limit exceeded. ${'x'.repeat(400)}`), 'rate-limited'],
  ['a long text without JSON about the rate limit', answer(`Max limit exceeded${' '.repeat(200)}`), 'not-json'],
  ['a line of 200 characters without JSON', answer(`Max limit exceeded${'.'.repeat(182)}`), 'rate-limited'],
  ['a line of 201 characters without JSON', answer(`Max limit exceeded${'.'.repeat(183)}`), 'not-json'],
  ['a page about the rate limit', answer(' <p>Max limit exceeded</p>'), 'not-json'],
  ['503 with an error text about a token', errorAnswer('Token service is down', 503), 'http-error'],
  ['truncated JSON', answer(json.slice(0, -20)), 'not-json'],
  ['short truncated JSON with an error text in it', answer('{"message":[{"SkillName":"Invalid token'), 'not-json'],
  ['a page in place of JSON', answer('<!doctype html><title>Maintenance</title>'), 'not-json'],
  ['nothing', answer(''), 'not-json'],
  ['a plain sentence', answer('Service is up'), 'not-json'],
  ['a JSON text', answer('"success"'), 'unexpected-answer'],
  ['a JSON number', answer('7'), 'unexpected-answer'],
  ['null', answer('null'), 'unexpected-answer'],
  ['a bare list', answer(logins), 'unexpected-answer'],
  ['an empty object', answer({}), 'unexpected-answer'],
  ['no message', answer({ status: 'success' }), 'unexpected-answer'],
  ['a message that is null', success(null), 'unexpected-answer'],
  ['a message that is empty text', success(''), 'unexpected-answer'],
  ['a message that is an empty object', success({}), 'unexpected-answer'],
  ['a message of two lists', success({ agents: logins, others: [] }), 'unexpected-answer'],
  ['a message of two lists with records', success({ agents: [asha], others: [asha] }), 'unexpected-answer'],
  ['a message of records and something else', success({ a: asha, total: 1 }), 'unexpected-answer'],
  ['a record beside an id of a longer name', success({ a: asha, b: { SubAgentId: 'b' } }), 'unexpected-answer'],
  ['a record beside a field like an id', success({ a: asha, b: { AgentIdentity: 'b' } }), 'unexpected-answer'],
  ['a message without an object that names anybody', success({ count: 0 }), 'unexpected-answer'],
  ['almost the message for nobody', errorAnswer('No data. found'), 'unknown-error'],
  ['the message for nobody, and more', errorAnswer('no data found. Try later'), 'unknown-error'],
  ['a part of the message for nobody', errorAnswer('no data'), 'unknown-error'],
  ['the word "success" without details', success('success'), 'unexpected-answer'],
  ['details that are text', withDetails('x'), 'unexpected-answer'],
  ['an error with a list', errorAnswer([]), 'unexpected-answer'],
  ['an error with records', errorAnswer(logins), 'unexpected-answer'],
  ['an error without a message', answer({ status: 'error' }), 'unexpected-answer'],
  ['status false as a boolean, with records', answer({ status: false, message: logins }), 'unexpected-answer'],
  ['a failure with records', answer({ status: 'Failed', message: logins }), 'unexpected-answer'],
  ['records without a single id', success([null, { AgentName: 'Asha' }]), 'unexpected-answer'],
  ['an empty list in an object', success({ agents: [] }), 'unexpected-answer'],
  ['an empty list beside a count', success({ errors: [], total: 3 }), 'unexpected-answer'],
  ['an empty list in an object in details', withDetails({ rows: [] }), 'unexpected-answer'],
  ['an empty list with another status', answer({ status: 'exception', message: [] }), 'unexpected-answer'],
  ['an empty list with a longer status', answer({ status: 'success?', message: [] }), 'unexpected-answer'],
  ['an empty list with a status that is no text', answer({ status: true, message: [] }), 'unexpected-answer'],
  ['an empty list with another field', answer({ statusCode: 500, message: [] }), 'unexpected-answer'],
  ['an empty list without a status', answer({ message: [] }), 'unexpected-answer'],
  ['an empty list in details without a status', answer({ details: [] }), 'unexpected-answer'],
  ['an empty list beside the message', answer({ status: 'success', data: [] }), 'unexpected-answer'],
  [
    'an empty list in details beside an error text',
    answer({ status: 'exception', message: 'Invalid request', details: [] }),
    'unexpected-answer',
  ],
];

describe('an answer without logins', () => {
  it.each(failures)('fails with its reason: %s', (_title, answered, reason) => {
    expect(outcomeOf(answered)).toBe(reason);
  });

  it('returns Retry-After', () => {
    const logins = parseAgentLogins({ status: 429, text: 'Too Many Requests', retryAfterSeconds: 120 });

    expect(logins).toEqual({ ok: false, problem: { reason: 'rate-limited', retryAfterSeconds: 120 } });
  });
});

describe('an answer with logins', () => {
  it.each<[string, ServiceAnswer, readonly string[]]>([
    ['in the form of the specification', success(logins), allAgents],
    ['with status in another letter case', answer({ status: 'SUCCESS', message: logins }), allAgents],
    ['without a status', answer({ message: logins }), allAgents],
    ['with status 201', answer({ status: 'success', message: logins }, 201), allAgents],
    ['with an object that holds the list', success({ agents: logins }), allAgents],
    ['with an object that holds the list and a count', success({ count: 3, agents: logins }), allAgents],
    ['with one record', success(logins[0]), ['asha']],
    ['with one record in another spelling', success({ agentid: 'asha', agentstate: 'READY' }), ['asha']],
    ['with rows in details', withDetails(logins), allAgents],
    ['with "Success."', answer({ status: 'success', message: 'Success.', details: logins }), allAgents],
    ['with an object of rows in details', withDetails({ rows: logins }), allAgents],
    ['with an object of records by number', success({ ...logins }), allAgents],
    ['with an object of one record by a name', success({ a: asha }), ['asha']],
    ['with one record, its id in another case', success({ agentID: 'asha', AgentState: 'READY' }), ['asha']],
    ['with an empty list', success([]), []],
    ['with an empty list and status in another letter case', answer({ status: 'SUCCESS', message: [] }), []],
    ['with an empty list in details', withDetails([]), []],
    ['as the error "No Data Found"', errorAnswer('No Data Found'), []],
    ['as that error with space around it', errorAnswer(' No Data Found\n'), []],
    ['as that error in capitals with a full stop', errorAnswer('NO DATA FOUND.'), []],
    ['as the error "no data found." with status 404', errorAnswer('no data found.', 404), []],
    ['pretty-printed', answer(JSON.stringify({ status: 'success', message: logins }, null, 4)), allAgents],
    ['with escaped slashes', answer(json.replaceAll('/', '\\/')), allAgents],
    ['with an empty list in details, and the word alone', answer({ message: 'success', details: [] }), []],
    ['with that word as a sentence', answer({ message: 'Success.', details: [] }), []],
    ['with records that name an agent but no state', success([{ AgentId: 'asha' }, null]), []],
    ['with such a record in an object', success({ agents: [{ AgentId: 'asha' }] }), []],
    ['with a record that has a forbidden key', answer(json.replace(']', ',{"AgentId":"x","__proto__":1}]')), allAgents],
    ['with a record that is nested too deeply', success([...logins, deep]), allAgents],
    ['with a deep field in a record', success([{ ...asha, a: deep }]), ['asha']],
    ['with malformed records among the good ones', success([null, 'x', [logins[0]], {}, ...logins]), allAgents],
  ])('is parsed %s', (_title, answered, ids) => {
    expect(outcomeOf(answered)).toEqual(ids);
  });
});

const token = [tokenAnswer(sentinelToken)];
const echo = `apiKey ${sentinelKey} with token ${sentinelToken} is Invalid`;

describe('key and token', () => {
  it.each<[string, readonly ServiceAnswer[], readonly ServiceAnswer[]]>([
    ['polls that succeed', token, [threeAgents]],
    ['an error that echoes the request', token, [threeAgents, errorAnswer(echo), threeAgents]],
    ['a rejection that echoes it', token, [threeAgents, answer({ message: echo }, 401), threeAgents]],
    ['an echo without JSON', token, [threeAgents, answer(echo), answer(`<p>${echo}`)]],
    ['a token exchange that echoes the request', [errorAnswer(echo)], [threeAgents]],
    ['a token that cannot be used', [tokenAnswer(`${sentinelToken} ${sentinelKey}`)], [threeAgents]],
    ['no connection', token, [threeAgents, noAnswer('connection')]],
  ])('are in no row, event or log line: %s', async (_title, token, logins) => {
    const d = await deployment({ accounts: [tokenAccount], service: { token, logins } });
    for (let slot = 0; slot < 40; slot++) {
      await d.poll();
      if (slot % 10 === 9) d.advance(600_000);
    }
    await d.settled();

    expect(JSON.stringify(d.service.requests())).toContain(sentinelKey);
    expect(JSON.stringify([await d.rows('agents'), d.published(), d.logs()])).not.toContain('SENTINEL');
    for (const secret of [sentinelKey, sentinelToken])
      expect(JSON.stringify(await d.rows('agents'))).not.toContain(Buffer.from(secret).toString('base64').slice(0, 12));
  });
});
