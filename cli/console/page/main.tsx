import { type ComponentChildren, Fragment, render } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { mapValues } from '../../../lib/core/collections.ts';
import type { Answers } from '../api.ts';
import { useAddress, useView, ViewContext } from './address.ts';
import { AgentView } from './agent.tsx';
import { Bar } from './bar.tsx';
import { CallView } from './call.tsx';
import { CallsView } from './calls.tsx';
import { CustomerView } from './customer.tsx';
import { DayView } from './day.tsx';
import { Demonstration } from './demonstration.tsx';
import { EventsView } from './events.tsx';
import { FloorView } from './floor.tsx';
import { type Address, hashOf } from './hash.ts';
import { HealthView } from './health.tsx';
import { keyTexts, listenToKeys } from './keys.ts';
import { useLive } from './live.ts';
import { Empty, Link, Loading } from './parts.tsx';
import { SandboxControls } from './sandbox.tsx';
import './main.css';
import './cards.css';
import './figures.css';
import './tables.css';

const tabs: Readonly<Record<string, readonly [text: string, view: () => ComponentChildren]>> = {
  floor: ['Floor', () => <FloorView />],
  calls: ['Calls', () => <CallsView />],
  day: ['Day', () => <DayView />],
  events: ['Events', () => <EventsView />],
  health: ['Health', () => <HealthView />],
};

const viewsOfOne: Readonly<Record<string, (id: string) => ComponentChildren>> = {
  call: (id) => <CallView key={id} callId={id} />,
  agent: (id) => <AgentView key={id} agentId={id} />,
  customer: (id) => <CustomerView key={id} number={id} />,
};

const own = <Value,>(all: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined;

const Page = () => {
  const address = useAddress();
  const about = useLive('about');
  useEffect(listenToKeys, []);
  if (about.value !== undefined) return <Account about={about.value} address={address} />;
  return (
    <main>
      <Loading live={about} what="The deployment" />
    </main>
  );
};

const noAccount = { account: '', timeZone: 'UTC' };

const Account = ({ about, address }: { readonly about: Answers['about']; readonly address: Address }) => {
  const { accounts, isSandbox } = about;
  const { view, id, query } = address;
  const { at } = query;
  const asked = accounts.find(({ account }) => account === query['account']);
  const { account, timeZone } = asked ?? accounts[0] ?? noAccount;
  useEffect(() => {
    document.title = `${id ?? own(tabs, view)?.[0] ?? 'Callfeed'} · Callfeed`;
  }, [view, id]);

  const shown = useMemo(() => ({ ...about, address, account, timeZone, at }), [address, about, account]);
  return (
    <ViewContext.Provider value={shown}>
      <Bar accounts={accounts} tabs={mapValues(tabs, ([text]) => text)} />
      <main key={`${view} ${account}`}>
        {isSandbox && <Demonstration />}
        {asked === undefined && query['account'] !== undefined ? (
          <Empty>
            This console has no account “{query['account']}”.{' '}
            <a href={hashOf('floor', undefined, { account })}>Show {account}</a>
          </Empty>
        ) : (
          <Shown />
        )}
        {isSandbox && <SandboxControls account={account} />}
      </main>
      <Keys />
    </ViewContext.Provider>
  );
};

const Shown = () => {
  const { view, id } = useView().address;
  const shown = own(tabs, view)?.[1]() ?? (id === undefined ? undefined : own(viewsOfOne, view)?.(id));
  if (shown !== undefined) return shown;
  return (
    <Empty>
      There is nothing at this address. <Link view="floor">To the floor</Link>
    </Empty>
  );
};

const Keys = () => (
  <dialog id="keys" aria-label="Keys">
    <dl>
      {Object.entries(keyTexts).map(([key, text]) => (
        <Fragment key={key}>
          <dt>{key}</dt>
          <dd>{text}</dd>
        </Fragment>
      ))}
    </dl>
    <form method="dialog">
      <button type="submit">Close</button>
    </form>
  </dialog>
);

const place = document.querySelector('#page');
if (place !== null) render(<Page />, place);
