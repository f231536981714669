import type { Account } from '../../../lib/account/account.ts';
import { accountBook } from '../../../lib/account/account-book.ts';
import type { CallFacts } from '../../../lib/call-summary/model.ts';
import { type Deliveries, deliveriesOf } from '../../../lib/callback/deliveries-of.ts';
import { recognise } from '../../../lib/callback/recognise.ts';
import { type Json, parseJson } from '../../../lib/json/parse-json.ts';
import type { ParticipantFacts } from '../../../lib/participant/model.ts';
import { demoAccount } from '../../fixtures/accounts.ts';

/** When everything in these tests is received, unless they say otherwise. */
export const receivedAt = '2026-11-20T06:00:00.000Z';

/** A value as it is after transport: written as JSON and parsed again. */
export const received = (value: unknown): Json => {
  const json = parseJson(JSON.stringify(value));
  if (!json.ok) throw new Error(json.problem);
  return json.value;
};

/** What a posted list is understood to say. */
export const understood = (records: readonly unknown[], account: Account = demoAccount as never): Deliveries =>
  deliveriesOf(recognise(records.map(received)), { account, receivedAt, masked: accountBook([account]).masked });

/** What a call summary says that need not be recognised as one, however little is in it. */
export const understoodCall = (posted: object, account: Account = demoAccount as never) => {
  const recognised = { calls: [received(posted) as never], participants: [], misunderstood: [] };
  const [said] = deliveriesOf(recognised, { account, receivedAt, masked: accountBook([account]).masked }).deliveries;
  if (said === undefined) throw new Error('No delivery');
  return said;
};

/** What one posted call summary says; `monitorUCID` is given to one that has none. */
export const callFacts = (posted: object, timeZone = 'Asia/Kolkata'): CallFacts =>
  understoodCall({ monitorUCID: '1', ...posted }, { ...demoAccount, timeZone } as never).delivery.facts as CallFacts;

/** What one posted participant record says. */
export const participantFacts = (posted: object): ParticipantFacts =>
  understood([{ UCID: '1', ExitStatus: 'x', ...posted }]).deliveries[0]?.delivery.facts as ParticipantFacts;
