import type * as z from 'zod';
import { clientWithCache } from '../../client/client.ts';
import type { CallfeedClient, Read } from '../../client/index.ts';
import { keptRecords } from '../../client/kept-records.ts';
import { countryOf } from '../../lib/accounts/accounts.ts';
import { type Deployment, type DeploymentLocation, locationOptions } from '../frame/deployment.ts';
import type { Feature } from '../frame/feature.ts';
import { Problem } from '../frame/problem.ts';
import { accountsOf, numberingIn, type Reader } from '../frame/reader.ts';
import { redacted } from '../frame/redact.ts';

export interface ConsoleSettings {
  readonly deployment: Deployment;
  readonly location: DeploymentLocation;
  readonly account?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly isPersonal: boolean;
  /** Optional parts of deployments. Health has their cards. */
  readonly features?: readonly Feature[];
  readonly clock: () => Date;
  readonly onRead?: ((read: Read) => void) | undefined;
}

export interface ShownAccount extends Reader, Pick<ConsoleSettings, 'clock' | 'isPersonal'> {
  readonly timeZone: string;
  readonly country: string | undefined;
}

type Hiding = Pick<ConsoleSettings, 'isPersonal'>;

/** What the console shows of a value: without personal fields, unless it was started to show them. */
export const visible = <Value>({ isPersonal }: Hiding, schema: z.core.$ZodType, value: Value): Value =>
  isPersonal ? value : redacted(schema, value);

/** For what is personal as a whole. */
export const rejectIfHidden = ({ isPersonal }: Hiding): void => {
  if (!isPersonal) throw new Problem('This names people. Start the console with --personal to see it.', 2);
};

type Named = Pick<ShownAccount, 'account' | 'timeZone' | 'country'>;

export const shownAccounts = ({ deployment, clock, isPersonal, onRead, ...settings }: ConsoleSettings) => {
  const clients = new Map<string, CallfeedClient>();
  let found: Promise<readonly Named[]> | undefined;

  // A page shows the accounts that the poller noted last as it shows others.
  const unsaid = () => undefined;
  const configured = () => accountsOf(deployment, unsaid);
  const read = async (): Promise<readonly Named[]> => {
    const { account, timeZone } = settings;
    if (account !== undefined && timeZone !== undefined)
      return [{ account, timeZone, country: countryOf({ timeZone }) }];
    const all = (await configured()).map((one) => ({
      account: one.userName,
      timeZone: one.timeZone,
      country: countryOf(one),
    }));
    const shown = all.filter((one) => account === undefined || one.account === account);
    if (shown.length > 0) return shown;
    throw new Problem(
      'The deployment has no such account. Name one that it has, or give its zone with --time-zone.',
      2,
    );
  };
  const list = (): Promise<readonly Named[]> => {
    found ??= read().catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };

  return {
    async about() {
      found = undefined;
      return {
        accounts: await list(),
        isSandbox: deployment.bus.kind === 'sandbox',
        isPersonal,
        isArchiving: deployment.recordings !== undefined,
        /** What a command needs so that it does the same where one looks, such as `--endpoint` and an address. */
        commandOptions: locationOptions(settings.location),
        /** The console's clock; the page corrects its own by it. */
        now: clock().toISOString(),
      };
    },
    async get(name: string | undefined): Promise<ShownAccount> {
      const accounts = await list();
      const shown = name === undefined ? accounts[0] : accounts.find(({ account }) => account === name);
      if (shown === undefined) throw new Problem('There is no such account.', 2);
      const { account } = shown;
      const { dynamodb, tables } = deployment;
      const numbering = numberingIn(deployment, account, unsaid);
      const client =
        clients.get(account) ??
        clientWithCache({ dynamodb, tables, account, numbering, clock, ...(onRead && { onRead }) }, keptRecords(clock));
      clients.set(account, client);
      return { ...shown, deployment, client, accounts: configured, clock, isPersonal };
    },
  };
};
