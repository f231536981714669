import type { Facts } from '../../../lib/record/delivery.ts';
import { callbackSecret, secrets } from '../accounts.ts';
import type { Trial } from '../receiver.ts';
import type { HostileRequest } from '../requests/hostile-request.ts';
import { leaked } from './leaks.ts';

/** By the README: this much of what a stranger sends is kept. */
const strangersBytes = 16 * 1024;

/** Whether anybody could take the sender for an account's: by the secret address, or where that is open by a live key. */
const mayBeBelieved = ({ deployment, posted: { secret, query, body } }: HostileRequest): boolean =>
  deployment === 'secret'
    ? secret === callbackSecret
    : leaked(query, secrets).length + leaked(body?.toString() ?? '', secrets).length > 0;

const isAnAccounts = ({ account, viaSecret }: Facts): boolean => account !== undefined || viaSecret !== undefined;

/** What strangers got: a call in somebody's name, a place in quarantine as somebody, or more room there than is theirs. */
export const strangersGot = (request: HostileRequest, { calls, quarantine }: Trial): readonly string[] => {
  const tooLong = quarantine.filter(
    (row) => !isAnAccounts(row) && Buffer.byteLength(String(row['body'] ?? '')) > strangersBytes,
  );
  const long = tooLong.map(() => 'More than 16 KB of a stranger’s post is kept');
  if (mayBeBelieved(request)) return long;
  return [
    ...long,
    ...(calls.length > 0 ? ['A stranger’s call is stored'] : []),
    ...(quarantine.some(isAnAccounts) ? ['A stranger’s post is kept as an account’s'] : []),
    ...(request.deployment === 'secret' && quarantine.length > 0 ? ['A post to a wrong address is kept'] : []),
  ];
};
