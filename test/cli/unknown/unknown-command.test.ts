import { describe, expect, it } from 'vitest';
import { withHidden } from '../../../cli/unknown/unknown.ts';
import { findingsAs, unknownItems } from '../../../cli/unknown/unknown-words.ts';
import { forThisFile } from '../support/local-deployment.ts';
import { callWithAllFields, startReadingDeployment } from '../support/reading-deployment.ts';

const deployment = await forThisFile(startReadingDeployment());
const { at, json } = deployment;

describe('callfeed unknown', () => {
  const abandoned = { status: 'unknown', statusAsSent: 'Abandoned' };

  const replacing = (differences: object) => [{ differences }];
  it.each<[string, object, readonly (string | undefined)[]]>([
    ['of the record', abandoned, ['Abandoned']],
    ['of a leg, which the record repeats', { ...abandoned, legs: [abandoned, {}] }, ['Abandoned']],
    ['that a richer delivery replaced', { status: 'answered', deliveries: replacing(abandoned) }, ['Abandoned']],
    [
      'that another unknown one replaced, so that only the word differs',
      { ...abandoned, deliveries: replacing({ statusAsSent: 'Lost' }) },
      ['Abandoned', 'Lost'],
    ],
    ['that was erased', { status: 'unknown', statusAsSent: 'erased' }, []],
    ['as the name of a field in a replaced delivery', { deliveries: replacing({ extra: { x: '1' } }) }, [undefined]],
  ])('finds a word %s', (_title, record, words) => {
    expect(unknownItems({ ...record }).map(({ word }) => word)).toEqual(words);
  });

  const unknown = async (...args: readonly string[]) => json(['unknown', '--show-personal', ...args]);

  it('lists each word and field with how often and since when it came, words first', async () => {
    const seen = (at: string, more: object) => ({ records: 1, first: at, last: at, ...more });
    const call = seen('2026-11-21T04:30:00.000Z', { callId: callWithAllFields });
    const agent = seen('2026-11-22T09:00:15.000Z', { agentId: 'zoe' });

    expect(await unknown('--from', '2026-11-20T00:00Z')).toEqual([
      { in: 'agent', field: 'state', word: 'SENTINELState7', ...agent },
      { in: 'call', field: 'type', word: 'SENTINELType7', ...call },
      { in: 'participant', field: 'dialStatus', word: 'Ringing_out', ...call },
      { in: 'call', extra: 'SENTINELField7', ...call },
    ]);
  });

  it('has one line for the hidden words of a field, with how many they are', () => {
    const found = (word: string | undefined, second: number, field = 'status') => ({
      in: 'call' as const,
      field,
      word,
      example: `c${second}`,
      first: `2026-11-20T00:00:0${second}.000Z`,
      last: `2026-11-21T00:00:0${second}.000Z`,
    });
    const shownAs = (shown: Parameters<typeof findingsAs>[0]) => {
      const { add, sorted } = findingsAs(shown);
      for (const [word, second, field] of [
        ['98765', 3],
        ['Lost', 1],
        ['1 2', 5],
        ['3 4', 2],
        ['3 4', 4],
        [undefined, 1, 'x 1'],
      ] as const)
        add(found(word, second, field));
      return sorted().map(({ word, field, sent, records, first, last, example }) => [
        word ?? field,
        sent.size,
        records,
        first.slice(17, 19),
        last.slice(17, 19),
        example,
      ]);
    };

    expect(shownAs(withHidden)).toEqual([
      ['(hidden)', 3, 4, '02', '05', 'c5'],
      ['Lost', 1, 1, '01', '01', 'c1'],
      ['(hidden)', 1, 1, '01', '01', 'c1'],
    ]);
    expect(shownAs((item) => item)).toHaveLength(5);
  });

  it('reads the range, by default of a week, and the state in which an agent was before it', async () => {
    const { output, notes, progress } = await at(['unknown']);
    expect(output).toMatch(/^IN +FIELD +WORD +RECORDS +FIRST +LAST +EXAMPLE\nagent +state +\(hidden\) +1 .* zoe\n/);
    expect(notes).toMatch(/^4 found\. 6 calls and \d+ snapshots of agents read from 2026-11-15T09:00:20\.000Z to /);
    expect(output).toMatch(/^participant +dialStatus +Ringing_out +1 /m);
    expect(output).toMatch(/^call +extra\.\(hidden\) +- +1 /m);
    expect(notes).toMatch(/--show-personal shows it/);
    expect(progress.at(-1)).toMatch(/^6 calls and \d+ snapshots/);

    expect(await unknown('--day', '2026-11-20')).toEqual([]);
    expect((await at(['unknown', '--account', 'nix'])).notes).toMatch(/^0 found\..* is the account spelt as/);
    expect(await unknown('--from', '2026-11-22T09:00:16Z')).toMatchObject([{ agentId: 'zoe' }]);
  });
});
