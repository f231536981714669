import fc from 'fast-check';

/** A record of one of a few agents, with few values for each field, so that they come, go and change often. */
const record = fc.record({
  AgentId: fc.constantFrom('1', '2', '3', '4'),
  AgentName: fc.constantFrom('Asha', 'Ravi', ''),
  AgentState: fc.constantFrom('READY', 'ready', 'ACW', 'Lunch', 'LUNCH', 'Tea'),
  SkillName: fc.constantFrom('a, b', 'b,a', ''),
});

/** Records that cannot be read; most answers have none. */
const unreadable = fc.oneof(
  { weight: 6, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.constantFrom<unknown[]>([null], [{ AgentId: '1' }], [{ AgentName: 'Ravi' }]) },
);

/** Polls of one account: how many seconds after the one before, and the records of the answer. */
export const arbitraryPolls = fc.array(
  fc.record({
    afterSeconds: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }) },
      { weight: 2, arbitrary: fc.integer({ min: 61, max: 20_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 20_001, max: 260_000 }) },
    ),
    records: fc.tuple(fc.array(record, { maxLength: 5 }), unreadable).map((lists) => lists.flat()),
  }),
  { minLength: 1, maxLength: 25 },
);

/** Zones with and without clock changes, at midnight among them. */
export const arbitraryZone = fc.constantFrom('Asia/Kolkata', 'Europe/London', 'Africa/Cairo', 'America/Havana', 'UTC');

/** When the first of them may be. */
export const arbitraryStart = fc
  .constantFrom('2026-03-07', '2026-04-22', '2026-10-23', '2026-10-29', '2026-11-20')
  .map((date) => Date.parse(`${date}T06:00:00.000Z`));
