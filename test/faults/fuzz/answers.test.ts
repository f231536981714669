import fc from 'fast-check';
import { it } from 'vitest';
import { tryParseJson } from '../../../lib/core/json.ts';
import { ok } from '../../../lib/core/result.ts';
import { type ServiceResponse, serviceProblems } from '../../../lib/service/service.ts';
import { inventedRows, type LoginRow } from '../../../sandbox/simulator/answers.ts';
import { weighted } from '../../support/arbitraries.ts';
import { isFull, mustHappen, show, tryCases } from '../property.ts';
import { fieldChanges, replaced, textChanges } from './changes.ts';
import {
  agentRecord,
  among,
  answerWith,
  inOneRecord,
  type JsonNode,
  objectOf,
  oneOf,
  rotated,
  sometimes,
  styles,
  using,
  written,
} from './json-nodes.ts';
import { digits, oddNode, oddText, trapNames } from './odd-values.ts';
import { goodAnswer, listed, longMs, pollsThrough } from './poller.ts';
import { accounts, pollingKeys, pollSecrets, tokens } from './receiver.ts';

type Records = readonly JsonNode[];

const skills: fc.Arbitrary<JsonNode> = fc.oneof(
  fc.array(oddText, { maxLength: 200, size: 'max' }),
  digits(5).map((text) => Array.from({ length: 300 }, (_, index) => `${text}${index}`).join(',')),
  fc.constant(',,,'),
  fc.constant(objectOf(['a', 'b'])),
);

const agentField = fc.constantFrom('AgentId', 'AgentName', 'PhoneNumber', 'AgentState', 'SkillName');

const answerChanges = oneOf<Records>(
  ...[
    ...fieldChanges,
    replaced(fc.constantFrom('AgentId', 'AgentState'), oddNode),
    replaced(fc.constant('SkillName'), skills),
    replaced(
      agentField,
      fc.constantFrom(...pollSecrets).map((secret) => `x ${secret}`),
    ),
  ].map(inOneRecord),
  using(oddNode, (records, value, indexOf) => records.toSpliced(indexOf(records.length + 1), 0, value)),
  using(oddText, (records, state) => [...records, objectOf(['AgentState', state])]),
  using(fc.array(oddNode, { minLength: 1, maxLength: 6 }), (records, values) =>
    records.map((_, index) => values[index % values.length] ?? ''),
  ),
  using(fc.integer({ min: 1, max: 20 }), (records, count) => [...records, ...inventedRows(count).map(agentRecord)]),
  among<Records>(
    (records) => [...records, ...records],
    (records, indexOf) => records.toSpliced(indexOf(records.length), 1),
    rotated,
    (records) => [records],
    () => [],
  ),
);

const messages = [
  ...['No Data Found', 'no data found.', 'Max limit exceeded', 'UserName or ApiKey is invalid', 'Token expired'],
  ...['UserName should not be empty', 'success', '', 'Unknown error'],
];

/** The whole answers around records: as specified, as in practice, and as nobody has documented. */
const frames = oneOf<Records, JsonNode>(
  among<Records, JsonNode>(
    (records) => answerWith(objectOf(['agents', records])),
    (records) => answerWith({ fields: records.map((record, index) => [String(index), record]) }),
    (records) => objectOf(['status', 'success'], ['message', 'success'], ['details', records]),
    ([first = []]) => answerWith(first),
    (records) => answerWith(records, objectOf(['toString', '1'])),
    (records) => objectOf(['message', records]),
    (records) => records,
    (records) => answerWith(objectOf(['a', records], ['b', []])),
    (records) => answerWith(written(records)),
  ),
  using(fc.tuple(fc.constantFrom(...messages), fc.constantFrom('success', 'error', 'false')), (_, [message, status]) =>
    answerWith(message, status),
  ),
  using(oddNode, (_, value) => answerWith(value)),
  using(fc.oneof(oddNode, fc.constantFrom('error', 'FALSE', 'failed')), (records, status) =>
    answerWith(records, status),
  ),
  using(oddNode, (_, value) => value),
  using(
    fc.tuple(fc.oneof(oddText, fc.constantFrom(...trapNames)), oddNode, fc.boolean()),
    (records, [name, value, hasDetails]) =>
      objectOf([name, value], ...answerWith(records).fields, ...(hasDetails ? [['details', records] as const] : [])),
  ),
);

const pages = [
  ...['<!doctype html><title>Maintenance</title>', 'Method Not Allowed', 'No Data Found', 'Max limit exceeded'],
  `Invalid token: ${pollSecrets.join(' ')}`,
];

const seldom = <Value>(percent: number, values: fc.Arbitrary<Value>) =>
  weighted<Value | undefined>([100 - percent, fc.constant(undefined)], [percent, values]);

const state = fc.constantFrom('READY', 'ACW', 'Idle', 'BUSY', 'INCALL', 'AUX', 'PAUSE');

const tokenKinds = {
  none: { token: { kind: 'none' }, secrets: [] },
  // Some are configured with their scheme; a service may repeat it without.
  static: { token: { kind: 'static', value: `Bearer ${tokens.static}` }, secrets: [tokens.static] },
  generate: { token: { kind: 'generate' }, secrets: [tokens.generated] },
};

/** An answer that starts from a real one, and what the agents are by it. */
const cases = fc
  .record({
    token: fc.constantFrom<(keyof typeof tokenKinds)[]>('none', 'none', 'static', 'generate'),
    // Whether the request for a token is answered so, instead of the one for the agents.
    isForToken: fc.nat(9).map((drawn) => drawn === 9),
    team: fc.array(
      fc.record({ state, next: seldom(30, state), skills: fc.constantFrom('Sales', 'Sales, Support', '') }),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
    change: sometimes(answerChanges, 80, 3),
    frame: seldom(35, frames),
    style: styles,
    text: sometimes(textChanges, 15),
    page: seldom(5, fc.constantFrom(...pages)),
    status: weighted(
      [5, fc.constant(200)],
      [1, fc.constantFrom(201, 204, 400, 401, 403, 404, 405, 429, 500, 502, 503, 999)],
    ),
    retryAfterSeconds: seldom(10, fc.constantFrom(0, 1, 30, 3_600, 86_400, Number.MAX_SAFE_INTEGER, 1e300)),
  })
  .map(({ team, change, frame, style, text, page, status, retryAfterSeconds, ...given }) => {
    const agents = team.map((one, index) => listed(`agent-${index}`, one.state, one.skills));
    const rows = agents.map((row, index) => ({ ...row, AgentState: team[index]?.next ?? row.AgentState }));
    const good = rows.map(agentRecord);
    const records = change(good);
    const plain = written(frame?.(records) ?? answerWith(records), style);
    const answer: ServiceResponse = { status, text: page ?? text(plain), retryAfterSeconds };
    const isPlain = frame === undefined && answer.text === plain;
    const intact = isPlain ? rows.filter((row, index) => isAlone(row, good[index] ?? [], records)) : [];
    return { ...given, agents, answer, intact };
  });

/** Whether an agent’s good record is there, and no other names the agent: of several any may win. */
const isAlone = ({ AgentId }: LoginRow, good: JsonNode, records: Records): boolean =>
  records.includes(good) &&
  records.every((record) => record === good || !JSON.stringify(record).includes(JSON.stringify(AgentId)));

/** Whether anybody could read from this answer that the agent is logged out: a generous reading of its own. */
const mayBeLoggedOut = ({ status, text }: ServiceResponse, agentId: string): boolean => {
  if ([401, 403, 429].includes(status) || status >= 500) return false;
  const answer = tryParseJson(text);
  const said = answer === undefined ? text : Object(answer).message;
  if (typeof said === 'string' && /^\s*no data found\.?\s*$/i.test(said)) return true;
  if (status >= 400 || typeof answer !== 'object' || answer === null || Array.isArray(answer)) return false;

  const { status: word, message, details } = answer as Readonly<Record<string, unknown>>;
  if (typeof word === 'string' && /^(error|false|fail)/i.test(word)) return false;
  if (typeof message !== 'object' && typeof details !== 'object') return false;
  const hasList = Array.isArray(message) || Array.isArray(details);
  const ids = valuesOf(answer, /^agent_?id$/i);
  return (ids.length > 0 || hasList) && !ids.includes(agentId);
};

/** The values of every field of such a name, at any depth. */
const valuesOf = (value: unknown, name: RegExp): readonly unknown[] => {
  const values: unknown[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const [field, inner] of Object.entries(next)) {
      if (name.test(field)) values.push(inner);
      open.push(inner);
    }
  }
  return values;
};

/** The network has these problems, or a run of the poller. */
const elsewhere = [
  'timeout',
  'connection',
  'redirect',
  'too-large',
  'unsendable',
  'aborted',
  'not-polled',
  'token-renewed',
];

const reachable = ['read', ...serviceProblems.filter((reason) => !elsewhere.includes(reason))];

it('no answer logs out an agent who is logged in, spoils another record, leaks a key or stops the polls', async () => {
  const counters = await tryCases(cases, isFull ? 6_000 : 80, async ({ token, isForToken, agents, answer, intact }) => {
    const service = (isOdd: boolean) => ({
      post: async ({ url }: { readonly url: string }) => {
        const isOfToken = url.endsWith('/generateToken');
        if (isOdd && isOfToken === isForToken) return ok(answer);
        return ok({ status: 200, text: isOfToken ? JSON.stringify({ token: tokens.generated }) : goodAnswer(agents) });
      },
    });
    const outcome = await pollsThrough({
      agents,
      intact: isForToken ? [] : intact,
      good: service(false),
      odd: service(true),
      account: { ...accounts[0], token: tokenKinds[token].token, baseUrl: 'https://service.invalid' },
      // A token is requested again only after it has expired.
      afterMs: isForToken && token === 'generate' ? longMs : 15_000,
      // Where the request for a token is answered so, the request for the agents lists all of them.
      mayLogOut: (agentId) => !isForToken && mayBeLoggedOut(answer, agentId),
      secrets: [...pollingKeys, ...tokenKinds[token].secrets],
    });
    return { [outcome]: 1 };
  });
  show('answers', counters);
  mustHappen(counters, ...(isFull ? reachable : ['read']));
});
