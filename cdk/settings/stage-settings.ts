import type * as z from 'zod';
import { text } from './kinds.ts';
import { Settings } from './settings.ts';

const arn = (service: string, resource: string, example: string) =>
  text(new RegExp(`^arn:aws[a-z-]*:${service}:[a-z0-9-]+:\\d{12}:${resource}$`), `must be an ARN such as ${example}`);

/** Of a key in one region, or in several. */
const keyId = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|mrk-[0-9a-f]{32}';

/** What may be chosen of a stack of its own: a construct in a customer's own app is handed objects instead. */
export const StageSettings = Settings.extend({
  /** Names the stack. */
  stage: text(
    /^[a-z][a-z0-9-]{0,19}$/,
    'must be 1 to 20 lower-case letters, digits and hyphens, the first one a letter',
  ).default('prod'),
  /** Of the CDK's bootstrap stack by which this one is deployed, where that is not the account's common one. */
  bootstrapQualifier: text(/^[A-Za-z0-9]{1,10}$/, 'must be 1 to 10 letters and digits').optional(),
  /** Encrypts whatever is kept, in place of the keys that AWS owns. */
  kmsKeyArn: arn('kms', `key/(${keyId})`, 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-…').optional(),
  /** Gets the alarms, in place of a topic of our own. */
  alarmTopicArn: arn('sns', '[A-Za-z0-9_-]+', 'arn:aws:sns:eu-west-1:111122223333:alarms').optional(),
}).refine(({ alarmEmail, alarmTopicArn }) => alarmEmail === undefined || alarmTopicArn === undefined, {
  error: 'must be left out where alarmTopicArn is given: who hears of that topic is set up there',
  path: ['alarmEmail'],
});

/** The settings of a stage, as they hold. */
export type StageSettings = Readonly<z.output<typeof StageSettings>>;
