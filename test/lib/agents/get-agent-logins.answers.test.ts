import { describe, expect, it } from 'vitest';
import { parseAgentLogins } from '../../../lib/agents/get-agent-logins.ts';
import { type PollProblem, pollProblems } from '../../../lib/telephony/service/problems.ts';
import { specificationLogins } from '../../fixtures/accounts.ts';
import { errorText, type Reply, reply, success } from '../../support/agent-polling.ts';

const asha = { AgentId: 'asha', AgentState: 'READY' };

/** The ids of the logged-in agents, or why the poll failed. */
const outcomeOf = (answer: Reply): readonly string[] | PollProblem => {
  const logins = answer.ok ? parseAgentLogins(answer.value) : answer;
  return logins.ok ? logins.value.agents.map(({ agentId }) => agentId) : logins.problem.reason;
};

const allAgents = ['asha', 'meera', 'ravi'];
const logins: readonly object[] = specificationLogins;
const json = JSON.stringify({ status: 'success', message: logins });

/** The errors of the specification, which does not define their HTTP status. */
const specifiedErrors = [
  ['userName is empty', 'userName should not be empty', 'rejected'],
  ['apiKey is empty', 'apiKey should not be empty', 'rejected'],
  ['userName or apiKey is invalid', 'userName or apiKey is Invalid', 'unauthorised'],
  ['the rate limit is exceeded', 'Max limit exceeded', 'rate-limited'],
] as const;

describe('an error of the specification', () => {
  it.each(specifiedErrors)('has its reason, with status 200 and 400: %s', (_condition, message, reason) => {
    expect(outcomeOf(errorText(message))).toBe(reason);
    expect(outcomeOf(errorText(` ${message.toUpperCase()}. `))).toBe(reason);
    expect(outcomeOf(errorText(message, 400))).toBe(reason);
  });
});

/** The word "success", and the records in `details`. */
const withDetails = (details: unknown) => reply({ status: 'success', message: 'success', details });

/** What clients of the service have met, and what any client may meet. */
const failures: readonly (readonly [string, Reply, PollProblem])[] = [
  ['200 with an error text', errorText('Something is wrong'), 'rejected'],
  ['200 with an error text and status "false"', reply({ status: 'false', message: 'Something is wrong' }), 'rejected'],
  ['200 with an error text about the token', errorText('Token expired'), 'unauthorised'],
  ['200 with an error text in another spelling', errorText('Unauthorized access'), 'unauthorised'],
  ['401 with status "false"', reply({ status: 'false', message: 'Token is missing' }, 401), 'unauthorised'],
  ['401 without a body', reply('', 401), 'unauthorised'],
  ['401 with records', reply({ status: 'success', message: logins }, 401), 'unauthorised'],
  ['403', reply({ status: 'error', message: 'Forbidden' }, 403), 'unauthorised'],
  ['429', errorText('Max limit exceeded', 429), 'rate-limited'],
  ['200 with an error text that is no JSON', reply('Max limit exceeded'), 'rate-limited'],
  ['429 without JSON', reply('Too Many Requests', 429), 'rate-limited'],
  ['429 with records', reply({ status: 'success', message: logins }, 429), 'rate-limited'],
  ['the rate limit with status 500', errorText('Max limit exceeded', 500), 'rate-limited'],
  ['405 without JSON', reply('Method Not Allowed', 405), 'http-error'],
  ['404 as a page', reply('<h1>Not Found</h1>', 404), 'http-error'],
  ['500 with an error text', errorText('Internal error', 500), 'http-error'],
  ['500 with an error text about a token', errorText('Invalid token', 500), 'http-error'],
  ['500 with the message for nobody', errorText('No data found', 500), 'http-error'],
  ['502 as a page', reply('<h1>Bad Gateway</h1>', 502), 'http-error'],
  ['503 with records', reply({ status: 'success', message: logins }, 503), 'http-error'],
  ['202 with an empty list', reply({ status: 'success', message: [] }, 202), 'unexpected-answer'],
  ['204 without a body', reply('', 204), 'unexpected-answer'],
  ['206 with records', reply({ status: 'success', message: logins }, 206), 'unexpected-answer'],
  ['206 with the message for nobody', errorText('No data found', 206), 'unexpected-answer'],
  [
    'a message of 400 KB that a pattern could take the square of',
    errorText('token and key '.repeat(30_000)),
    'rejected',
  ],
  ['200 with an error text about an invalid key', errorText('Invalid API key'), 'unauthorised'],
  ['200 with an error text about credentials', errorText('Your credentials have expired'), 'unauthorised'],
  ['200 with an error text that is invalid in another way', errorText('Invalid request'), 'rejected'],
  ['200 with an error text about a token that is not rejected', errorText('Token service is busy'), 'rejected'],
  ['400 with an error text that is invalid in another way', errorText('Invalid request', 400), 'http-error'],
  ['200 with a long error text', errorText(`Max limit exceeded. ${'x'.repeat(400)}`), 'rate-limited'],
  ['a long text without JSON about the rate limit', reply(`Max limit exceeded${' '.repeat(200)}`), 'not-json'],
  ['a line of 200 characters without JSON', reply(`Max limit exceeded${'.'.repeat(182)}`), 'rate-limited'],
  ['a line of 201 characters without JSON', reply(`Max limit exceeded${'.'.repeat(183)}`), 'not-json'],
  ['a page about the rate limit', reply(' <p>Max limit exceeded</p>'), 'not-json'],
  ['503 with an error text about a token', errorText('Token service is down', 503), 'http-error'],
  ['truncated JSON', reply(json.slice(0, -20)), 'not-json'],
  ['short truncated JSON with an error text in it', reply('{"message":[{"SkillName":"Invalid token'), 'not-json'],
  ['a page in place of JSON', reply('<!doctype html><title>Maintenance</title>'), 'not-json'],
  ['nothing', reply(''), 'not-json'],
  ['a plain sentence', reply('Service is up'), 'not-json'],
  ['a JSON text', reply('"success"'), 'unexpected-answer'],
  ['a JSON number', reply('7'), 'unexpected-answer'],
  ['null', reply('null'), 'unexpected-answer'],
  ['a bare list', reply(logins), 'unexpected-answer'],
  ['an empty object', reply({}), 'unexpected-answer'],
  ['no message', reply({ status: 'success' }), 'unexpected-answer'],
  ['a message that is null', success(null), 'unexpected-answer'],
  ['a message that is empty text', success(''), 'unexpected-answer'],
  ['a message that is an empty object', success({}), 'unexpected-answer'],
  ['a message of two lists', success({ agents: logins, others: [] }), 'unexpected-answer'],
  ['a message of two lists with records', success({ agents: [asha], others: [asha] }), 'unexpected-answer'],
  ['a message of records and something else', success({ a: asha, total: 1 }), 'unexpected-answer'],
  ['a message of objects whose ids have a longer name', success({ a: { SubAgentId: 'asha' } }), 'unexpected-answer'],
  ['a message of objects named like an id', success({ a: { AgentIdentity: 'asha' } }), 'unexpected-answer'],
  ['a message without an object that names anybody', success({ count: 0 }), 'unexpected-answer'],
  ['almost the message for nobody', errorText('No.Data found'), 'rejected'],
  ['the message for nobody, and more', errorText('no data found. Try later'), 'rejected'],
  ['a part of the message for nobody', errorText('no data'), 'rejected'],
  ['the word "success" without details', success('success'), 'unexpected-answer'],
  ['details that are text', withDetails('x'), 'unexpected-answer'],
  ['an error with a list', errorText([]), 'unexpected-answer'],
  ['an error with records', errorText(logins), 'unexpected-answer'],
  ['an error without a message', reply({ status: 'error' }), 'unexpected-answer'],
  ['status false as a boolean, with records', reply({ status: false, message: logins }), 'unexpected-answer'],
  ['a failure with records', reply({ status: 'Failed', message: logins }), 'unexpected-answer'],
  ['records without a single id', success([null, { AgentName: 'Asha' }]), 'unexpected-answer'],
  ['an empty list in an object', success({ agents: [] }), 'unexpected-answer'],
  ['an empty list beside a count', success({ errors: [], total: 3 }), 'unexpected-answer'],
  ['an empty list in an object in details', withDetails({ rows: [] }), 'unexpected-answer'],
  ['an empty list with another status', reply({ status: 'exception', message: [] }), 'unexpected-answer'],
  ['an empty list with a longer status', reply({ status: 'success?', message: [] }), 'unexpected-answer'],
  ['an empty list with a status that is no text', reply({ status: true, message: [] }), 'unexpected-answer'],
  ['an empty list with another field', reply({ statusCode: 500, message: [] }), 'unexpected-answer'],
  ['an empty list without a status', reply({ message: [] }), 'unexpected-answer'],
  ['an empty list in details without a status', reply({ details: [] }), 'unexpected-answer'],
  ['an empty list beside the message', reply({ status: 'success', data: [] }), 'unexpected-answer'],
  [
    'an empty list in details beside an error text',
    reply({ status: 'exception', message: 'Invalid request', details: [] }),
    'unexpected-answer',
  ],
];

describe('an answer without logins', () => {
  it.each(failures)('fails with its reason: %s', (_title, answer, reason) => {
    expect(outcomeOf(answer)).toBe(reason);
  });

  it('returns Retry-After', () => {
    const logins = parseAgentLogins({ status: 429, text: 'Too Many Requests', retryAfterSeconds: 120 });

    expect(logins).toEqual({ ok: false, problem: { reason: 'rate-limited', retryAfterSeconds: 120 } });
  });

  it('covers every problem that an answer can have', () => {
    const notOfAnAnswer = ['timeout', 'connection', 'too-large', 'redirect', 'unsendable'];
    const ofTokens = ['no-token', 'token-limit', 'token-renewed'];
    const ofRuns = ['aborted', 'not-polled'];
    const known = [...failures.map(([, , reason]) => reason), ...notOfAnAnswer, ...ofTokens, ...ofRuns];
    const covered = new Set<string>(known);

    expect(pollProblems.filter((reason) => !covered.has(reason))).toEqual([]);
  });
});

describe('an answer with logins', () => {
  it.each<[string, Reply, readonly string[]]>([
    ['in the form of the specification', success(logins), allAgents],
    ['with status in another letter case', reply({ status: 'SUCCESS', message: logins }), allAgents],
    ['without a status', reply({ message: logins }), allAgents],
    ['with status 201', reply({ status: 'success', message: logins }, 201), allAgents],
    ['with an object that holds the list', success({ agents: logins }), allAgents],
    ['with an object that holds the list and a count', success({ count: 3, agents: logins }), allAgents],
    ['with one record', success(logins[0]), ['asha']],
    ['with one record in another spelling', success({ agentid: 'asha', agentstate: 'READY' }), ['asha']],
    ['with rows in details', withDetails(logins), allAgents],
    [
      'with the word "Success." and rows in details',
      reply({ status: 'success', message: 'Success.', details: logins }),
      allAgents,
    ],
    ['with an object of rows in details', withDetails({ rows: logins }), allAgents],
    ['with an object of records by number', success({ ...logins }), allAgents],
    ['with an object of one record by a name', success({ a: asha }), ['asha']],
    ['with one record, its id in another case', success({ agentID: 'asha', AgentState: 'READY' }), ['asha']],
    ['with an empty list', success([]), []],
    ['with an empty list and status in another letter case', reply({ status: 'SUCCESS', message: [] }), []],
    ['with an empty list in details', withDetails([]), []],
    ['as the error "No Data Found"', errorText('No Data Found'), []],
    ['as that error with space around it', errorText(' No Data Found\n'), []],
    ['as that error in capitals with a full stop', errorText('NO DATA FOUND.'), []],
    ['as the error "no data found." with status 404', errorText('no data found.', 404), []],
    ['pretty-printed', reply(JSON.stringify({ status: 'success', message: logins }, null, 4)), allAgents],
    ['with escaped slashes', reply(json.replaceAll('/', '\\/')), allAgents],
    ['with an empty list in details, and the word alone', reply({ message: 'success', details: [] }), []],
    ['with records that name an agent but no state', success([{ AgentId: 'asha' }, null]), []],
    ['with such a record in an object', success({ agents: [{ AgentId: 'asha' }] }), []],
    ['with a record that has a forbidden key', reply(json.replace(']', ',{"AgentId":"x","__proto__":1}]')), allAgents],
    [
      'with a record that is nested too deeply',
      success([...logins, JSON.parse(`${'['.repeat(99)}${']'.repeat(99)}`)]),
      allAgents,
    ],
    [
      'with a deep field in a record',
      success([{ ...asha, a: JSON.parse(`${'['.repeat(99)}${']'.repeat(99)}`) }]),
      ['asha'],
    ],
    ['with malformed records among the good ones', success([null, 'x', [logins[0]], {}, ...logins]), allAgents],
  ])('is parsed %s', (_title, answer, ids) => {
    expect(outcomeOf(answer)).toEqual(ids);
  });
});
