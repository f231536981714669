import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { settingsFrom } from '../../cdk/config.ts';
import cdkJson from '../../cdk.json' with { type: 'json' };

const secret = 'a-long.and~plain_SECRET-0123';

describe('settingsFrom', () => {
  it('fills in every setting, so that a deployment needs none', () => {
    expect(settingsFrom(cdkJson.context)).toEqual({
      ok: true,
      value: {
        stage: 'prod',
        callRetentionDays: 730,
        quarantineRetentionDays: 30,
        agentPolling: 'on',
        snapshotRetentionDays: 7,
        intervalRetentionDays: 90,
        throttleRate: 500,
        throttleBurst: 1000,
      },
    });
  });

  it('reads text, as the command line gives it, and numbers, as cdk.json may', () => {
    expect(settingsFrom({ stage: 'test-2', callRetentionDays: '90', throttleRate: 20 })).toMatchObject({
      ok: true,
      value: { stage: 'test-2', callRetentionDays: 90, throttleRate: 20 },
    });
  });

  it('keeps of the callback secret nothing but its hash', () => {
    const settings = settingsFrom({ callbackSecret: secret });

    expect(settings).toMatchObject({
      value: { callbackSecretSha256: createHash('sha256').update(secret).digest('hex') },
    });
    expect(JSON.stringify(settings)).not.toContain(secret);
  });

  it.each<[string, unknown, string]>([
    ['stage', 'Prod', 'an upper-case letter'],
    ['stage', '2nd', 'begins with a digit'],
    ['stage', 'a'.repeat(21), 'too long'],
    ['stage', '', 'blank'],
    ['stage', 7, 'no text'],
    ['callRetentionDays', '0', 'below the least'],
    ['callRetentionDays', '3651', 'above the most'],
    ['callRetentionDays', 'forever', 'no number'],
    ['callRetentionDays', '', 'blank'],
    ['callRetentionDays', 1.5, 'a fraction'],
    ['callRetentionDays', '1e2', 'an exponent'],
    ['callRetentionDays', -1, 'negative'],
    ['callRetentionDays', true, 'neither text nor number'],
    ['quarantineRetentionDays', '0', 'below the least'],
    ['quarantineRetentionDays', '3651', 'above the most'],
    ['agentPolling', 'yes', 'another word'],
    ['agentPolling', 'ON', 'upper case'],
    ['agentPolling', '', 'blank'],
    ['agentPolling', true, 'no text'],
    ['snapshotRetentionDays', '0', 'below the least'],
    ['snapshotRetentionDays', '366', 'above the most'],
    ['intervalRetentionDays', '0', 'below the least'],
    ['intervalRetentionDays', '3651', 'above the most'],
    ['callbackSecret', '', 'blank'],
    ['callbackSecret', 'x'.repeat(15), 'too short'],
    ['callbackSecret', 'x'.repeat(129), 'too long'],
    ['callbackSecret', 'a/slash/would/be/a/path', 'a slash'],
    ['callbackSecret', 'percent%20needs%20escape', 'an escape'],
    ['throttleRate', '0', 'would shut everybody out'],
    ['throttleRate', '10001', 'above the account limit'],
    ['throttleBurst', '0', 'would shut everybody out'],
    ['throttleBurst', '5001', 'above the account limit'],
  ])('refuses %s=%s: %s', (name, value) => {
    const settings = settingsFrom({ [name]: value });

    expect(settings).toEqual({ ok: false, problem: [expect.stringMatching(new RegExp(`^${name} must be .+\\.$`))] });
  });

  it('names everything that is wrong at once, and what is allowed', () => {
    expect(settingsFrom({ stage: '!', callRetentionDays: 'x', callbackSecret: 'short' })).toEqual({
      ok: false,
      problem: [
        'stage must be 1 to 20 lower-case letters, digits and hyphens, the first one a letter.',
        'callRetentionDays must be a whole number of days from 1 to 3650.',
        'callbackSecret must be 16 to 128 characters that need no escape in an address: A-Z a-z 0-9 - . _ ~.',
      ],
    });
  });

  it('refuses a misspelt setting, which would otherwise deploy the default', () => {
    expect(settingsFrom({ callRetention: '90' })).toEqual({
      ok: false,
      problem: [
        'callRetention: no such setting; there are stage, callRetentionDays, quarantineRetentionDays, agentPolling, snapshotRetentionDays, intervalRetentionDays, callbackSecret, throttleRate, throttleBurst.',
      ],
    });
  });

  it('does not show the value of a wrong callback secret', () => {
    expect(JSON.stringify(settingsFrom({ callbackSecret: 'short-SENTINEL' }))).not.toContain('SENTINEL');
  });
});
