import { describe, expect, it } from 'vitest';
import { settingsFrom } from '../../../cdk/settings/settings-from.ts';
import { StageSettings } from '../../../cdk/settings/stage-settings.ts';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { kmsKeyArn } from '../configurations.ts';
import { wrongSettings, wrongStageSettings } from './wrong-settings.ts';

const secret = 'a-long.and~plain_SECRET-0123';
const topicArn = 'arn:aws:sns:eu-west-1:111122223333:alarms';
const rows = [...wrongSettings, ...wrongStageSettings];

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
    expect(settingsFrom(cdkJson.context)).toEqual({ ok: true, value: defaults });
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
    expect(settingsFrom({ [name]: given })).toMatchObject({ ok: true, value: { [name]: value } });
  });

  it.each(rows)('refuses %s=%j: %s', (name, value) => {
    const settings = settingsFrom({ [name]: value });

    expect(settings).toEqual({
      ok: false,
      problem: [expect.stringMatching(new RegExp(`^${name} must be .+[^.]\\.$`))],
    });
  });

  it('has a row above for every setting', () => {
    expect(new Set(rows.map(([name]) => name))).toEqual(new Set(Object.keys(StageSettings.shape)));
  });

  it('names everything that is wrong at once, each on a line, and what is allowed', () => {
    expect(settingsFrom({ callRetentionDays: 'x', callbackSecret: 'short', stage: '!' })).toEqual({
      ok: false,
      problem: [
        'callRetentionDays must be a whole number of days from 1 to 3650.',
        'callbackSecret must be 16 to 128 characters that need no escape in an address: A-Z a-z 0-9 - . _ ~.',
        'stage must be 1 to 20 lower-case letters, digits and hyphens, the first one a letter.',
      ],
    });
  });

  it('says what is wrong with a list once, however many of its items are', () => {
    expect(settingsFrom({ subscriberAccounts: 'a,b,b' })).toEqual({
      ok: false,
      problem: ['subscriberAccounts must be AWS account ids of 12 digits, each once, separated by commas.'],
    });
  });

  it('refuses an address for alarms beside a topic, to which it would not be subscribed', () => {
    expect(settingsFrom({ alarmEmail: 'ops@example.com', alarmTopicArn: topicArn })).toEqual({
      ok: false,
      problem: ['alarmEmail must be left out where alarmTopicArn is given: who hears of that topic is set up there.'],
    });
  });

  it('refuses accounts of subscribers where what would let them in is left out', () => {
    expect(settingsFrom({ subscriberAccounts: '111122223333', leaveOut: 'bus-policy' })).toEqual({
      ok: false,
      problem: ['subscriberAccounts must be left out where leaveOut has bus-policy, which would let them in.'],
    });
  });

  it('refuses a former callback secret without one that holds', () => {
    expect(settingsFrom({ formerCallbackSecret: secret })).toEqual({
      ok: false,
      problem: ['formerCallbackSecret must be left out without callbackSecret, beside which it is taken.'],
    });
  });

  it('refuses a misspelt setting, which would otherwise deploy the default', () => {
    expect(settingsFrom({ callRetention: '90' })).toEqual({
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
    expect(settingsFrom({ [spelt]: '9' })).toEqual({
      ok: false,
      problem: [`${spelt}: no such setting; it is spelt ${name}.`],
    });
  });

  it('does not show the value of a wrong callback secret', () => {
    expect(JSON.stringify(settingsFrom({ callbackSecret: 'short-SENTINEL' }))).not.toContain('SENTINEL');
  });
});
