import { describe, expect, it } from 'vitest';
import { hostileAnswer } from '../../../torture/hostile/answers/hostile-answer.ts';
import { agentMutations } from '../../../torture/hostile/answers/mutate-agents.ts';
import { frames } from '../../../torture/hostile/answers/mutate-frame.ts';
import { hostileRequest } from '../../../torture/hostile/requests/hostile-request.ts';
import { httpMutations } from '../../../torture/hostile/requests/mutate-http.ts';
import { recordMutations } from '../../../torture/hostile/requests/mutate-record.ts';
import { rootMutations } from '../../../torture/hostile/requests/mutate-root.ts';
import { textMutations } from '../../../torture/hostile/requests/mutate-text.ts';
import { oddCarriers } from '../../../torture/hostile/requests/odd-carriers.ts';
import { usualCarriers } from '../../../torture/hostile/requests/usual-carriers.ts';

const numbers = Array.from({ length: 4_000 }, (_, number) => number);
const namesOf = (...lists: readonly (readonly { readonly name: string }[])[]) => lists.flat().map(({ name }) => name);

describe('the generated cases', () => {
  it('give the same request and answer for the same number, whatever came before', () => {
    const [alone, answerAlone] = [hostileRequest(7, 1_234), hostileAnswer(7, 1_234)];
    for (const number of numbers.slice(0, 50)) hostileRequest(7, number);

    expect(hostileRequest(7, 1_234)).toEqual(alone);
    expect(hostileAnswer(7, 1_234)).toEqual(answerAlone);
    expect(hostileRequest(8, 1_234)).not.toEqual(alone);
  });

  it('use every change of a request', () => {
    const used = new Set(numbers.flatMap((number) => hostileRequest(1, number).marks));
    const known = namesOf(recordMutations, rootMutations, textMutations, usualCarriers, oddCarriers, httpMutations);

    expect(known.filter((name) => !used.has(name))).toEqual([]);
  });

  it('use every change of an answer', () => {
    const used = new Set(numbers.flatMap((number) => hostileAnswer(1, number).marks));

    expect(namesOf(agentMutations, frames, textMutations).filter((name) => !used.has(name))).toEqual([]);
  });

  it('have sizes from nothing to hundreds of kilobytes', () => {
    const sizes = numbers.map((number) => hostileRequest(1, number).posted.body?.byteLength ?? 0);

    expect(Math.min(...sizes)).toBe(0);
    expect(Math.max(...sizes)).toBeGreaterThan(200_000);
  });
});
