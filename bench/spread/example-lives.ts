import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** What can be different between two calls. */
export interface Ids {
  readonly account: string;
  readonly call: string;
  readonly customer: string;
  readonly agent: string;
  readonly secondAgent: string;
}

/** How a call can go. */
export const lives = ['answered', 'transferred', 'missed'] as const;
export type Life = (typeof lives)[number];

/** What is posted of a call: its summary, that once more, and it with a disposition. */
export const steps = ['first', 'repeated', 'revised'] as const;
export type Step = (typeof steps)[number];

const Posted = z.record(z.string(), z.unknown());

const example = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../sandbox/examples/${name}.json`, import.meta.url), 'utf8'));

const answered = Posted.parse(example('call-summary'));
const missed = Posted.parse(example('missed-call'));
const [transferred, participant] = z.tuple([Posted, Posted]).parse(example('advanced-callback'));

/** What the service posts of such a call in such a step; a missed call has no agent to revise it. */
export const posted = (life: Life, step: Step, { account, call, customer, agent, secondAgent }: Ids): unknown => {
  const ids = { Apikey: `${account}-key`, UserName: account, monitorUCID: call, CallerID: customer };
  const disposition = step === 'revised' && { Disposition: 'Sale' };
  if (life === 'missed') return { ...missed, ...ids };
  if (life === 'answered') return { ...answered, ...ids, ...disposition, AgentID: agent };

  const leg = { CallID: call, UCID: call };
  return [
    { ...transferred, ...ids, ...leg, ...disposition, AgentID: `${agent} -> ${secondAgent}` },
    { ...participant, UCID: call },
  ];
};
