import { type ComponentChildren, Fragment, render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Answers } from '../api.ts';
import { useAddress, useView, ViewContext } from './address.ts';
import { CallView } from './call.tsx';
import { CallsView } from './calls.tsx';
import { DayView } from './day.tsx';
import { ageOf, isStale, troubleText } from './feed.ts';
import { Select } from './fields.tsx';
import { FloorView } from './floor.tsx';
import { type Address, hashOf } from './hash.ts';
import { HealthView } from './health.tsx';
import { keyTexts, listenToKeys, showKeys, switchTheme } from './keys.ts';
import { useLive, useNow } from './live.ts';
import { Empty, Faint, Link, Loading } from './parts.tsx';
import { AgentView, CustomerView, FindCaller } from './people.tsx';
import { Controls, EventsView } from './sandbox.tsx';
import { SavedFilters } from './saved-filters.tsx';
import { Moment } from './when.tsx';
import { durationText, timeText } from './words.ts';
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

const feedSeconds = 5;
const greenSeconds = 20;

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
      <Bar accounts={accounts} />
      <main key={`${view} ${account}`}>
        {asked === undefined && query['account'] !== undefined ? (
          <Empty>
            This console has no account “{query['account']}”.{' '}
            <a href={hashOf('floor', undefined, { account })}>Show {account}</a>
          </Empty>
        ) : (
          <Shown />
        )}
        {isSandbox && <Controls account={account} />}
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

/** On a small screen it has two lines: the views, and how old the picture is. The rest opens from its menu. */
const Bar = ({ accounts }: Pick<Answers['about'], 'accounts'>) => {
  const { address, account, timeZone, isPersonal, at } = useView();
  const { view, query } = address;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [address]);
  return (
    <header class={isOpen ? 'bar open' : 'bar'}>
      <div>
        <strong>Callfeed</strong>
        <nav aria-label="Views">
          {Object.entries(tabs).map(([name, [text]]) => (
            <a
              key={name}
              href={hashOf(name, undefined, { account: query['account'], at })}
              aria-current={name === view ? 'page' : undefined}
            >
              {text}
            </a>
          ))}
        </nav>
        <button type="button" class="menu" aria-label="Menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          ☰
        </button>
        <Moment />
        <div class="more">
          {isPersonal && <FindCaller account={query['account']} />}
          <Faint>{timeZone}</Faint>
          <Faint>{isPersonal ? 'personal data shown' : 'personal data hidden'}</Faint>
          <button type="button" aria-label="Switch between light and dark" onClick={switchTheme}>
            ◐
          </button>
          <button type="button" aria-label="Keys" onClick={showKeys}>
            ?
          </button>
        </div>
      </div>
      <div>
        {accounts.length > 1 ? (
          <Select
            label="Account"
            value={account}
            options={accounts.map((one) => one.account)}
            onPick={(chosen) => {
              location.hash = hashOf(Object.hasOwn(tabs, view) ? view : 'floor', undefined, { account: chosen });
            }}
          />
        ) : (
          <span>{account}</span>
        )}
        <Age />
        <SavedFilters />
      </div>
    </header>
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

/** How old the picture is: a number that counts, and a banner that nobody overlooks once it is stale. */
const Age = () => {
  const { timeZone } = useView();
  const now = useNow();
  const { value: feed, problem } = useLive('feed', {}, feedSeconds);
  if (feed === undefined) return null;
  const trouble = feed.problem && troubleText(feed.problem, timeZone, now);
  if (feed.asOf === undefined) return <p class="age">No picture of the agents yet. {trouble}</p>;
  const age = ageOf(feed.asOf, now);
  if (isStale(feed, now))
    return (
      <p class="age stale" role="alert">
        <b>
          Stale: agents as of {timeText(feed.asOf, timeZone)}, {durationText(age)} ago.
        </b>{' '}
        {problem?.message ??
          trouble ??
          (feed.freshness === 'stale' ? 'No poll has succeeded since.' : 'The page has read nothing newer since.')}
      </p>
    );
  return (
    <p class={age < greenSeconds ? 'age live' : 'age late'}>
      Agents as of {timeText(feed.asOf, timeZone)}, {Math.round(age)} s ago
    </p>
  );
};

const place = document.querySelector('#page');
if (place !== null) render(<Page />, place);
