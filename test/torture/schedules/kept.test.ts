import { describe, expect, it } from 'vitest';
import { keptHistories } from '../../../torture/schedules/kept.ts';
import { modelNamed } from '../../../torture/schedules/models.ts';

const kept = [...(await keptHistories())];

describe('histories that once led to a breach', () => {
  it.each(kept)('%s', async (_name, { model, what, history }) => {
    expect(what).not.toBe('');
    await modelNamed(model).replay(history);
  });

  it('are of every model', () => {
    expect(new Set(kept.map(([, { model }]) => model))).toEqual(new Set(['calls', 'agents', 'agents-at-ports']));
  });
});
