import { isMissed } from '../../../lib/contract/rules.ts';
import type { CallsAnswer } from '../calls.ts';
import { hashOf } from './live.ts';
import { Caller, Heads, Time, useView, WebLink } from './parts.tsx';
import { clockText, hidden } from './words.ts';

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
              <Recordings urls={call.recordings} />
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

const Recordings = ({ urls }: { readonly urls: readonly string[] | undefined }) => {
  if (urls === undefined) return <Unread />;
  if (urls.length === 0) return <>–</>;
  return urls.includes(hidden) ? (
    <span class="faint" title="Start the console with --personal to hear it.">
      {urls.length === 1 ? 'one' : urls.length}
    </span>
  ) : (
    urls.map((url, index) => (
      <WebLink key={url} url={url} text={urls.length === 1 ? 'listen' : `listen ${index + 1}`} />
    ))
  );
};
