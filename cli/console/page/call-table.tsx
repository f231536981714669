import type { ComponentChildren } from 'preact';
import { isMissed } from '../../../lib/contract/rules.ts';
import type { ShownCall } from '../calls.ts';
import { Caller, Faint, Heads, Link, Time, useView, WebLink } from './parts.tsx';
import { clockText, hidden } from './words.ts';

const durations = ['Lasted', 'Talk'];

const unread = <Faint title="Not read yet: the call itself shows it.">…</Faint>;

const lengthOf = (seconds: number | undefined) => (seconds === undefined ? '–' : clockText(seconds));

/** Talk and recording are of a call's row, so they come a moment later. */
const columns: Readonly<Record<string, (call: ShownCall) => ComponentChildren>> = {
  Type: ({ type }) => type ?? '–',
  Customer: ({ customerNumber }) => <Caller number={customerNumber} />,
  Agent: ({ agentIds }) => agentIds?.join(', ') ?? '–',
  Skill: ({ skillName }) => skillName ?? '–',
  Status: (call) => (isMissed(call) ? <b>missed</b> : (call.status ?? '–')),
  Lasted: ({ callDurationSeconds }) => lengthOf(callDurationSeconds),
  Talk: ({ durationSeconds, recordings }) => (recordings === undefined ? unread : lengthOf(durationSeconds)),
  Disposition: ({ dispositions }) => dispositions?.join(', ') ?? '–',
  Recording: ({ callId, recordings }) => <Recordings callId={callId} urls={recordings} />,
};

interface CallTableProps {
  readonly calls: readonly ShownCall[];
  readonly hasDays?: boolean;
}

export const CallTable = ({ calls, hasDays = false }: CallTableProps) => (
  <table class="list calls">
    <Heads names={['Time', ...Object.keys(columns)]} figures={durations} />
    <tbody>
      {calls.map((call) => (
        <tr key={call.callId} class={isMissed(call) ? 'item missed' : 'item'}>
          <td>
            <Link view="call" id={call.callId}>
              <Time at={call.listedAt} day={hasDays} />
            </Link>
          </td>
          {Object.entries(columns).map(([name, cellOf]) => (
            <td key={name} class={durations.includes(name) ? 'number' : undefined} data-label={name}>
              {cellOf(call)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

/** Archived recordings play on the call's page, since the service's links die. */
const Recordings = ({ callId, urls }: { readonly callId: string; readonly urls: ShownCall['recordings'] }) => {
  const { isArchiving } = useView();
  if (urls === undefined) return unread;
  if (urls.length === 0) return <>–</>;
  const isOne = urls.length === 1;
  if (urls.includes(hidden))
    return <Faint title="Start the console with --personal to hear it.">{isOne ? 'one' : urls.length}</Faint>;
  if (isArchiving)
    return (
      <Link view="call" id={callId}>
        {isOne ? 'listen' : `listen to ${urls.length}`}
      </Link>
    );
  return urls.map((url, index) => (
    <span key={url}>
      {index > 0 && ', '}
      <WebLink url={url} text={isOne ? 'listen' : `listen ${index + 1}`} />
    </span>
  ));
};
