import { useEffect, useState } from 'preact/hooks';
import type { Answers } from '../api.ts';
import { useView } from './address.ts';
import { FindCaller } from './customer.tsx';
import { ageOf, isStale, troubleText } from './feed.ts';
import { Select } from './fields.tsx';
import { hashOf } from './hash.ts';
import { showKeys, switchTheme } from './keys.ts';
import { useLive, useNow } from './live.ts';
import { Faint } from './parts.tsx';
import { SavedFilters } from './saved-filters.tsx';
import { Moment } from './when.tsx';
import { durationText, timeText } from './words.ts';

interface BarProps extends Pick<Answers['about'], 'accounts'> {
  readonly tabs: Readonly<Record<string, string>>;
}

/** On a small screen it has two lines: the views, and how old the picture is. The rest opens from its menu. */
export const Bar = ({ accounts, tabs }: BarProps) => {
  const { address, account, timeZone, isPersonal, at } = useView();
  const { view, query } = address;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [address]);
  return (
    <header class={isOpen ? 'bar open' : 'bar'}>
      <div>
        <strong>Callfeed</strong>
        <nav aria-label="Views">
          {Object.entries(tabs).map(([name, text]) => (
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

const feedSeconds = 5;
const greenSeconds = 20;

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
