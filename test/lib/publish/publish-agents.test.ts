import { describe, expect, it } from 'vitest';
import { stepOf } from '../../../lib/floor/step.ts';
import type { BusEvent } from '../../../lib/publish/row-change.ts';
import { publishChanges } from '../../../lib/publish-changes.ts';
import { agentChange } from '../support/agent-changes.ts';
import { agentFacts, loggedIn, moment } from '../support/agents.ts';
import { recordingBus, recordingTelemetry } from '../support/ports.ts';

const began = '2026-11-20T06:00:00.000Z';
const asha = loggedIn(began);
const both = stepOf(
  asha,
  agentFacts({ AgentState: 'ACW', AgentName: 'Asha' }),
  moment('2026-11-20T06:00:15.000Z'),
)?.after;
const changes = [agentChange(undefined, asha, 's1'), agentChange(asha, both, 's2')];
const typesOf = (events: readonly BusEvent[]) => events.map(({ type }) => type);

const publisher = (takes?: (event: BusEvent) => boolean) => {
  const bus = recordingBus(takes);
  const telemetry = recordingTelemetry();
  return { bus, telemetry, publish: publishChanges({ bus, telemetry, clock: () => new Date(began) }) };
};

describe('publishChanges, of agents', () => {
  it('publishes both events of one change, one call of the bus after the other', async () => {
    const { publish, bus, telemetry } = publisher();

    expect(await publish(changes)).toBeUndefined();
    expect(bus.calls.map(typesOf)).toEqual([['Agent Logged In'], ['Agent State Changed'], ['Agent Details Changed']]);
    expect(telemetry.counts).toMatchObject({ EventsPublished: 3 });
  });

  it('asks for the change again of which the bus took only the first event, and does not double that', async () => {
    let isUp = false;
    const { publish, bus } = publisher(({ type }) => isUp || type !== 'Agent Details Changed');

    expect(await publish(changes)).toBe('s2');
    isUp = true;
    expect(await publish(changes.slice(1))).toBeUndefined();
    expect(await publish(changes)).toBeUndefined();
    expect(bus.calls.map(typesOf)).toEqual([
      ['Agent Logged In'],
      ['Agent State Changed'],
      ['Agent Details Changed'],
      ['Agent Details Changed'],
    ]);
  });

  it('publishes the first event before the second, whichever the bus refuses', async () => {
    let isUp = false;
    const { publish, bus } = publisher(({ type }) => isUp || type !== 'Agent State Changed');

    expect(await publish(changes)).toBe('s2');
    isUp = true;
    expect(await publish(changes.slice(1))).toBeUndefined();
    expect(bus.calls.map(typesOf)).toEqual([
      ['Agent Logged In'],
      ['Agent State Changed'],
      ['Agent State Changed'],
      ['Agent Details Changed'],
    ]);
  });

  it('publishes agents together, ten to a call', async () => {
    const { publish, bus } = publisher();
    await publish(
      Array.from({ length: 25 }, (_, index) =>
        agentChange(undefined, loggedIn(began, { AgentId: `${index}` }), `s${index}`),
      ),
    );

    expect(bus.calls.map(({ length }) => length)).toEqual([10, 10, 5]);
  });

  it('passes over a row that somebody else wrote, and reports it', async () => {
    const { publish, bus, telemetry } = publisher();
    const foreign = { sequence: 's0', after: { kind: 'agent', pk: 'demo', sk: 'agent#x' } };

    expect(await publish([foreign, ...changes])).toBeUndefined();
    expect(bus.sent()).toHaveLength(3);
    expect(telemetry.places()).toEqual(['row']);
  });
});
