import { tokenAccount } from '../../fixtures/accounts.ts';
import { summaryWith } from '../../support/posted-records.ts';
import { polled } from './agent-scenarios.ts';
import { analysed } from './analytics-faults.ts';
import { calls, parked, posted, screenPops } from './callback-scenarios.ts';
import { forwarded } from './forwarding-faults.ts';
import { published } from './publishing-faults.ts';
import { reconciled } from './reconciliation-faults.ts';
import { archived } from './recording-faults.ts';
import type { Scenario } from './scenario.ts';

/** Scenarios of a healthy deployment, which must raise no alarm. */
export const healthyScenarios: readonly Scenario[] = [
  posted('Calls arrive, one of them twice, and an unknown sender posts once.', [
    ...[summaryWith(), summaryWith(), summaryWith({ monitorUCID: '7' }), summaryWith({ Apikey: 'unknown' })],
  ]),
  posted('The service posts calls, and screen pops all day.', [...calls(4), ...screenPops(50), ...calls(4)], {
    everyMs: 60_000,
  }),
  parked('A parked call is recovered at once.', 0, 10),
  published('The bus rejects an event once.', { downMinutes: 1, minutes: 10 }),
  forwarded('Deliveries are forwarded, and one attempt fails.', { minutes: 60, down: [0, 1] }),
  archived('Recordings are archived, some of them minutes later.', {
    ...{ minutes: 60, calls: 4 },
    problemAt: (minute, url) => (url.endsWith('/2') && minute < 20 ? 'not-found' : undefined),
  }),
  analysed('Events become rows, also one that is replayed.'),
  reconciled('Reconciliation finds one call in forty, and completes the others.', { hours: 8, posted: 39, lost: 1 }),
  polled('Agents are polled with a token, and a tick arrives late.', {
    minutes: 19,
    accounts: [tokenAccount],
    ticks: (minute) => (minute === 3 ? [1, 200] : [1]),
  }),
];
