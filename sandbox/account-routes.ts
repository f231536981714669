import * as z from 'zod';
import { keyFingerprint } from '../lib/accounts/account-index.ts';
import { type Account, isSameUser, parseAccounts } from '../lib/accounts/accounts.ts';
import { tryParseJson } from '../lib/core/json.ts';
import { fail, ok, type Result } from '../lib/core/result.ts';
import { type Answer, prettyJson } from './http/serve.ts';

/** A place that knows accounts: Callfeed's secret, or the simulated service. */
export interface AccountList {
  accounts(): readonly Account[];
  put(accounts: readonly Account[]): void;
}

export interface AccountPlaces {
  readonly secret: AccountList;
  readonly service: AccountList | undefined;
  /** The address that an account without one is polled at. */
  readonly provider: string;
}

type Place = 'secret' | 'service';

export const listAccounts = ({ secret, service }: AccountPlaces): Answer =>
  prettyJson(200, { secret: describe(secret), ...(service !== undefined && { service: describe(service) }) });

const describe = (list: AccountList) =>
  list.accounts().map(({ apiKeys, token, ...account }) => ({
    ...account,
    keyFingerprints: apiKeys.map(keyFingerprint),
    ...(token !== undefined && { token: token.kind }),
  }));

export interface AccountChange {
  readonly method: 'PUT' | 'DELETE';
  readonly userName: string;
  readonly at: string | null;
  readonly body: string;
}

/**
 * Adds, changes or takes away an account: in the secret, at the simulated service, or in both. It changes all places or
 * none. The functions notice a changed secret when they read it again, as in a deployment.
 */
export const changeAccount = (places: AccountPlaces, change: AccountChange, log: (text: string) => void): Answer => {
  const chosen = placesOf(places, change.at);
  if (!chosen.ok) return prettyJson(chosen.problem.status, { message: chosen.problem.message });

  const planned: { readonly list: AccountList; readonly next: readonly Account[] }[] = [];
  for (const [, list] of chosen.value) {
    const next = changed(list.accounts(), change, places.provider);
    if (!next.ok) return prettyJson(next.problem.status, { message: next.problem.message });
    planned.push({ list, next: next.value });
  }
  for (const { list, next } of planned) list.put(next);
  log(
    `${change.userName} ${change.method === 'PUT' ? 'set' : 'taken away'}: ${chosen.value.map(placeName).join(', ')}`,
  );
  return listAccounts(places);
};

const placeName = ([place]: readonly [Place, AccountList]): string =>
  place === 'secret' ? 'secret (read again within 5 minutes)' : 'simulated service';

interface Problem {
  readonly status: 400 | 404 | 409;
  readonly message: string;
}

const problem = (status: Problem['status'], message: string) => fail<Problem>({ status, message });

const placesOf = (
  { secret, service }: AccountPlaces,
  at: string | null,
): Result<readonly (readonly [Place, AccountList])[], Problem> => {
  if (at !== null && at !== 'secret' && at !== 'service')
    return problem(400, 'at must be "secret" or "service"; without it the account is changed in both.');
  if (at === 'service' && service === undefined)
    return problem(409, 'The sandbox simulates no service, because --provider is set.');

  const all = [['secret', secret] as const, ...(service === undefined ? [] : [['service', service] as const])];
  return ok(all.filter(([place]) => at === null || at === place));
};

const Fields = z.record(z.string(), z.unknown());

/** The list after a change, checked as the functions check the secret. Problems repeat no value, which may be a key. */
const changed = (
  accounts: readonly Account[],
  { method, userName, body }: AccountChange,
  provider: string,
): Result<readonly Account[], Problem> => {
  const index = accounts.findIndex((account) => isSameUser(account.userName, userName));
  if (method === 'DELETE') {
    if (index < 0) return problem(404, `There is no such account. There are: ${namesOf(accounts)}.`);
    if (accounts.length === 1) return problem(409, 'The last account cannot be taken away: a secret has at least one.');
    return ok(accounts.toSpliced(index, 1));
  }
  const fields = Fields.safeParse(tryParseJson(body));
  if (!fields.success) return problem(400, `body: Expected a JSON object. ${allowed}`);
  if (Object.hasOwn(fields.data, 'userName'))
    return problem(400, `userName: Expected none, since the address has it. ${allowed}`);

  const at = index < 0 ? accounts.length : index;
  const account = { baseUrl: provider, ...(accounts[index] ?? { userName }), ...fields.data };
  const next: readonly object[] = accounts.toSpliced(at, 1);
  const parsed = parseAccounts(JSON.stringify(next.toSpliced(at, 0, account)));
  return parsed.ok ? parsed : problem(400, `${parsed.problem.replaceAll(`[${at}].`, '')}. ${allowed}`);
};

const allowed =
  'Send the fields of an account without its userName, such as {"apiKeys": ["new-key", "old-key"]}. Fields that you ' +
  'leave out stay as they are; a new account needs "apiKeys", "timeZone" and "token".';

const namesOf = (accounts: readonly Account[]): string => accounts.map(({ userName }) => userName).join(', ');
