import type { ServiceRequest } from '../../../lib/service/service.ts';
import { noAnswer, reportOf, type ServiceAnswer } from '../../deployment/index.ts';
import { kolkataAccount } from '../../fixtures/accounts.ts';
import { generousDeadline } from '../../support/memory-ports.ts';
import { keyedDelivery } from '../../support/posted-records.ts';
import { calls } from './callback-scenarios.ts';
import { type DeployedResources, type Run, recordedDeployment, scenariosOf } from './scenario.ts';

interface Reconciling {
  /** How often the schedule begins, once an hour. Before the second time, the calls below are made. */
  readonly hours?: number;
  /** Calls whose callbacks are posted, and calls that are only in the report. */
  readonly posted?: number;
  readonly lost?: number;
  /** Whether the lost calls were made before the first reading of the report. */
  readonly isFirstUse?: boolean;
  /** After so many messages of an hour the next one gets lost. */
  readonly messages?: number;
  /** In which hours the service answers. */
  readonly isUp?: (hour: number) => boolean;
}

const hourMs = 3_600_000;

/** Stores calls that are posted, and reconciles them by the hour as it is deployed, with tables in memory and a scripted report. */
const reconciling = async (deployed: DeployedResources, setting: Reconciling): Promise<Run> => {
  const { hours = 2, posted = 0, lost = 0, isFirstUse = false, messages, isUp = () => true } = setting;
  const reported = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ CallID: `${index + 1}`, Status: 'Answered', Disposition: 'Late' }));
  const answer = (request: ServiceRequest): ServiceAnswer => {
    const hour = Math.floor(sinceStart() / hourMs);
    if (!isUp(hour)) return noAnswer('connection');
    return reportOf({ '2026-11-20': hour > 0 || isFirstUse ? reported(posted + lost) : [] })(request);
  };
  const { d, run } = await recordedDeployment(deployed, {
    accounts: [kolkataAccount],
    startedAt: '2026-11-20T05:17:00.000Z',
    service: { report: [answer] },
  });
  const from = Date.parse(d.startedAt);
  const sinceStart = () => Date.parse(d.now()) - from;
  const reconcile = async () => {
    if (messages === undefined) await d.reconcile();
    else {
      d.reconciliation.send({ kind: 'all' });
      for (let step = 0; step < messages; step++) await d.reconciliation.step();
      d.reconciliation.lose();
    }
    d.advance(hourMs - (sinceStart() % hourMs));
  };
  await reconcile();
  const { calls: store } = d.stores();
  for (const { key, delivery } of calls(posted).map((call) => keyedDelivery(call)))
    await store.record(key, delivery, generousDeadline());
  for (let hour = 1; hour < hours; hour++) await reconcile();
  return run();
};

/** Scenarios in which calls are reconciled. */
export const reconciled = scenariosOf(reconciling, 'reconciliation');
