import type { FaultsByCheck } from './seeded-fault.ts';

/** Faults that somebody planted and that every test passed then, each with the test that finds it now. */
export const overlookedFaults: FaultsByCheck = {
  unit: {
    'earlier-slot-polled': {
      what: 'A machine whose clock is behind polls an earlier slot again.',
      file: 'lib/agents/rate-limit.ts',
      find: 'if (slotOf(now) <= slot)',
      replace: 'if (slotOf(now) === slot)',
      test: 'test/lib/agents/rate-limit.test.ts',
    },
  },
};
