import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { wireAgentFields } from '../../../lib/agents/normalise-agent.ts';
import { Agent, AgentFacts } from '../../../lib/agents/schema.ts';
import { agentEvents } from '../../../lib/contract/agent-events.ts';
import { keysOf } from '../../../lib/core/collections.ts';
import type { RowChange } from '../../../lib/publish/events-of-change.ts';
import { eventsOf } from '../../../lib/publish/events-of-change.ts';
import { pollProblems } from '../../../lib/telephony/service/service.ts';
import { deployment, noAnswer, success } from '../../deployment/index.ts';
import { arbitraryPolls } from '../../support/arbitraries.ts';
import { holdsAsync } from '../../support/property.ts';

describe('the facts of an agent', () => {
  it('name the field that each fact comes from', () => {
    const origins = Object.values(AgentFacts.shape).map((fact) => z.globalRegistry.get(fact)?.['origin']);

    expect(new Set(origins)).toEqual(new Set([...wireAgentFields, undefined]));
  });

  it('name the facts that may identify a person', () => {
    const personal = keysOf(Agent.shape).filter(
      (name) => z.globalRegistry.get(Agent.shape[name])?.['personal'] === true,
    );

    expect(personal).toEqual(['name', 'phoneNumber', 'stateAsSent', 'extra']);
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
  it('satisfies the contract and has an id of its own, whatever polls answer and whichever image is missing', async () => {
    const seen = new Set<string>();
    await holdsAsync(
      fc.asyncProperty(polls, async ([shown, failures]) => {
        const logins = shown.map(({ records }, index) => {
          const reason = failures[index];
          return reason === null || reason === undefined ? success(records) : noAnswer(reason);
        });
        const d = await deployment({ service: { logins } });
        for (const { afterSeconds } of shown) {
          await d.tick();
          d.advance(Math.max(afterSeconds, 15) * 1000);
        }
        const events = d.changes().flatMap(eventsOf);

        for (const { type } of events) seen.add(type);
        const ids = events.map(({ detail }) => detail.id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const change of d.changes()) {
          expect(problemsOf(change).filter((error) => error !== undefined)).toEqual([]);
          expect(problemsOf({ ...change, before: undefined }).filter((error) => error !== undefined)).toEqual([]);
        }
      }),
    );

    expect(seen).toEqual(new Set(Object.keys(agentEvents)));
  });
});
