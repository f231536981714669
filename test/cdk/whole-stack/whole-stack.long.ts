import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../../cdk/settings/read-settings.ts';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { type Context, configurations } from '../support/configurations.ts';
import { synthesise } from '../support/template.ts';
import { stackRules } from './rules.ts';

/** Settings that need another, which goes with them. */
const needed: Readonly<Record<string, Context>> = {
  recordings: { recordingHosts: 'recordings.example.com' },
  callbackDomain: { callbackCertificateArn: configurations.everything.callbackCertificateArn },
  lakeFormation: { analytics: 'on' },
  analyticsRetentionDays: { analytics: 'on' },
};

const everything: Context = configurations.everything;
const all = Object.entries({ ...everything, ...configurations['the least'] });

const without = (context: Context, name: string): Context =>
  Object.fromEntries(Object.entries(context).filter(([other]) => other !== name && !(other in Object(needed[name]))));

/** One step away from no settings, and one from everything, where these settings may stand together. */
const variants = all
  .flatMap(([name, value]): readonly (readonly [string, Context])[] => [
    [`${name} alone`, { ...needed[name], [name]: value }],
    [`everything without ${name}`, without(everything, name)],
    [`everything, and ${name} of the least`, { ...everything, [name]: value }],
  ])
  .filter(([, context]) => parseSettings({ ...cdkJson.context, ...context }).ok);

describe.each(variants)('in a stack with %s', (_name, context) => {
  const synthesised = synthesise({ context });

  it.each(Object.entries(stackRules))('%s', (_rule, rule) => {
    expect(rule(synthesised).broken).toEqual([]);
  });
});

it('nearly every setting is tried in two ways', () => {
  expect(variants.length).toBeGreaterThan(2 * all.length);
});
