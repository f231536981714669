import { Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { Callfeed } from '../../../cdk/callfeed.ts';
import { Settings } from '../../../cdk/settings/settings.ts';
import { appFor } from '../support/synthesise.ts';
import { invalidSettings } from './invalid-settings.ts';

const app = appFor();
let stacks = 0;
const newStack = () => new Stack(app, `Stack${++stacks}`);

/** Makes one of these settings, in a stack that is not synthesised. */
const make = (props: object) => new Callfeed(newStack(), 'Callfeed', props);

describe('the construct', () => {
  it('refuses accounts of subscribers where what would let them in is left out', () => {
    const settings = { subscriberAccounts: ['111122223333'], leaveOut: ['bus-policy'] };

    expect(() => make(settings)).toThrow(/^Wrong settings of Callfeed: subscriberAccounts must be left out where /);
  });

  it.each(invalidSettings)('refuses %s=%j: %s', (name, value) => {
    expect(() => make({ [name]: value })).toThrow(new RegExp(`^Wrong settings of Callfeed: ${name} must be .+\\.$`));
  });

  it('has a row above for every setting', () => {
    expect(new Set(invalidSettings.map(([name]) => name))).toEqual(new Set(Object.keys(Settings.shape)));
  });

  it('names all that are wrong, and does not show the secret', () => {
    const wrong = () => make({ throttleRate: 0, callbackSecret: 'short-SENTINEL' });

    expect(wrong).toThrow(/callbackSecret must be .*\. throttleRate must be .*\./);
    expect(wrong).not.toThrow(/SENTINEL/);
  });

  it.each(['callRetention', 'stage', 'kmsKeyArn', 'alarmTopicArn', 'stages'])('knows no setting %s', (name) => {
    expect(() => make({ [name]: 'x' })).toThrow(`${name}: no such setting; there are callRetentionDays, `);
  });

  it.each([
    ['alarmEmail', { alarmEmail: 'ops@example.com' }, 'alarmTopic'],
    ['subscriberAccounts', { subscriberAccounts: ['111122223333'] }, 'bus'],
  ])('refuses %s where it would do nothing, beside what is brought along', (name, settings, beside) => {
    const stack = newStack();
    const own = { alarmTopic: new Topic(stack, 'Topic'), bus: new EventBus(stack, 'Bus') };

    expect(() => new Callfeed(stack, 'Callfeed', { ...settings, ...own })).toThrow(
      new RegExp(`^Wrong settings of Callfeed: ${name} must be left out beside ${beside}: `),
    );
  });
});
