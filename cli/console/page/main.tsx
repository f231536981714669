import { render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { About } from '../accounts.ts';
import type { FeedAnswer } from '../floor.ts';
import { AgentView } from './agent.tsx';
import { CallView } from './call.tsx';
import { CustomerView, FindCaller } from './call-table.tsx';
import { CallsView } from './calls.tsx';
import { Controls } from './controls.tsx';
import { DayView } from './day.tsx';
import { EventsView } from './events.tsx';
import { FloorView } from './floor.tsx';
import { HealthView } from './health.tsx';
import { type Address, hashOf, useAddress, useLive, useNow } from './live.ts';
import './main.css';
import { keepTheme, keyTexts, listenToKeys, showKeys } from './keys.ts';
import { Empty, Loading, Select, troubleText, useView, ViewContext } from './parts.tsx';
import { Moment } from './when.tsx';
import { durationText, timeText } from './words.ts';

const tabs: Readonly<Record<string, string>> = {
  floor: 'Floor',
  calls: 'Calls',
  day: 'Day',
  events: 'Events',
  health: 'Health',
};
const feedSeconds = 5;
/** These views read the feed themselves, besides the floor as it is now: the bar need not read it once more. */
const viewsWithFeed = ['agent', 'health'];
const [greenSeconds, staleSeconds] = [20, 30];

const Page = () => {
  const address = useAddress();
  const about = useLive<About>('about');
  useEffect(listenToKeys, []);
  if (about.value !== undefined) return <Account about={about.value} address={address} />;
  return (
    <main>
      <Loading live={about} what="The deployment" />
    </main>
  );
};

const noAccount = { account: '', timeZone: 'UTC' };

const Account = ({ about, address }: { readonly about: About; readonly address: Address }) => {
  const { accounts, isPersonal, isSandbox, isArchiving, commandOptions } = about;
  const { view, id, query } = address;
  const asked = accounts.find((one) => one.account === query['account']);
  const { account, timeZone } = asked ?? accounts[0] ?? noAccount;
  const [feed, setFeed] = useState<FeedAnswer & { readonly account: string }>();
  const hasFeed = view === 'floor' ? query['at'] === undefined : viewsWithFeed.includes(view);
  const live = useLive<FeedAnswer>(hasFeed ? undefined : `feed?${new URLSearchParams({ account })}`, feedSeconds);
  // The bar and a view read the feed in turn: what one of them read later stays.
  const noteFeed = (read: FeedAnswer) =>
    setFeed((was) => (was?.account === account && was.now > read.now ? was : { ...read, account }));
  useEffect(() => {
    if (live.value !== undefined) noteFeed(live.value);
  }, [live.value]);
  useEffect(() => {
    document.title = `${id ?? (Object.hasOwn(tabs, view) ? tabs[view] : 'Callfeed')} · Callfeed`;
  }, [view, id]);

  const shown = useMemo(
    () => ({
      ...{ address, account, timeZone, isPersonal, isSandbox, isArchiving, commandOptions, at: query['at'] },
      onFeed: noteFeed,
    }),
    [address, about, account],
  );
  return (
    <ViewContext.Provider value={shown}>
      <header>
        <Bar accounts={accounts} />
        <Age feed={feed?.account === account ? feed : undefined} problem={live.problem?.message} />
      </header>
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
  const { view, id, query } = useView().address;
  if (view === 'floor') return <FloorView />;
  if (view === 'calls') return <CallsView />;
  if (view === 'day') return <DayView />;
  if (view === 'events') return <EventsView />;
  if (view === 'health') return <HealthView />;
  if (view === 'call' && id !== undefined) return <CallView key={id} callId={id} />;
  if (view === 'agent' && id !== undefined) return <AgentView key={id} agentId={id} />;
  if (view === 'customer' && id !== undefined) return <CustomerView key={id} number={id} />;
  return (
    <Empty>
      There is nothing at this address.{' '}
      <a href={hashOf('floor', undefined, { account: query['account'] })}>To the floor</a>
    </Empty>
  );
};

const Bar = ({ accounts }: Pick<About, 'accounts'>) => {
  const { address, account, timeZone, isPersonal } = useView();
  const { view, query } = address;
  const kept = { account: query['account'], at: query['at'] };
  return (
    <div class="bar">
      <strong>Callfeed</strong>
      <nav aria-label="Views">
        {Object.entries(tabs).map(([name, text]) => (
          <a key={name} href={hashOf(name, undefined, kept)} aria-current={name === view ? 'page' : undefined}>
            {text}
          </a>
        ))}
      </nav>
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
      {isPersonal && <FindCaller account={query['account']} />}
      <Moment />
      <span class="faint">{timeZone}</span>
      <span class="faint">{isPersonal ? 'personal data shown' : 'personal data hidden'}</span>
      <button type="button" aria-label="Switch between light and dark" onClick={keepTheme}>
        ◐
      </button>
      <button type="button" aria-label="Keys" onClick={showKeys}>
        ?
      </button>
    </div>
  );
};

const Keys = () => (
  <dialog id="keys" aria-label="Keys">
    <dl>
      {Object.entries(keyTexts).map(([key, text]) => (
        <>
          <dt>{key}</dt>
          <dd>{text}</dd>
        </>
      ))}
    </dl>
    <form method="dialog">
      <button type="submit">Close</button>
    </form>
  </dialog>
);

/** How old the picture is: a number that counts, and a banner that nobody overlooks once it is stale. */
const Age = ({ feed, problem }: { readonly feed: FeedAnswer | undefined; readonly problem: string | undefined }) => {
  const { timeZone } = useView();
  const now = useNow();
  if (feed === undefined) return null;
  const trouble = feed.problem && troubleText(feed.problem, timeZone);
  if (feed.asOf === undefined) return <p class="age none">No picture of the agents yet. {trouble}</p>;
  const age = Math.max(0, (now - Date.parse(feed.asOf)) / 1000);
  if (feed.freshness === 'stale' || age > staleSeconds)
    return (
      <p class="age stale" role="alert">
        <b>
          Stale: agents as of {timeText(feed.asOf, timeZone)}, {durationText(age)} ago.
        </b>{' '}
        {problem ??
          trouble ??
          (feed.freshness === 'stale' ? 'No poll has succeeded since.' : 'The page has read nothing newer since.')}
      </p>
    );
  return (
    <p class={age < greenSeconds ? 'age live' : 'age late'}>
      Agents as of {timeText(feed.asOf, timeZone)}, <span class="number">{Math.round(age)} s</span> ago
    </p>
  );
};

const place = document.querySelector('#page');
if (place !== null) render(<Page />, place);
