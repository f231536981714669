import type { PersonalFields } from '../../../lib/contract/personal-fields.ts';
import { eventsOf } from '../../../lib/publish/events-of.ts';
import type { BusEvent } from '../../../lib/publish/row-change.ts';
import { subscribersView } from '../../../lib/publish/subscribers-view.ts';
import { deliveryOf } from '../../../lib/record/delivery.ts';
import { specificationLogins } from '../../fixtures/agents.ts';
import { specificationSummary } from '../../fixtures/call-summaries.ts';
import { specificationParticipant } from '../../fixtures/participants.ts';
import { changesBy } from './change-of.ts';
import { understood } from './facts-of.ts';
import { pollRun } from './poll-run.ts';
import { noReply, success } from './scripted-service.ts';

const slotMs = 15_000;

/** The events that posts about one thing make, one after the other. */
const told = (...posts: readonly object[]): readonly BusEvent[] => {
  const said = posts.flatMap((post) => understood([post]).deliveries);
  const deliveries = said.map(({ delivery }, second) => deliveryOf(delivery.facts, `2026-11-20T06:00:0${second}.000Z`));
  return changesBy(deliveries, said[0]?.key).flatMap((change) => eventsOf(change));
};

/** The events of agents who come, change and go, and of a feed that fails in between. */
const ofAgents = async (): Promise<readonly BusEvent[]> => {
  const [asha, ravi] = specificationLogins;
  const changed = { ...asha, AgentState: 'Lunch', SkillName: 'Sales' };
  const logins = [success([asha, ravi]), success([changed]), ...Array(3).fill(noReply('connection')), success([asha])];
  const { poll, advance, events } = pollRun({ logins });
  for (const _login of logins) {
    await poll();
    advance(slotMs);
  }
  return events();
};

/** Events of every type, as they go to the bus: those of the specification's samples, and what can follow on them. */
export const everyEvent = async (personal: PersonalFields): Promise<readonly BusEvent[]> =>
  [
    ...told(specificationSummary, { ...specificationSummary, Disposition: 'Sale', StartTime: 'soon', Tenant: 'a' }),
    ...told(specificationParticipant),
    ...(await ofAgents()),
  ].map(subscribersView(personal));
