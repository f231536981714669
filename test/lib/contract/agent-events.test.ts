import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Agent, AgentFacts } from '../../../lib/agents/agent.ts';
import { Feed, pollProblems } from '../../../lib/agents/feed.ts';
import { Snapshot } from '../../../lib/agents/snapshot.ts';
import { agentEvents } from '../../../lib/contract/agent-events.ts';
import { eventsOf } from '../../../lib/publish/publish-changes.ts';
import type { RowChange } from '../../../lib/publish/row-change.ts';
import { agentsTable } from '../../../lib/schema/tables.ts';
import { wireAgentFields } from '../../../lib/telephony/agent-fields.ts';
import { noReply, pollRun, success } from '../../support/agent-polling.ts';
import { arbitraryPolls } from '../../support/arbitraries.ts';
import { holdsAsync } from '../../support/property.ts';

const agentTypes = Object.keys(agentEvents).filter((type) => !type.startsWith('Agent Feed'));

describe('agentEvents', () => {
  it.each(Object.entries(agentEvents))('gives %s a JSON Schema for the registry', (type, schema) => {
    const json = z.toJSONSchema(schema, { target: 'draft-04' });

    expect(json).toMatchObject({ title: type, type: 'object', additionalProperties: false });
    expect(json.required).toEqual(
      expect.arrayContaining(['schemaVersion', 'id', 'account', 'occurredAt', 'recordedAt']),
    );
  });

  it.each(Object.entries(agentEvents))('says of every field of %s what it is', (_type, schema) => {
    const described = Object.values(schema.shape).map((field) => field.meta()?.description);

    expect(described).not.toContain(undefined);
  });

  it.each(agentTypes)('has in %s the agent before and after, and the version', (type) => {
    const schema = agentEvents[type as keyof typeof agentEvents];

    expect(Object.keys(schema.shape)).toEqual(expect.arrayContaining(['agentId', 'version', 'previous', 'current']));
  });

  it('says how long the state before was, wherever there was one', () => {
    const lacking = agentTypes.filter(
      (type) => !('secondsInPreviousState' in agentEvents[type as keyof typeof agentEvents].shape),
    );

    expect(lacking).toEqual(['Agent Logged In']);
  });
});

describe('what is said of an agent', () => {
  it('names for every fact the field from which it comes', () => {
    const origins = AgentFacts.keyof().options.map((name) => AgentFacts.shape[name].meta()?.['origin']);

    expect(new Set(origins)).toEqual(new Set(wireAgentFields));
  });

  it('says which facts may identify a person', () => {
    const personal = Agent.keyof().options.filter((name) => Agent.shape[name].meta()?.['personal'] === true);

    expect(personal).toEqual(['name', 'phoneNumber', 'stateAsSent']);
  });

  it.each<[string, z.ZodObject]>([
    ['an agent', Agent],
    ['a feed', Feed],
    ['a kept floor', Snapshot],
  ])('describes every field of %s', (_title, schema) => {
    expect(Object.values(schema.shape).map((field) => (field as z.ZodType).meta()?.description)).not.toContain(
      undefined,
    );
  });
});

describe('agentsTable', () => {
  it('lists agents by state, in the order of since when they are in it', () => {
    expect(agentsTable.indexes).toMatchObject([
      { name: 'byState', key: { partition: 'agentsInState', sort: 'since' } },
    ]);
  });

  it('shows in that list only what the row has', () => {
    const known = new Set<string>([...Agent.keyof().options, 'account']);

    expect(agentsTable.indexes.flatMap(({ projection }) => projection).filter((name) => !known.has(name))).toEqual([]);
  });

  it('is published by agent and by what becomes of the feed, and expires', () => {
    expect(agentsTable.published).toEqual(['agent', 'feed-change']);
    expect(agentsTable.timeToLive).toBe('expiresAt');
  });
});

const problemsOf = (change: RowChange) =>
  eventsOf(change).map(({ type, detail }) => {
    const schema = agentEvents[type as keyof typeof agentEvents];
    return schema.safeParse(JSON.parse(JSON.stringify(detail))).error;
  });

/** Polls that show floors, and now and then fail. */
const polls = fc.tuple(
  arbitraryPolls,
  fc.array(fc.option(fc.constantFrom(...pollProblems)), { minLength: 25, maxLength: 25 }),
);

describe('a published event about agents', () => {
  it('satisfies the contract, whatever polls show and whatever image is missing', async () => {
    const seen = new Set<string>();
    await holdsAsync(
      fc.asyncProperty(polls, async ([shown, failures]) => {
        const logins = shown.map(({ records }, index) => {
          const reason = failures[index];
          return reason === null || reason === undefined ? success(records) : noReply(reason);
        });
        const { poll, advance, table, events } = pollRun({ logins });
        for (const { afterSeconds } of shown) {
          await poll();
          advance(Math.max(afterSeconds, 15) * 1000);
        }

        for (const { type } of events()) seen.add(type);
        for (const change of table.changes()) {
          expect(problemsOf(change).filter((error) => error !== undefined)).toEqual([]);
          expect(problemsOf({ ...change, before: undefined }).filter((error) => error !== undefined)).toEqual([]);
        }
      }),
    );

    expect(seen).toEqual(new Set(Object.keys(agentEvents)));
  });

  it('has an id of its own, whatever polls show', async () => {
    await holdsAsync(
      fc.asyncProperty(arbitraryPolls, async (shown) => {
        const { poll, advance, events } = pollRun({ logins: shown.map(({ records }) => success(records)) });
        for (const { afterSeconds } of shown) {
          await poll();
          advance(Math.max(afterSeconds, 15) * 1000);
        }
        const ids = events().map(({ detail }) => detail.id);

        expect(new Set(ids).size).toBe(ids.length);
      }),
      50,
    );
  });
});
