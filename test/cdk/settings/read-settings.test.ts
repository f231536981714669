import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Callfeed } from '../../../cdk/callfeed.ts';
import { parseSettings, withSettingsFile } from '../../../cdk/settings/read-settings.ts';
import { StageSettings } from '../../../cdk/settings/settings.ts';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { kmsKeyArn } from '../support/configurations.ts';
import { appFor } from '../support/template.ts';

const stages = {
  prod: { callRetentionDays: 400, alarmEmail: 'ops@example.com' },
  dev: { callRetentionDays: 7, agentPolling: 'off' },
};

const secret = 'a-long.and~plain_SECRET-0123';
const topicArn = 'arn:aws:sns:eu-west-1:111122223333:alarms';
const certificateArn = 'arn:aws:acm:eu-west-1:111122223333:certificate/1234abcd-12ab-34cd-56ef-1234567890ab';

/** A setting's default, values that it accepts (with what becomes of text), and values that are invalid in every way. */
interface Row {
  readonly byDefault?: unknown;
  readonly accepts?: readonly (readonly [given: unknown, value?: unknown])[];
  readonly refuses: readonly unknown[];
}

const number = (most: number, byDefault?: number): Row => ({
  byDefault,
  accepts: [['1', 1], [most]],
  refuses: ['0', String(most + 1), 'forever', '', 1.5, '1e2', -1, true],
});
/** Runs at once of a queue's reader: 2 to 1,000, as Lambda allows. Without its feature only the default is accepted. */
const runsAtOnce = (byDefault: number): Row => ({
  byDefault,
  accepts: [[String(byDefault), byDefault]],
  refuses: ['0', '1', '1001', 'all', '', 2.5, true],
});
const words = (byDefault: string, ...others: readonly string[]): Row => ({
  byDefault,
  accepts: [byDefault, ...others].map((word) => [word]),
  refuses: ['yes', byDefault.toUpperCase(), '', true],
});
const accounts: Row = {
  byDefault: [],
  accepts: [['111122223333, 011122223333', ['111122223333', '011122223333']], [['111122223333']], [[]]],
  refuses: [
    ['11112222333'],
    ['1111222233334'],
    ['111122223333', '111122223333'],
    ['acme'],
    [''],
    [111122223333],
    ...[111122223333, '111122223333,11112222333', '111122223333;444455556666', '111122223333, 111122223333', ''],
  ],
};
const ofCallbacks: Row = {
  accepts: [[secret]],
  refuses: [
    '',
    'x'.repeat(15),
    'x'.repeat(129),
    'a/slash/would/be/a/path',
    'percent%20needs%20escape',
    1234567890123456,
  ],
};

/** Every setting. */
const rows: Readonly<Record<keyof typeof StageSettings.shape, Row>> = {
  stage: { byDefault: 'prod', accepts: [['test-2']], refuses: ['Prod', '2nd', 'a'.repeat(21), '', 7] },
  callRetentionDays: number(3650, 730),
  quarantineRetentionDays: number(3650, 30),
  snapshotRetentionDays: number(365, 7),
  intervalRetentionDays: number(3650, 90),
  eventArchiveDays: number(3650, 30),
  // What CloudWatch supports: 30 and not 31, ten years, and not for ever, which is 9999.
  logRetentionDays: {
    byDefault: 30,
    accepts: [['1', 1], [3653]],
    refuses: ['0', '31', '9999', 'ONE_MONTH', ''],
  },
  agentPolling: words('on', 'off'),
  reconciliation: words('off', 'hourly', 'daily'),
  forwarding: words('off', 'on'),
  forwardingConcurrency: runsAtOnce(10),
  recordings: words('off'),
  recordingHosts: {
    byDefault: [],
    refuses: [
      ...['https://recordings.example.com', 'recordings.example.com:443', '*.example.com', 'Recordings.example.com'],
      '127.0.0.1',
      'localhost',
      'a.example.com,a.example.com',
      true,
    ],
  },
  recordingRetentionDays: { ...number(3650), accepts: [] },
  recordingConcurrency: runsAtOnce(5),
  recordingMaxMegabytes: { ...number(5000, 500), accepts: [] },
  analytics: words('off', 'on'),
  analyticsRetentionDays: number(3650, 730),
  lakeFormation: words('defaults'),
  throttleRate: number(10_000, 500),
  throttleBurst: number(5_000, 1_000),
  receiverConcurrency: number(10_000),
  callbackSecret: ofCallbacks,
  formerCallbackSecret: { refuses: ofCallbacks.refuses },
  callbackDomain: { refuses: ['https://calls.example.com', 'Calls.example.com', 'calls', ''] },
  callbackCertificateArn: { refuses: [certificateArn.replace('acm', 'iam'), 'calls', ''] },
  subscriberAccounts: accounts,
  readerAccounts: accounts,
  personalFieldsInEvents: words('keep', 'leave-out'),
  dataProtection: words('on', 'off'),
  dashboard: words('off', 'on'),
  tracing: words('off', 'on'),
  alarmEmail: { accepts: [['ops@example.com']], refuses: ['ops', 'ops@example.com,dev@example.com', ''] },
  runbookUrl: {
    accepts: [['https://wiki.example.com/callfeed']],
    refuses: [...['http://wiki.example.com/callfeed', 'wiki.example.com', 'https://wiki.example/runbook#callfeed', '']],
  },
  leaveOut: {
    byDefault: [],
    accepts: [['archive,bus-policy', ['archive', 'bus-policy']], [['schemas', 'queries']]],
    refuses: ['archive,alarms', ['archive', 'archive'], [''], true],
  },
  bootstrapQualifier: { accepts: [['callfeed']], refuses: ['call-feed', 'elevenchars'] },
  permissionsBoundary: {
    accepts: [['callfeed-boundary']],
    refuses: ['arn:aws:iam::111122223333:policy/callfeed-boundary', ''],
  },
  // Neither an id without region and account, nor an alias, which a policy cannot name.
  kmsKeyArn: {
    accepts: [[kmsKeyArn], ['arn:aws-cn:kms:cn-north-1:111122223333:key/mrk-1234abcd12ab34cd56ef1234567890ab']],
    refuses: [
      ...['1234abcd-12ab-34cd-56ef-1234567890ab', 'arn:aws:kms:eu-west-1:111122223333:alias/callfeed'],
      'arn:aws:kms:eu-west-1:111122223333:key/callfeed',
      kmsKeyArn.replace('111122223333', '11112222333'),
      '',
    ],
  },
  alarmTopicArn: {
    accepts: [[topicArn]],
    refuses: [topicArn.replace('sns', 'sqs'), `${topicArn}:0a1b2c`, 'alarms', ''],
  },
};

const settings = Object.entries(rows);
const defaults = Object.fromEntries(
  settings.flatMap(([name, { byDefault }]) => (byDefault === undefined ? [] : [[name, byDefault]])),
);
const names = [...Object.keys(StageSettings.shape), 'stages', 'settingsFile'].join(', ');
const rejected = (...problem: readonly unknown[]) => ({ ok: false, problem });

describe('parseSettings', () => {
  it('has a default for every setting, so a deployment needs none', () => {
    expect(parseSettings(cdkJson.context)).toEqual({ ok: true, value: defaults });
  });

  it.each(
    settings.flatMap(([name, { accepts = [] }]) =>
      accepts.map(([given, value = given]) => [name, given, value] as const),
    ),
  )('accepts %s=%j: text as on the command line, values as in a JSON file', (name, given, value) => {
    expect(parseSettings({ [name]: given })).toMatchObject({ ok: true, value: { [name]: value } });
  });

  it.each(settings.flatMap(([name, { refuses }]) => refuses.map((value) => [name, value] as const)))(
    'rejects %s=%j',
    (name, value) => {
      const expected = expect.stringMatching(new RegExp(`^${name} must be .+[^.]\\.$`));

      expect(parseSettings({ [name]: value })).toEqual(rejected(expected));
    },
  );

  const monitoring =
    'monitoring must be removed: every deployment has the same alarms now, and dashboard=on adds the dashboard of monitoring=full.';
  const malformed = 'stages must be an object with the settings of each stage under its name.';

  it.each<[settings: Readonly<Record<string, unknown>>, ...sentences: readonly string[]]>([
    // A list is reported once, however many of its items are invalid, and all settings at once.
    [
      { subscriberAccounts: 'a,b,b', stage: '!' },
      'subscriberAccounts must be AWS account ids of 12 digits, each once, separated by commas.',
      'stage must be 1 to 20 lower-case letters, digits and hyphens, the first one a letter.',
    ],
    // These would have no effect.
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
    [{ forwardingConcurrency: '30' }, 'forwardingConcurrency must not be set without forwarding=on.'],
    [{ recordingConcurrency: '30' }, 'recordingConcurrency must not be set without recordings=archive.'],
    [{ recordingMaxMegabytes: '30' }, 'recordingMaxMegabytes must not be set without recordings=archive.'],
    [
      {
        recordings: 'archive',
        recordingHosts: 'a.example.com',
        recordingRetentionDays: '91',
        callRetentionDays: '90',
      },
      'recordingRetentionDays must not exceed callRetentionDays: without its call nobody finds a recording, to erase it.',
    ],
    [{ formerCallbackSecret: secret }, 'formerCallbackSecret must not be set without callbackSecret, the new secret.'],
    [
      { callbackDomain: 'calls.example.com' },
      'callbackDomain must not be set without callbackCertificateArn, the certificate for it.',
    ],
    [
      { callbackCertificateArn: certificateArn },
      'callbackCertificateArn must not be set without callbackDomain, the name that it is for.',
    ],
    // Settings of before, unknown ones, which would otherwise deploy the default, and ones that CDK would ignore.
    [{ stage: 'dev', stages: { dev: { monitoring: 'full' } } }, monitoring],
    [
      { timeZone: 'UTC', monitoring: '', callRetention: '9' },
      monitoring,
      'timeZone must be removed: it is a field of each account in the secret now.',
      `callRetention: unknown setting; the settings are ${names}.`,
    ],
    [{ 'call-retention-days': '9' }, 'call-retention-days: unknown setting; did you mean callRetentionDays?'],
    [{ 'call:RetentionDays': '9' }, 'call:RetentionDays: unknown setting; did you mean callRetentionDays?'],
    [{ leaveout: '9' }, 'leaveout: unknown setting; did you mean leaveOut?'],
    [{ STAGE: '9' }, 'STAGE: unknown setting; did you mean stage?'],
    // What `stages` may hold. A typing mistake in the stage would deploy another stack.
    [{ stages, stage: 'dve' }, 'stage must be one of those under stages: prod, dev.'],
    [
      { stages: { prod: { stage: 'dev' } } },
      'stages must not contain the setting stage: the key of each entry is its stage.',
    ],
    [{ stages: [] }, malformed],
    [{ stages: 'dev' }, malformed],
    [{ stages: { callRetentionDays: 7 } }, malformed],
    [{ stages: { dev: 'off' } }, malformed],
    [{ stages: null }, malformed],
    [
      { forwarding: 'on', forwardingConcurrency: '1' },
      'forwardingConcurrency must be a whole number of deliveries at once from 2 to 1000.',
    ],
    [
      { stages: { dev: { callRetentionDays: 0 } }, stage: 'dev' },
      'callRetentionDays must be a whole number of days from 1 to 3650.',
    ],
  ])('rejects %j: %s', (settings, ...sentences) => {
    expect(parseSettings(settings)).toEqual(rejected(...sentences));
  });

  it.each([
    [{ stages }, { stage: 'prod', callRetentionDays: 400, alarmEmail: 'ops@example.com', agentPolling: 'on' }],
    [
      { stages, stage: 'dev' },
      { stage: 'dev', callRetentionDays: 7, agentPolling: 'off' },
    ],
    // As on the command line.
    [
      { stages, stage: 'dev', callRetentionDays: '30' },
      { callRetentionDays: 30, agentPolling: 'off' },
    ],
  ])('applies settings under stages to their stage, and yields to the top level: %j', (given, value) => {
    expect(parseSettings(given)).toMatchObject({ ok: true, value });
  });
});

const folder = mkdtempSync(join(tmpdir(), 'callfeed-settings-'));

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
  const listed = [...page.matchAll(/^\| `(\w+)` \| (?:`([^`]+)`|(\d+)|[^|]+) \| ([^|]+) \| [A-Z`*][^|]*\. \|$/gm)].map(
    ([, name = '', word, number, values = '']) => ({ name, byDefault: word ?? (number && Number(number)), values }),
  );
  it('lists every setting once, with its default', () => {
    const hasDefault = Object.entries(defaults).filter(([, value]) => !Array.isArray(value));

    expect(listed.map(({ name }) => name).toSorted()).toEqual(names.split(', ').toSorted());
    expect(Object.fromEntries(listed.map(({ name, byDefault }) => [name, byDefault]))).toMatchObject(
      Object.fromEntries(hasDefault),
    );
  });

  const bounded = Object.entries(StageSettings.shape).map(([name, setting]) => [name, allowed(setting)] as const);
  it.each(bounded.filter(([, values]) => values))('says that %s may be %s', (name, values) => {
    expect(listed.find((row) => row.name === name)?.values).toContain(values);
  });
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

const app = appFor();
let stacks = 0;

describe('the construct', () => {
  it.each<[(stack: Stack) => object, RegExp]>([
    [
      () => ({ throttleRate: 0, callbackSecret: 'short-SENTINEL' }),
      /^Invalid Callfeed settings: callbackSecret must be (?!.*SENTINEL).*\. throttleRate must be .*\.$/,
    ],
    ...['callRetention', 'kmsKeyArn', 'alarmTopicArn', 'stages'].map((name): [() => object, RegExp] => [
      () => ({ [name]: 'x' }),
      new RegExp(`: ${name}: unknown setting; the settings are callRetentionDays, `),
    ]),
    [() => ({ monitoring: 'full' }), /^Invalid Callfeed settings: monitoring must be removed: [^.]+\.$/],
    [() => ({ stage: 'Prod' }), /^stage must be 1 to 20 lower-case letters, .*\.$/],
    [
      (stack) => ({ alarmEmail: 'ops@example.com', alarmTopic: new Topic(stack, 'Topic') }),
      /^Invalid Callfeed settings: alarmEmail must not be set with alarmTopic: /,
    ],
    [
      (stack) => ({ subscriberAccounts: ['111122223333'], bus: new EventBus(stack, 'Bus') }),
      /^Invalid Callfeed settings: subscriberAccounts must not be set with bus: /,
    ],
  ])('rejects %s', (propsIn, message) => {
    const stack = new Stack(app, `Stack${++stacks}`);

    expect(() => new Callfeed(stack, 'Callfeed', propsIn(stack))).toThrow(message);
  });
});
