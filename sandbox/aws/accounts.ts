import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { keyFingerprint } from '../../lib/accounts/account-index.ts';
import { type Account, isSameUser, parseAccounts } from '../../lib/accounts/accounts.ts';
import { tryParseJson } from '../../lib/core/json.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { type AwsJson, awsJson, failure, operation, result } from '../frame/aws-json.ts';
import type { Closers } from '../frame/lifecycle.ts';
import { localAccount, localRegion } from '../frame/local-aws.ts';
import { type Answer, prettyJson, serve } from '../frame/serve.ts';

const service = 'secretsmanager';
const secretsManager: AwsJson = { version: '1.1', service, namespace: `com.amazonaws.${service}` };
const name = 'callfeed-accounts';
const arn = `arn:aws:secretsmanager:${localRegion}:${localAccount}:secret:${name}-sandbx`;

const SecretId = z.string();
const GetSecretValue = z.object({
  SecretId,
  VersionId: z.string().optional(),
  VersionStage: z.enum(['AWSCURRENT', 'AWSPREVIOUS']).default('AWSCURRENT'),
});
const PutSecretValue = z.object({ SecretId, SecretString: z.string().min(1).max(65_536) });

const unknown = "Secrets Manager can't find the specified secret value.";
const notFound = failure(secretsManager, 400, 'ResourceNotFoundException', unknown);

export const startAccountsSecret = async (closers: Closers) => {
  // The current version comes first. Secrets Manager deletes versions without a label, so two are enough.
  let versions: readonly { readonly id: string; readonly text: string; readonly createdAt: number }[] = [];
  let accounts: readonly Account[] = [];

  const add = (text: string) => {
    const version = { id: randomUUID(), text, createdAt: Math.floor(Date.now() / 1000) };
    versions = [version, ...versions.slice(0, 1)];
    const parsed = parseAccounts(text);
    if (parsed.ok) accounts = parsed.value;
    return { ARN: arn, Name: name, VersionId: version.id, VersionStages: ['AWSCURRENT'] };
  };
  const isOurs = (secretId: string): boolean => secretId === arn || secretId === name;

  const endpoint = awsJson(secretsManager, {
    GetSecretValue: operation(secretsManager, GetSecretValue, ({ SecretId, VersionId, VersionStage }) => {
      const stages = ['AWSCURRENT', 'AWSPREVIOUS'];
      const at = versions.findIndex(({ id }, index) =>
        VersionId === undefined ? stages[index] === VersionStage : id === VersionId,
      );
      const found = versions[at];
      if (!isOurs(SecretId) || found === undefined) return notFound;
      const identity = { ARN: arn, Name: name, VersionId: found.id, VersionStages: [stages[at]] };
      return result(secretsManager, { ...identity, SecretString: found.text, CreatedDate: found.createdAt });
    }),
    PutSecretValue: operation(secretsManager, PutSecretValue, ({ SecretId, SecretString }) =>
      isOurs(SecretId) ? result(secretsManager, add(SecretString)) : notFound,
    ),
  });
  const served = await serve(endpoint);
  closers.add(served.close);

  return {
    url: served.url,
    arn,
    /** The last usable list: as the functions do, the sandbox goes on with it when somebody puts a malformed one. */
    accounts: () => accounts,
    put(list: readonly Account[]) {
      add(JSON.stringify(list));
    },
  };
};

export type AccountsSecret = Awaited<ReturnType<typeof startAccountsSecret>>;

interface AccountList {
  accounts(): readonly Account[];
  put(accounts: readonly Account[]): void;
}

export interface AccountPlaces {
  readonly secret: AccountList;
  readonly service: AccountList | undefined;
  readonly provider: string;
}

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

/** Changes all places or none. The functions notice a changed secret when they read it again, as in a deployment. */
export const changeAccount = (places: AccountPlaces, change: AccountChange, log: (text: string) => void): Answer => {
  const { secret, service } = places;
  const { at, method, userName } = change;
  if (at !== null && at !== 'secret' && at !== 'service')
    return problem(400, 'at must be "secret" or "service"; without it the account is changed in both.');
  if (at === 'service' && service === undefined)
    return problem(409, 'The sandbox simulates no service, because --provider is set.');

  const lists = [at === 'service' ? undefined : secret, at === 'secret' ? undefined : service];
  const planned: (() => void)[] = [];
  for (const list of lists.filter((one) => one !== undefined)) {
    const next = changed(list.accounts(), change, places.provider);
    if (!next.ok) return next.problem;
    planned.push(() => list.put(next.value));
  }
  for (const put of planned) put();
  log(`${userName} ${method === 'PUT' ? 'set' : 'taken away'}${at === null ? '' : ` at the ${at}`}`);
  return listAccounts(places);
};

const problem = (status: 400 | 404 | 409, message: string): Answer => prettyJson(status, { message });

const Fields = z.record(z.string(), z.unknown());

/** The list after a change, checked as the functions check the secret. Problems repeat no value, which may be a key. */
const changed = (
  accounts: readonly Account[],
  { method, userName, body }: AccountChange,
  provider: string,
): Result<readonly Account[], Answer> => {
  const index = accounts.findIndex((account) => isSameUser(account.userName, userName));
  if (method === 'DELETE') {
    const all = accounts.map((account) => account.userName).join(', ');
    if (index < 0) return fail(problem(404, `There is no such account. There are: ${all}.`));
    return accounts.length === 1
      ? fail(problem(409, 'The last account cannot be taken away: a secret has at least one.'))
      : ok(accounts.toSpliced(index, 1));
  }
  const fields = Fields.safeParse(tryParseJson(body));
  if (!fields.success) return fail(problem(400, `body: Expected a JSON object. ${allowed}`));
  if (Object.hasOwn(fields.data, 'userName'))
    return fail(problem(400, `userName: Expected none, since the address has it. ${allowed}`));

  const at = index < 0 ? accounts.length : index;
  const account = { baseUrl: provider, ...(accounts[index] ?? { userName }), ...fields.data };
  const next: readonly object[] = accounts.toSpliced(at, 1);
  const parsed = parseAccounts(JSON.stringify(next.toSpliced(at, 0, account)));
  return parsed.ok ? parsed : fail(problem(400, `${parsed.problem.replaceAll(`[${at}].`, '')}. ${allowed}`));
};

const allowed =
  'Send the fields of an account without its userName, such as {"apiKeys": ["new-key", "old-key"]}. Fields that you ' +
  'leave out stay as they are; a new account needs "apiKeys", "timeZone" and "token".';
