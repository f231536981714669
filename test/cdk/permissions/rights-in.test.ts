import { describe, expect, it } from 'vitest';
import { rightsIn } from '../../../cdk/permissions/rights-in.ts';
import { table } from '../../../cdk/permissions/table.ts';
import { synthesised } from '../../../cdk/synthesised.ts';
import { configurations } from '../configurations.ts';
import { appFor } from '../synthesise.ts';

const rightsOf = (context: Readonly<Record<string, string>>) => {
  const stack = synthesised(context, appFor().outdir);
  if (!stack.ok) throw new Error(stack.problem.join('\n'));

  return rightsIn(stack.value);
};

describe.each(Object.entries(configurations))('with %s', (_name, context) => {
  const rights = rightsOf(context);

  it.each(rights)('$who has a reason for $action on $resource', ({ why }) => {
    expect(why).toMatch(/^[A-Z].{10,}\.$/);
  });

  it('every right is told once, and named as in the source', () => {
    const lines = rights.map(({ who, action, resource }) => [who, action, resource].join(' '));

    expect(new Set(lines).size).toBe(lines.length);
    for (const { resource } of rights) expect(resource).not.toMatch(/\$\{|[0-9A-F]{8}$/);
  });
});

describe('the rights', () => {
  const [ofAll, withoutPolling, withKey] = [
    rightsOf({}),
    rightsOf({ agentPolling: 'off' }),
    rightsOf(configurations.everything),
  ] as const;

  it('are of the functions and of the schedule, which goes with polling', () => {
    const whose = (rights = ofAll) => [...new Set(rights.map(({ who }) => who))];

    expect(whose()).toEqual([
      'ReceiveCallback',
      'RecoverCallbacks',
      'PublishChanges',
      'PollAgents',
      'PollAgents/EveryMinute',
    ]);
    expect(whose(withoutPolling)).toEqual(['ReceiveCallback', 'RecoverCallbacks', 'PublishChanges']);
  });

  it('reach to a key, where there is one', () => {
    const onKey = (rights = ofAll) => rights.filter(({ resource }) => resource.startsWith('arn:aws:kms:'));

    expect(onKey()).toEqual([]);
    expect(onKey(withKey).length).toBeGreaterThan(4);
  });
});

describe('the table', () => {
  const right = { who: 'PollAgents', action: 'sqs:SendMessage', resource: 'Ticks', why: 'Because.' };

  it('has a line for each right below its heading, in columns', () => {
    expect(table([right, { ...right, who: 'A', why: undefined }])).toEqual([
      'function    action           resource  why',
      'PollAgents  sqs:SendMessage  Ticks     Because.',
      'A           sqs:SendMessage  Ticks',
    ]);
  });
});
