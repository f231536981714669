import type { ServiceResponse } from '../../../lib/agents/parse-agent-logins.ts';
import { chance, pick, type Random } from '../../../sandbox/simulator/random.ts';
import type { LoginRow } from '../../../sandbox/simulator/service/responses.ts';
import { pollSecrets } from './accounts.ts';
import { randomOf } from './fuzzed-request.ts';
import { type JsonNode, type Mutation, mutated, plain, written } from './json.ts';
import { agentMutations, answerOf, frames, movedOn, recordOf, someAgents } from './mutate-answer.ts';
import { textMutations } from './mutate-post.ts';

/** How the account of a case has its token. */
export type TokenKind = 'none' | 'static' | 'generate';

/** What getAgentLogins says before, then and afterwards. */
export interface FuzzedAnswer {
  readonly token: TokenKind;
  /** Whether it is the question for a token that is answered so. */
  readonly isOfToken: boolean;
  readonly before: readonly LoginRow[];
  readonly answer: ServiceResponse;
  /** The agents whose records are in the answer as they should be. */
  readonly untouched: readonly LoginRow[];
  readonly marks: readonly string[];
}

const statuses = [200, 200, 200, 201, 204, 400, 401, 403, 404, 405, 429, 500, 502, 503, 999];
const retryAfters = [0, 1, 30, 3_600, 86_400, Number.MAX_SAFE_INTEGER, 1e300];

const pages = [
  '<!doctype html><title>Maintenance</title>',
  'Method Not Allowed',
  'No Data Found',
  'Max limit exceeded',
  `Invalid token: ${pollSecrets.join(' ')}`,
];

const styles = [
  plain,
  {
    ...plain,
    quoted: (text: string) =>
      JSON.stringify(text).replace(/[+/&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`),
  },
];

/** Whether an agent's good record is there, and no other that names the agent: of several any may stand. */
const isAlone = ({ AgentId }: LoginRow, good: JsonNode, records: readonly JsonNode[]): boolean =>
  records.includes(good) &&
  records.every((record) => record === good || !JSON.stringify(record).includes(JSON.stringify(AgentId)));

const makeAnswer = (random: Random): FuzzedAnswer => {
  const marks: string[] = [];
  const changed = <Of>(given: Of, mutations: readonly Mutation<Of>[], times: number): Of =>
    mutated(random, given, { mutations, times, marks });

  const before = someAgents(random);
  const rows = movedOn(random, before);
  const good = rows.map(recordOf);
  const records = changed(good, agentMutations, pick(random, [0, 1, 1, 2, 4]));
  const frame = chance(random, 0.35) ? pick(random, frames) : undefined;
  if (frame !== undefined) marks.push(frame.name);
  const whole = frame === undefined ? answerOf(records) : frame.around(random, records);
  const sent = changed(written(whole, pick(random, styles)), textMutations, Number(chance(random, 0.15)));
  const page = chance(random, 0.05) ? pick(random, pages) : undefined;
  if (page !== undefined) marks.push('page');
  const status = chance(random, 0.2) ? pick(random, statuses) : 200;
  marks.push(String(status));
  const retryAfterSeconds = chance(random, 0.1) ? pick(random, retryAfters) : undefined;
  return {
    token: pick(random, ['none', 'none', 'static', 'generate']),
    isOfToken: chance(random, 0.1),
    before,
    answer: { status, text: page ?? sent, retryAfterSeconds },
    untouched:
      frame === undefined && sent === written(whole) && page === undefined
        ? rows.filter((row, index) => isAlone(row, good[index] ?? [], records))
        : [],
    marks,
  };
};

/** The answer of a number; the same for the same seed. */
export const fuzzedAnswer = (seed: number, number: number): FuzzedAnswer => makeAnswer(randomOf(~seed, ~number));
