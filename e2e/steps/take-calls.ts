import { answers, type RefusalReason } from '../../lib/callback/refusal.ts';
import { account, example } from '../examples.ts';
import { same } from '../runner/facts.ts';
import type { Stage } from '../stage.ts';

const kept = (stored: number, duplicates = 0) => ({ status: 200, body: { stored, duplicates, quarantined: 0 } });

const refused = (status: number, error: RefusalReason, quarantined: number) => ({
  status,
  body: { error, message: answers[error].message, stored: 0, duplicates: 0, quarantined },
});

/** Posts in their order, and the whole answer to each. */
const posts = [
  { what: 'a new call', content: example('call-summary'), answer: kept(1) },
  { what: 'the same again', content: example('call-summary'), answer: kept(0, 1) },
  { what: 'the call with its disposition', content: example('with-disposition'), answer: kept(1) },
  { what: 'a poorer copy', content: example('poorer-copy'), answer: kept(1) },
  { what: 'a list of a call and a participant', content: example('advanced-callback'), answer: kept(2) },
  {
    what: 'another post of the service',
    content: JSON.stringify({ Apikey: account.apiKey, event: 'ScreenPop', CallerID: '09000000042' }),
    answer: refused(400, 'not-a-call-summary', 1),
  },
  {
    what: 'a call with a key that nobody has',
    content: example('call-summary').replace(account.apiKey, 'wrong-key').replace('12345678901234567890', '666'),
    answer: refused(401, 'unknown-key', 0),
  },
];

/** Posts whatever the service posts. */
export const takeCalls = async ({ api }: Stage): Promise<void> => {
  for (const { what, content, answer } of posts) same(`The answer to ${what}`, await api.post(content), answer);
};
