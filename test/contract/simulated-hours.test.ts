import { expect, it } from 'vitest';
import { parseEvent } from '../../contract/index.ts';
import { eventSchemas } from '../../lib/contract/event-schemas.ts';
import { eventFaults } from './support/schema-checks.ts';
import { simulatedHours } from './support/simulated-hours.ts';

it('every event of three quarters of an hour in the sandbox’s contact centre fits its JSON Schema and is taken by parseEvent', async () => {
  const counts = new Map<string, number>();
  const fields = new Set<string>();
  for await (const events of simulatedHours({ seed: 20_261_121, hours: 0.75, gapMs: 9_000 }))
    for (const event of events) {
      const type = event['detail-type'];
      expect(eventFaults(event), type).toEqual([]);
      expect(parseEvent(event)).toBe(event);
      counts.set(type, (counts.get(type) ?? 0) + 1);
      for (const name of Object.keys(event.detail['call'] ?? {})) fields.add(name);
    }

  expect(new Set(counts.keys())).toEqual(new Set(Object.keys(eventSchemas)));
  expect(counts.get('Call Summary Recorded')).toBeGreaterThan(200);
  expect(counts.get('Agent State Changed')).toBeGreaterThan(200);
  expect([...fields]).toEqual(
    expect.arrayContaining(['notes', 'extra', 'linkedCallId', 'dispositions', 'hangupByAsSent']),
  );
}, 120_000);
