import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Callfeed } from '../../../cdk/callfeed.ts';
import { parseSettings, withSettingsFile } from '../../../cdk/settings/read-settings.ts';
import { StageSettings } from '../../../cdk/settings/settings.ts';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { kmsKeyArn } from '../support/configurations.ts';
import { appFor } from '../support/template.ts';
import { invalidSettings } from './invalid-settings.ts';

const secret = 'a-long.and~plain_SECRET-0123';
const topicArn = 'arn:aws:sns:eu-west-1:111122223333:alarms';

const defaults = {
  stage: 'prod',
  callRetentionDays: 730,
  quarantineRetentionDays: 30,
  snapshotRetentionDays: 7,
  intervalRetentionDays: 90,
  eventArchiveDays: 30,
  logRetentionDays: 30,
  agentPolling: 'on',
  reconciliation: 'off',
  forwarding: 'off',
  recordings: 'off',
  recordingHosts: [],
  recordingMaxMegabytes: 500,
  analytics: 'off',
  analyticsRetentionDays: 730,
  lakeFormation: 'defaults',
  throttleRate: 500,
  throttleBurst: 1000,
  subscriberAccounts: [],
  readerAccounts: [],
  personalFieldsInEvents: 'keep',
  dataProtection: 'on',
  dashboard: 'off',
  tracing: 'off',
  leaveOut: [],
};

const rejected = (...problem: readonly string[]) => ({ ok: false, problem });

describe('parseSettings', () => {
  it('has a default for every setting, so a deployment needs none', () => {
    expect(parseSettings(cdkJson.context)).toEqual({ ok: true, value: defaults });
  });

  it.each([
    ['callRetentionDays', '90', 90],
    ['callRetentionDays', 3650, 3650],
    ['logRetentionDays', '1', 1],
    ['logRetentionDays', 3653, 3653],
    ['throttleRate', 20, 20],
    ['stage', 'test-2', 'test-2'],
    ['callbackSecret', secret, secret],
    ['subscriberAccounts', '111122223333, 011122223333', ['111122223333', '011122223333']],
    ['subscriberAccounts', ['111122223333'], ['111122223333']],
    ['subscriberAccounts', [], []],
    ['readerAccounts', '111122223333', ['111122223333']],
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
  ])('accepts %s=%j: text as on the command line, values as in a JSON file', (name, given, value) => {
    expect(parseSettings({ [name]: given })).toMatchObject({ ok: true, value: { [name]: value } });
  });

  it.each(invalidSettings)('rejects %s=%j: %s', (name, value) => {
    const settings = parseSettings({ [name]: value });

    expect(settings).toEqual(rejected(expect.stringMatching(new RegExp(`^${name} must be .+[^.]\\.$`))));
  });

  it('is tested with invalid values of every setting', () => {
    expect(new Set(invalidSettings.map(([name]) => name))).toEqual(new Set(Object.keys(StageSettings.shape)));
  });

  it('names all invalid settings at once, and what is allowed', () => {
    expect(parseSettings({ callRetentionDays: 'x', callbackSecret: 'short', stage: '!' })).toEqual(
      rejected(
        'callRetentionDays must be a whole number of days from 1 to 3650.',
        'callbackSecret must be 16 to 128 characters that need no escape in an address: A-Z a-z 0-9 - . _ ~.',
        'stage must be 1 to 20 lower-case letters, digits and hyphens, the first one a letter.',
      ),
    );
  });

  it('reports a list once, however many of its items are invalid', () => {
    expect(parseSettings({ subscriberAccounts: 'a,b,b' })).toEqual(
      rejected('subscriberAccounts must be AWS account ids of 12 digits, each once, separated by commas.'),
    );
  });

  it.each([
    [
      { alarmEmail: 'ops@example.com', alarmTopicArn: topicArn },
      'alarmEmail must not be set with alarmTopicArn: subscribe the address to that topic.',
    ],
    [
      { subscriberAccounts: '111122223333', leaveOut: 'bus-policy' },
      'subscriberAccounts must not be set when leaveOut has bus-policy, which would grant them access.',
    ],
    [
      { recordings: 'archive' },
      'recordingHosts must be set with recordings=archive: the hosts from which recordings may be fetched.',
    ],
    [{ lakeFormation: 'iam' }, 'lakeFormation must not be set without analytics=on, whose tables it is about.'],
    [{ recordingHosts: 'a.example.com' }, 'recordingHosts must not be set without recordings=archive.'],
    [{ recordingRetentionDays: '30' }, 'recordingRetentionDays must not be set without recordings=archive.'],
    [{ recordingMaxMegabytes: '30' }, 'recordingMaxMegabytes must not be set without recordings=archive.'],
    [
      {
        ...{ recordings: 'archive', recordingHosts: 'a.example.com' },
        ...{ recordingRetentionDays: '91', callRetentionDays: '90' },
      },
      'recordingRetentionDays must not exceed callRetentionDays: without its call nobody finds a recording, to erase it.',
    ],
    [{ formerCallbackSecret: secret }, 'formerCallbackSecret must not be set without callbackSecret, the new secret.'],
  ])('rejects a setting that would have no effect: %j', (settings, message) => {
    expect(parseSettings(settings)).toEqual(rejected(message));
  });

  const names = [...Object.keys(StageSettings.shape), 'stages', 'settingsFile'].join(', ');

  it('rejects an unknown setting, which would otherwise deploy the default', () => {
    expect(parseSettings({ callRetention: '90' })).toEqual(
      rejected(`callRetention: unknown setting; the settings are ${names}.`),
    );
  });

  const monitoring =
    'monitoring must be removed: every deployment has the same alarms now, and dashboard=on adds the dashboard of monitoring=full.';
  const timeZone = 'timeZone must be removed: it is a field of each account in the secret now.';

  it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['essential', { monitoring: 'essential' }, [monitoring]],
    ['full', { monitoring: 'full' }, [monitoring]],
    ['full for one stage', { stage: 'dev', stages: { dev: { monitoring: 'full' } } }, [monitoring]],
    ['anything', { monitoring: 1 }, [monitoring]],
    ['that and another one', { timeZone: 'UTC', monitoring: '' }, [monitoring, timeZone]],
    [
      'beside an unknown one',
      { monitoring: 'full', callRetention: '9' },
      [monitoring, `callRetention: unknown setting; the settings are ${names}.`],
    ],
  ])('says what to do about a setting of before: %s', (_what, settings, sentences) => {
    expect(parseSettings(settings)).toEqual(rejected(...sentences));
  });

  it.each([
    ['call-retention-days', 'callRetentionDays'],
    ['call:RetentionDays', 'callRetentionDays'],
    ['CallRetentionDays', 'callRetentionDays'],
    ['leaveout', 'leaveOut'],
    ['STAGE', 'stage'],
  ])('rejects %s, which CDK would ignore, and suggests %s', (spelt, name) => {
    expect(parseSettings({ [spelt]: '9' })).toEqual(rejected(`${spelt}: unknown setting; did you mean ${name}?`));
  });
});

const folder = mkdtempSync(join(tmpdir(), 'callfeed-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (content: string): string => {
  const file = join(folder, 'settings.json');
  writeFileSync(file, content);
  return file;
};

/** What the page on configuration says of a setting's values: its bounds or its words; undefined for other texts and lists. */
const allowed = (setting: unknown): string | undefined => {
  if (setting instanceof z.ZodDefault || setting instanceof z.ZodOptional) return allowed(setting.unwrap());
  if (setting instanceof z.ZodNumber) return `${setting.minValue} to ${setting.maxValue}`;
  if (!(setting instanceof z.ZodEnum)) return undefined;
  const words = setting.options.filter((option) => typeof option === 'string');
  return words.map((word) => `\`${word}\``).join(', ');
};

describe('the page on configuration', () => {
  const page = readFileSync('docs/configuration.md', 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (?:`([^`]+)`|(\d+)|[^|]+) \| ([^|]+) \| [A-Z`*][^|]*\. \|$/gm)].map(
    ([, name = '', word, number, values = '']) => ({ name, byDefault: word ?? (number && Number(number)), values }),
  );
  const settings = Object.entries(StageSettings.shape);

  it('lists every setting once, with its default', () => {
    const hasDefault = Object.entries(defaults).filter(([, value]) => !Array.isArray(value));

    expect(rows.map(({ name }) => name).toSorted()).toEqual(
      [...settings.map(([name]) => name), 'stages', 'settingsFile'].toSorted(),
    );
    expect(Object.fromEntries(rows.map(({ name, byDefault }) => [name, byDefault]))).toMatchObject(
      Object.fromEntries(hasDefault),
    );
  });

  it.each(settings.flatMap(([name, setting]) => [[name, allowed(setting)] as const].filter(([, values]) => values)))(
    'says that %s may be %s',
    (name, values) => {
      expect(rows.find((row) => row.name === name)?.values).toContain(values);
    },
  );
});

describe('the settings file', () => {
  it('yields to the context', () => {
    const settingsFile = fileOf('{"stage": "dev", "callRetentionDays": 30}');

    expect(withSettingsFile({ settingsFile, callRetentionDays: '60', 'cdk:flag': true })).toEqual({
      ok: true,
      value: { stage: 'dev', callRetentionDays: '60', 'cdk:flag': true },
    });
  });

  it('must exist only if it is named', () => {
    expect(withSettingsFile({ stage: 'dev', settingsFile: '' })).toEqual({ ok: true, value: { stage: 'dev' } });
    expect(withSettingsFile({ settingsFile: 'nowhere.json' })).toEqual(
      rejected('settingsFile must name an existing file or be empty: there is no nowhere.json.'),
    );
  });

  it.each(['[]', '"text"', 'null', '{"callbackSecret": "SENTINEL', ''])(
    'is rejected as %j, without showing it',
    (content) => {
      const settingsFile = fileOf(content);

      expect(withSettingsFile({ settingsFile })).toEqual(
        rejected(`${settingsFile} must hold a JSON object of settings.`),
      );
    },
  );
});

const stages = {
  prod: { callRetentionDays: 400, alarmEmail: 'ops@example.com' },
  dev: { callRetentionDays: 7, agentPolling: 'off' },
};

describe('settings under `stages`', () => {
  it('apply to their stage', () => {
    expect(parseSettings({ stages })).toMatchObject({
      value: { stage: 'prod', callRetentionDays: 400, alarmEmail: 'ops@example.com', agentPolling: 'on' },
    });
    expect(parseSettings({ stages, stage: 'dev' })).toMatchObject({
      value: { stage: 'dev', callRetentionDays: 7, agentPolling: 'off' },
    });
  });

  it('must have the chosen stage, or a typing mistake would deploy another stack', () => {
    expect(parseSettings({ stages, stage: 'dve' })).toEqual(
      rejected('stage must be one of those under stages: prod, dev.'),
    );
  });

  it('must not set the stage themselves', () => {
    expect(parseSettings({ stages: { prod: { stage: 'dev' } } })).toEqual(
      rejected('stages must not contain the setting stage: the key of each entry is its stage.'),
    );
  });

  it('yield to settings at the top level, such as those of the command line', () => {
    expect(parseSettings({ stages, stage: 'dev', callRetentionDays: '30' })).toMatchObject({
      value: { callRetentionDays: 30, agentPolling: 'off' },
    });
  });

  it.each([
    ['a list', []],
    ['text', 'dev'],
    ['settings without a stage', { callRetentionDays: 7 }],
    ['a stage without settings', { dev: 'off' }],
    ['null', null],
  ])('are rejected as %s', (_what, malformed) => {
    expect(parseSettings({ stages: malformed })).toEqual(
      rejected('stages must be an object with the settings of each stage under its name.'),
    );
  });

  it.each([
    ['an invalid value', { dev: { callRetentionDays: 0 } }, /^callRetentionDays must be /],
    ['a misspelt name', { dev: { callRetention: 7 } }, /^callRetention: unknown setting; /],
  ])('are rejected with %s', (_what, invalid, message) => {
    expect(parseSettings({ stages: invalid, stage: 'dev' })).toEqual(rejected(expect.stringMatching(message)));
  });
});

const app = appFor();
let stacks = 0;
const newStack = () => new Stack(app, `Stack${++stacks}`);

/** Creates the construct with these settings, in a stack that is not synthesised. */
const create = (props: object) => new Callfeed(newStack(), 'Callfeed', props);

describe('the construct', () => {
  it('names all invalid settings, and does not show the secret', () => {
    const invalid = () => create({ throttleRate: 0, callbackSecret: 'short-SENTINEL' });

    expect(invalid).toThrow(/callbackSecret must be .*\. throttleRate must be .*\./);
    expect(invalid).not.toThrow(/SENTINEL/);
  });

  it.each(['callRetention', 'kmsKeyArn', 'alarmTopicArn', 'stages'])('has no setting %s', (name) => {
    expect(() => create({ [name]: 'x' })).toThrow(`${name}: unknown setting; the settings are callRetentionDays, `);
  });

  it('says what to do about the setting monitoring of before', () => {
    expect(() => create({ monitoring: 'full' })).toThrow(
      /^Invalid Callfeed settings: monitoring must be removed: [^.]+\.$/,
    );
  });

  it('rejects a stage that no parameter could have', () => {
    expect(() => create({ stage: 'Prod' })).toThrow(/^stage must be 1 to 20 lower-case letters, .*\.$/);
  });

  it.each([
    ['alarmEmail', { alarmEmail: 'ops@example.com' }, 'alarmTopic'],
    ['subscriberAccounts', { subscriberAccounts: ['111122223333'] }, 'bus'],
  ])('rejects %s, which would have no effect beside a supplied resource', (name, settings, supplied) => {
    const stack = newStack();
    const resources = { alarmTopic: new Topic(stack, 'Topic'), bus: new EventBus(stack, 'Bus') };

    expect(() => new Callfeed(stack, 'Callfeed', { ...settings, ...resources })).toThrow(
      new RegExp(`^Invalid Callfeed settings: ${name} must not be set with ${supplied}: `),
    );
  });
});
