import assert from 'node:assert/strict';
import type { EventDetail } from '../../../../lib/publish/events-of-change.ts';
import type { Row } from '../../../../lib/storage/rows.ts';
import { history } from '../../../support/agent-history.ts';

export interface AgentEvent {
  readonly type: string;
  readonly detail: EventDetail;
}

const details = ['name', 'phoneNumber', 'skills'] as const;

const currentOf = ({ detail }: AgentEvent): Row => Object(detail['current']);

/** The expected events of a change, as comparable texts. */
const expectedEvents = (before: Row | undefined, now: Row): readonly string[] => {
  if (before === undefined || before['loggedInSince'] !== now['loggedInSince']) return ['Agent Logged In'];
  if (now['state'] === 'logged-out') return ['Agent Logged Out'];
  const changed = details.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
  return [
    ...(changed.length === 0 ? [] : [`Agent Details Changed: ${changed}`]),
    ...(before['since'] === now['since'] ? [] : ['Agent State Changed']),
  ];
};

const eventSummary = ({ type, detail }: AgentEvent): string =>
  type === 'Agent Details Changed' ? `${type}: ${detail['changedFields']}` : type;

/** Every change of an agent is published, nothing else is, and the last event equals the row. */
export const expectEachChangePublished = (events: readonly AgentEvent[], rows: readonly Row[]): void => {
  const { agents } = history(rows);
  const ofAgents = events.filter(({ detail }) => detail['agentId'] !== undefined);
  const byAgent = Map.groupBy(ofAgents, ({ detail }) => String(detail['agentId']));
  for (const [agentId, own] of byAgent) {
    let before: Row | undefined;
    const versions = Map.groupBy(own, (event) => `${currentOf(event)['loggedInSince']} ${event.detail['version']}`);
    for (const [version, all] of versions) {
      const [now = {}] = all.map(currentOf);
      assert.deepEqual(
        all.map(eventSummary).sort(),
        expectedEvents(before, now),
        `${agentId}: the events of version ${version}`,
      );
      before = now;
    }
    if (before?.['state'] !== 'logged-out')
      assert.ok(
        agents.some((row) => row['agentId'] === agentId),
        `${agentId} was published as logged in, and has no row`,
      );
  }
  for (const row of agents) {
    const last = byAgent.get(String(row['agentId']))?.at(-1);
    assert.ok(last !== undefined, `${row['agentId']} has no event`);
    const inRow = Object.entries(currentOf(last)).map(([name]) => [name, row[name]]);
    assert.deepEqual(currentOf(last), Object.fromEntries(inRow), `${row['agentId']} differs from its last event`);
  }
};

/** Interruptions and their ends are published in turn, with their length. */
export const expectInterruptionsToEnd = (events: readonly AgentEvent[]): void => {
  const ofFeed = events.filter(({ type }) => type.startsWith('Agent Feed'));
  const types = ofFeed.map((_, index) => (index % 2 === 0 ? 'Agent Feed Interrupted' : 'Agent Feed Restored'));
  assert.deepEqual(
    ofFeed.map(({ type }) => type),
    types,
    'interruptions and their ends alternate',
  );
  assert.equal(ofFeed.length % 2, 0, 'the end of an interruption is not published');
  for (const [index, { detail }] of ofFeed.entries()) {
    if (index % 2 === 0) continue;
    const since = String(ofFeed[index - 1]?.detail['occurredAt']);
    const seconds = Math.round((Date.parse(String(detail['occurredAt'])) - Date.parse(since)) / 1_000);
    assert.deepEqual(
      [detail['interruptedAt'], detail['secondsInterrupted']],
      [since, seconds],
      'the length of an interruption',
    );
  }
};

/** The rows equal the contact centre’s agents and are listed under their states, and the feed counts them. */
export const expectAgentsToBe = (rows: readonly Row[], expected: ReadonlyMap<string, Row>): void => {
  const { feed, agents } = history(rows);
  const found = agents.map(({ agentId, state, stateAsSent, name, phoneNumber, skills }): [string, Row] => [
    String(agentId),
    { state, stateAsSent, name, phoneNumber, skills },
  ]);
  assert.deepEqual(new Map(found), new Map(expected), 'the rows differ from the contact centre');
  for (const { account, agentId, state, agentsInState } of agents)
    assert.equal(agentsInState, `${account}#${state}`, `${agentId} is listed under the state`);

  const states = [...expected.values()].map(({ state }) => String(state));
  const counts = Object.fromEntries(
    [...Map.groupBy(states, (state) => state)].map(([state, all]) => [state, all.length]),
  );
  const feedSummary = [feed?.['status'], feed?.['agentCount'], feed?.['counts']];
  assert.deepEqual(feedSummary, ['live', expected.size, counts], 'the feed counts the agents wrongly');
};
