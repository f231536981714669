import { describe, expect, it } from 'vitest';
import { settingsFrom } from '../../../cdk/settings/settings-from.ts';

const stages = {
  prod: { callRetentionDays: 400, alarmEmail: 'ops@example.com' },
  dev: { callRetentionDays: 7, agentPolling: 'off' },
};

describe('settings under `stages`', () => {
  it('hold for their stage', () => {
    expect(settingsFrom({ stages })).toMatchObject({
      value: { stage: 'prod', callRetentionDays: 400, alarmEmail: 'ops@example.com', agentPolling: 'on' },
    });
    expect(settingsFrom({ stages, stage: 'dev' })).toMatchObject({
      value: { stage: 'dev', callRetentionDays: 7, agentPolling: 'off' },
    });
  });

  it('have to be there for the stage that is chosen, or a slip of the pen would deploy another stack', () => {
    expect(settingsFrom({ stages, stage: 'dve' })).toEqual({
      ok: false,
      problem: ['stage must be one of those under stages: prod, dev.'],
    });
  });

  it('do not name another stage than the one they stand under', () => {
    expect(settingsFrom({ stages: { prod: { stage: 'dev' } } })).toEqual({
      ok: false,
      problem: ['stages must not set stage: the name under which the settings stand is the stage.'],
    });
  });

  it('yield to what stands directly, as on the command line', () => {
    expect(settingsFrom({ stages, stage: 'dev', callRetentionDays: '30' })).toMatchObject({
      value: { callRetentionDays: 30, agentPolling: 'off' },
    });
  });

  it.each([
    ['a list', []],
    ['text', 'dev'],
    ['settings without a stage', { callRetentionDays: 7 }],
    ['a stage without settings', { dev: 'off' }],
    ['nothing', null],
  ])('are refused where they are %s', (_what, malformed) => {
    expect(settingsFrom({ stages: malformed })).toEqual({
      ok: false,
      problem: ['stages must be an object that holds the settings of each stage under its name.'],
    });
  });

  it.each([
    ['a wrong one', { dev: { callRetentionDays: 0 } }, /^callRetentionDays must be /],
    ['a misspelt one', { dev: { callRetention: 7 } }, /^callRetention: no such setting; /],
  ])('are refused with %s among them', (_what, wrong, sentence) => {
    expect(settingsFrom({ stages: wrong, stage: 'dev' })).toEqual({
      ok: false,
      problem: [expect.stringMatching(sentence)],
    });
  });
});

describe('dataProtection', () => {
  it.each([
    ['is on in prod', {}, 'on'],
    ['is on in any other stage, as to take it away has to be said', { stage: 'test' }, 'on'],
    ['is what the stage says', { stage: 'dev', stages: { dev: { dataProtection: 'off' } } }, 'off'],
    [
      'is what stands directly, before all',
      { dataProtection: 'off', stages: { prod: { dataProtection: 'on' } } },
      'off',
    ],
  ])('%s', (_rule, context, expected) => {
    expect(settingsFrom(context)).toMatchObject({ value: { dataProtection: expected } });
  });
});
