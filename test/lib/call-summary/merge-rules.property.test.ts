import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../lib/record/delivery.ts';
import { withDerived } from '../../../lib/record/derived.ts';
import { callDelivery } from '../support/arbitrary-deliveries.ts';
import { holds } from '../support/property.ts';
import { recordFrom } from '../support/record-of.ts';

const severalCalls = fc.array(callDelivery, { minLength: 1, maxLength: 6 });

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isAutomatic = (disposition: unknown) => /^wrap up time exceeded/i.test(String(disposition));
const hasOwnDisposition = ({ dispositions }: Facts) => listOf(dispositions).some((one) => !isAutomatic(one));

describe('what is known of a call', () => {
  it('never yields answered to not answered', () => {
    holds(
      fc.property(severalCalls, (deliveries) => {
        const said = new Set(deliveries.map(({ facts }) => facts['status']));
        const best = ['answered', 'not-answered', 'unknown', undefined].find((status) => said.has(status));

        expect(recordFrom(deliveries).facts['status']).toBe(best);
      }),
    );
  });

  it('always yields the automatic disposition to the agent’s own', () => {
    holds(
      fc.property(severalCalls, (deliveries) => {
        expect(hasOwnDisposition(recordFrom(deliveries).facts)).toBe(
          deliveries.some(({ facts }) => hasOwnDisposition(facts)),
        );
      }),
    );
  });

  it('is the one received later where two equally rich deliveries contradict each other', () => {
    holds(
      fc.property(callDelivery, fc.constantFrom('comments', 'location', 'skillName'), (delivery, field) => {
        const at = (second: number) => `2026-11-20T07:00:0${second}.000Z`;
        const first = { id: 'z', receivedAt: at(1), facts: { ...delivery.facts, [field]: 'first' } };
        const second = { id: 'a', receivedAt: at(2), facts: { ...delivery.facts, [field]: 'second' } };

        expect(recordFrom([second, first]).facts[field]).toBe('second');
      }),
    );
  });

  it('has a note on end and start exactly where its own end precedes its own start', () => {
    holds(
      fc.property(severalCalls, (deliveries) => {
        const facts = withDerived(recordFrom(deliveries).facts);
        const isReversed = String(facts['endedAt'] ?? '~') < String(facts['startedAt'] ?? '');
        const notes = listOf(facts['notes']) as readonly { reason: string }[];

        expect(notes.some(({ reason }) => reason === 'end-before-start')).toBe(isReversed);
        expect('elapsedSeconds' in facts).toBe(!isReversed && 'endedAt' in facts && 'startedAt' in facts);
      }),
    );
  });
});
