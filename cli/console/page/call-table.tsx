import { isMissed } from '../../../lib/contract/rules.ts';
import type { CallsAnswer } from '../calls.ts';
import type { CustomerAnswer } from '../people.ts';
import { hashOf, useLive } from './live.ts';
import { Caller, Empty, Heads, Loading, Time, useView, WebLink } from './parts.tsx';
import { clockText, counted, hidden } from './words.ts';

type Call = CallsAnswer['calls'][number];

const columns = ['Time', 'Type', 'Customer', 'Agent', 'Skill', 'Status', 'Lasted', 'Talk', 'Disposition', 'Recording'];
const durations = ['Lasted', 'Talk'];

/** Calls, each with a link to all about it. Talk and recording are of its row, so they come a moment later. */
export const CallTable = ({
  calls,
  hasDays = false,
}: {
  readonly calls: readonly Call[];
  /** The calls are of several days. */
  readonly hasDays?: boolean;
}) => {
  const { account } = useView().address.query;
  return (
    <table class="calls">
      <Heads names={columns} figures={durations} />
      <tbody>
        {calls.map((call) => (
          <tr key={call.callId} class={isMissed(call) ? 'item missed' : 'item'}>
            <td>
              <a href={hashOf('call', call.callId, { account })}>
                <Time at={call.listedAt} day={hasDays} />
              </a>
            </td>
            <td>{call.type ?? '–'}</td>
            <td>
              <Caller number={call.customerNumber} />
            </td>
            <td>{call.agentIds?.join(', ') ?? '–'}</td>
            <td>{call.skillName ?? '–'}</td>
            <td>{isMissed(call) ? <b>missed</b> : (call.status ?? '–')}</td>
            <Duration name="Lasted" seconds={call.callDurationSeconds} />
            <Duration name="Talk" seconds={call.durationSeconds} isRead={call.recordings !== undefined} />
            <td>{call.dispositions?.join(', ') ?? '–'}</td>
            <td data-label="Recording">
              <Recordings callId={call.callId} urls={call.recordings} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

interface DurationProps {
  readonly name: string;
  readonly seconds: number | undefined;
  readonly isRead?: boolean;
}

const Duration = ({ name, seconds, isRead = true }: DurationProps) => (
  <td class="number" data-label={name}>
    {isRead ? seconds === undefined ? '–' : clockText(seconds) : <Unread />}
  </td>
);

/** What was not read yet need not be absent. */
const Unread = () => (
  <span class="faint" title="Not read yet: the call itself shows it.">
    …
  </span>
);

/** Archived recordings play on the call's page, since the service's links die. */
const Recordings = ({ callId, urls }: { readonly callId: string; readonly urls: readonly string[] | undefined }) => {
  const { isArchiving, address } = useView();
  if (urls === undefined) return <Unread />;
  if (urls.length === 0) return <>–</>;
  if (isArchiving && !urls.includes(hidden))
    return (
      <a href={hashOf('call', callId, { account: address.query['account'] })}>
        {urls.length === 1 ? 'listen' : `listen to ${urls.length}`}
      </a>
    );
  return urls.includes(hidden) ? (
    <span class="faint" title="Start the console with --personal to hear it.">
      {urls.length === 1 ? 'one' : urls.length}
    </span>
  ) : (
    urls.map((url, index) => (
      <span key={url}>
        {index > 0 && ', '}
        <WebLink url={url} text={urls.length === 1 ? 'listen' : `listen ${index + 1}`} />
      </span>
    ))
  );
};

export const CustomerView = ({ number }: { readonly number: string }) => {
  const { account } = useView();
  const live = useLive<CustomerAnswer>(`customer?${new URLSearchParams({ account, number })}`);
  const { value } = live;
  return (
    <article>
      <h1>Calls of {number}</h1>
      <Loading live={live} what="The caller" />
      {value !== undefined && (
        <p class="faint" role="status">
          {value.isAtLeast && 'The newest '}
          {counted(value.calls.length, 'call')}
          {value.numbers.length > 0 && ` of ${value.numbers.join(', ')}`}. The usual spellings were searched over all
          days, and the newest {counted(value.searched, 'call')} for other spellings and numbers that end so.
          {value.otherNumbers > 0 &&
            ` ${counted(value.otherNumbers, 'more number')} there end so too: type more digits.`}
        </p>
      )}
      {value?.calls.length === 0 && (
        <Empty>
          No call has the number {value.spellings.join(' or ')}, as far back as calls are kept, and none of the newest{' '}
          {counted(value.searched, 'call')} has another that fits. The last four digits may be enough to find it there.
        </Empty>
      )}
      {value !== undefined && value.calls.length > 0 && <CallTable calls={value.calls} hasDays />}
    </article>
  );
};

export const FindCaller = ({ account }: { readonly account: string | undefined }) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      const typed = String(new FormData(event.currentTarget).get('number') ?? '').trim();
      if (typed !== '') location.hash = hashOf('customer', typed, { account });
    }}
  >
    <input type="search" name="number" placeholder="Find a caller" aria-label="Find a caller by number" size={14} />
  </form>
);
