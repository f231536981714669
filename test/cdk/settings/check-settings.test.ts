import { Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { Callfeed } from '../../../cdk/callfeed.ts';
import { appFor } from '../support/synthesise.ts';
import { invalidSettings } from './invalid-settings.ts';

const app = appFor();
let stacks = 0;
const newStack = () => new Stack(app, `Stack${++stacks}`);

/** Creates the construct with these settings, in a stack that is not synthesised. */
const create = (props: object) => new Callfeed(newStack(), 'Callfeed', props);

describe('the construct', () => {
  it.each(invalidSettings)('rejects %s=%j: %s', (name, value) => {
    expect(() => create({ [name]: value })).toThrow(new RegExp(`^Invalid Callfeed settings: ${name} must be .+\\.$`));
  });

  it('names all invalid settings, and does not show the secret', () => {
    const invalid = () => create({ throttleRate: 0, callbackSecret: 'short-SENTINEL' });

    expect(invalid).toThrow(/callbackSecret must be .*\. throttleRate must be .*\./);
    expect(invalid).not.toThrow(/SENTINEL/);
  });

  it.each(['callRetention', 'kmsKeyArn', 'alarmTopicArn', 'stages'])('has no setting %s', (name) => {
    expect(() => create({ [name]: 'x' })).toThrow(`${name}: unknown setting; the settings are callRetentionDays, `);
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
