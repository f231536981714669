import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseSettings, withSettingsFile } from '../../../cdk/settings/read-settings.ts';
import { StageSettings } from '../../../cdk/settings/settings.ts';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { kmsKeyArn } from '../support/synthesise.ts';
import { invalidSettings, invalidStageSettings } from './invalid-settings.ts';

const secret = 'a-long.and~plain_SECRET-0123';
const topicArn = 'arn:aws:sns:eu-west-1:111122223333:alarms';
const rows = [...invalidSettings, ...invalidStageSettings];

const defaults = {
  stage: 'prod',
  callRetentionDays: 730,
  quarantineRetentionDays: 30,
  snapshotRetentionDays: 7,
  intervalRetentionDays: 90,
  eventArchiveDays: 30,
  logRetentionDays: 30,
  agentPolling: 'on',
  timeZone: 'Asia/Kolkata',
  throttleRate: 500,
  throttleBurst: 1000,
  subscriberAccounts: [],
  personalFieldsInEvents: 'keep',
  dataProtection: 'on',
  tracing: 'on',
  leaveOut: [],
};

describe('settingsFrom', () => {
  it('fills in every setting, so that a deployment needs none', () => {
    expect(parseSettings(cdkJson.context)).toEqual({ ok: true, value: defaults });
  });

  it.each([
    ['callRetentionDays', '90', 90],
    ['callRetentionDays', 3650, 3650],
    ['logRetentionDays', '1', 1],
    ['logRetentionDays', 3653, 3653],
    ['throttleRate', 20, 20],
    ['stage', 'test-2', 'test-2'],
    ['timeZone', 'Europe/London', 'Europe/London'],
    ['callbackSecret', secret, secret],
    ['subscriberAccounts', '111122223333, 011122223333', ['111122223333', '011122223333']],
    ['subscriberAccounts', ['111122223333'], ['111122223333']],
    ['subscriberAccounts', [], []],
    ['leaveOut', 'archive,bus-policy', ['archive', 'bus-policy']],
    ['leaveOut', ['schemas', 'queries'], ['schemas', 'queries']],
    ['alarmEmail', 'ops@example.com', 'ops@example.com'],
    ['runbookUrl', 'https://wiki.example.com/callfeed', 'https://wiki.example.com/callfeed'],
    ['kmsKeyArn', kmsKeyArn, kmsKeyArn],
    [
      'kmsKeyArn',
      'arn:aws-cn:kms:cn-north-1:111122223333:key/mrk-1234abcd12ab34cd56ef1234567890ab',
      'arn:aws-cn:kms:cn-north-1:111122223333:key/mrk-1234abcd12ab34cd56ef1234567890ab',
    ],
    ['alarmTopicArn', topicArn, topicArn],
  ])('takes %s=%j, text as the command line gives it and values as cdk.json may hold them', (name, given, value) => {
    expect(parseSettings({ [name]: given })).toMatchObject({ ok: true, value: { [name]: value } });
  });

  it.each(rows)('refuses %s=%j: %s', (name, value) => {
    const settings = parseSettings({ [name]: value });

    expect(settings).toEqual({
      ok: false,
      problem: [expect.stringMatching(new RegExp(`^${name} must be .+[^.]\\.$`))],
    });
  });

  it('has a row above for every setting', () => {
    expect(new Set(rows.map(([name]) => name))).toEqual(new Set(Object.keys(StageSettings.shape)));
  });

  it('names everything that is wrong at once, each on a line, and what is allowed', () => {
    expect(parseSettings({ callRetentionDays: 'x', callbackSecret: 'short', stage: '!' })).toEqual({
      ok: false,
      problem: [
        'callRetentionDays must be a whole number of days from 1 to 3650.',
        'callbackSecret must be 16 to 128 characters that need no escape in an address: A-Z a-z 0-9 - . _ ~.',
        'stage must be 1 to 20 lower-case letters, digits and hyphens, the first one a letter.',
      ],
    });
  });

  it('says what is wrong with a list once, however many of its items are', () => {
    expect(parseSettings({ subscriberAccounts: 'a,b,b' })).toEqual({
      ok: false,
      problem: ['subscriberAccounts must be AWS account ids of 12 digits, each once, separated by commas.'],
    });
  });

  it('refuses an address for alarms beside a topic, to which it would not be subscribed', () => {
    expect(parseSettings({ alarmEmail: 'ops@example.com', alarmTopicArn: topicArn })).toEqual({
      ok: false,
      problem: ['alarmEmail must be left out where alarmTopicArn is given: who hears of that topic is set up there.'],
    });
  });

  it('refuses accounts of subscribers where what would let them in is left out', () => {
    expect(parseSettings({ subscriberAccounts: '111122223333', leaveOut: 'bus-policy' })).toEqual({
      ok: false,
      problem: ['subscriberAccounts must be left out where leaveOut has bus-policy, which would let them in.'],
    });
  });

  it('refuses a former callback secret without one that holds', () => {
    expect(parseSettings({ formerCallbackSecret: secret })).toEqual({
      ok: false,
      problem: ['formerCallbackSecret must be left out without callbackSecret, beside which it is taken.'],
    });
  });

  it('refuses a misspelt setting, which would otherwise deploy the default', () => {
    expect(parseSettings({ callRetention: '90' })).toEqual({
      ok: false,
      problem: [
        `callRetention: no such setting; there are ${Object.keys(StageSettings.shape).join(', ')}, stages, settingsFile.`,
      ],
    });
  });

  it.each([
    ['call-retention-days', 'callRetentionDays'],
    ['call:RetentionDays', 'callRetentionDays'],
    ['CallRetentionDays', 'callRetentionDays'],
    ['leaveout', 'leaveOut'],
    ['STAGE', 'stage'],
  ])('refuses %s, which the CDK would pass over or take for another', (spelt, name) => {
    expect(parseSettings({ [spelt]: '9' })).toEqual({
      ok: false,
      problem: [`${spelt}: no such setting; it is spelt ${name}.`],
    });
  });

  it('does not show the value of a wrong callback secret', () => {
    expect(JSON.stringify(parseSettings({ callbackSecret: 'short-SENTINEL' }))).not.toContain('SENTINEL');
  });
});

const folder = mkdtempSync(join(tmpdir(), 'callfeed-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (content: string): string => {
  const file = join(folder, 'settings.json');
  writeFileSync(file, content);
  return file;
};

describe('the file of settings', () => {
  it('holds where the context says nothing else', () => {
    const settingsFile = fileOf('{"stage": "dev", "callRetentionDays": 30}');

    expect(withSettingsFile({ settingsFile, callRetentionDays: '60', 'cdk:flag': true })).toEqual({
      ok: true,
      value: { stage: 'dev', callRetentionDays: '60', 'cdk:flag': true },
    });
  });

  it('need not be there, unless somebody names it', () => {
    expect(withSettingsFile({ stage: 'dev', settingsFile: '' })).toEqual({ ok: true, value: { stage: 'dev' } });
    expect(withSettingsFile({ settingsFile: 'nowhere.json' })).toEqual({
      ok: false,
      problem: ['settingsFile must be the name of a file, or empty: there is no nowhere.json.'],
    });
  });

  it.each(['[]', '"text"', 'null', '{"callbackSecret": "SENTINEL', ''])(
    'is refused as %j, and not shown',
    (content) => {
      const settingsFile = fileOf(content);

      expect(withSettingsFile({ settingsFile })).toEqual({
        ok: false,
        problem: [`${settingsFile} must hold a JSON object of settings.`],
      });
    },
  );
});

const stages = {
  prod: { callRetentionDays: 400, alarmEmail: 'ops@example.com' },
  dev: { callRetentionDays: 7, agentPolling: 'off' },
};

describe('settings under `stages`', () => {
  it('hold for their stage', () => {
    expect(parseSettings({ stages })).toMatchObject({
      value: { stage: 'prod', callRetentionDays: 400, alarmEmail: 'ops@example.com', agentPolling: 'on' },
    });
    expect(parseSettings({ stages, stage: 'dev' })).toMatchObject({
      value: { stage: 'dev', callRetentionDays: 7, agentPolling: 'off' },
    });
  });

  it('have to be there for the stage that is chosen, or a slip of the pen would deploy another stack', () => {
    expect(parseSettings({ stages, stage: 'dve' })).toEqual({
      ok: false,
      problem: ['stage must be one of those under stages: prod, dev.'],
    });
  });

  it('do not name another stage than the one they stand under', () => {
    expect(parseSettings({ stages: { prod: { stage: 'dev' } } })).toEqual({
      ok: false,
      problem: ['stages must not set stage: the name under which the settings stand is the stage.'],
    });
  });

  it('yield to what stands directly, as on the command line', () => {
    expect(parseSettings({ stages, stage: 'dev', callRetentionDays: '30' })).toMatchObject({
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
    expect(parseSettings({ stages: malformed })).toEqual({
      ok: false,
      problem: ['stages must be an object that holds the settings of each stage under its name.'],
    });
  });

  it.each([
    ['a wrong one', { dev: { callRetentionDays: 0 } }, /^callRetentionDays must be /],
    ['a misspelt one', { dev: { callRetention: 7 } }, /^callRetention: no such setting; /],
  ])('are refused with %s among them', (_what, wrong, sentence) => {
    expect(parseSettings({ stages: wrong, stage: 'dev' })).toEqual({
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
    expect(parseSettings(context)).toMatchObject({ value: { dataProtection: expected } });
  });
});
