import type { ServiceAnswer } from '../../../lib/agent-login/answer.ts';
import { parsed } from '../../../lib/json/parsed.ts';

/** The values of every field of that name, however deep. */
const valuesOf = (value: unknown, isWanted: RegExp): readonly unknown[] => {
  const values: unknown[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, inner] of Object.entries(next)) {
      if (isWanted.test(name)) values.push(inner);
      open.push(inner);
    }
  }
  return values;
};

const isEmptyFloor = (words: unknown): boolean => typeof words === 'string' && /^\s*no data found\.?\s*$/i.test(words);

/** Whether anybody could take this answer for a floor on which the agent is not: a generous reading of it, made anew. */
export const mayBeLoggedOut = ({ status, text }: ServiceAnswer, agentId: string): boolean => {
  if ([401, 403, 429].includes(status) || status >= 500) return false;
  const answer = parsed(text);
  if (isEmptyFloor(answer === undefined ? text : Object(answer).message)) return true;
  if (status >= 400 || typeof answer !== 'object' || answer === null || Array.isArray(answer)) return false;

  const { status: word, message, details } = answer as Readonly<Record<string, unknown>>;
  if (typeof word === 'string' && /^(error|false|fail)/i.test(word)) return false;
  if (typeof message !== 'object' && typeof details !== 'object') return false;
  const isEmptyList = Array.isArray(message) || Array.isArray(details);
  const ids = valuesOf(answer, /^agent_?id$/i);
  return (ids.length > 0 || isEmptyList) && !ids.includes(agentId);
};
