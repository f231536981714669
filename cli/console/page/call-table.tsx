import { isMissed, outcomeText } from '../../../lib/contract/rules.ts';
import type { ShownCall } from '../calls.ts';
import { Caller, type Column, Faint, Link, Table, Time, WebLink } from './parts.tsx';
import { useView } from './view.ts';
import { clockText, hidden } from './words.ts';

const unread = <Faint title="Not read yet: the call itself shows it.">…</Faint>;

const lengthOf = (seconds: number | undefined) => (seconds === undefined ? '–' : clockText(seconds));

/** Time to answer, talk and recording are of a call's row, so they come a moment later. */
const columns: readonly Column<ShownCall>[] = [
  { name: 'Type', cell: ({ type }) => type ?? '–' },
  { name: 'Customer', cell: ({ customerNumber }) => <Caller number={customerNumber} /> },
  { name: 'Agent', cell: ({ agentIds }) => agentIds?.join(', ') ?? '–' },
  { name: 'Skill', cell: ({ skillName }) => skillName ?? '–' },
  { name: 'Status', cell: (call) => outcomeText(call) ?? '–' },
  {
    name: 'To answer',
    cell: ({ timeToAnswerSeconds, recordings }) => (recordings === undefined ? unread : lengthOf(timeToAnswerSeconds)),
    isFigure: true,
  },
  { name: 'Lasted', cell: ({ callDurationSeconds }) => lengthOf(callDurationSeconds), isFigure: true },
  {
    name: 'Talk',
    cell: ({ durationSeconds, recordings }) => (recordings === undefined ? unread : lengthOf(durationSeconds)),
    isFigure: true,
  },
  { name: 'Disposition', cell: ({ dispositions }) => dispositions?.join(', ') ?? '–' },
  { name: 'Recording', cell: ({ callId, recordings }) => <Recordings callId={callId} urls={recordings} /> },
];

const timeColumn = (hasDay: boolean): Column<ShownCall> => ({
  name: 'Time',
  cell: ({ callId, listedAt }) => (
    <Link view="call" id={callId}>
      <Time at={listedAt} day={hasDay} />
    </Link>
  ),
});

interface CallTableProps {
  readonly calls: readonly ShownCall[];
  readonly hasDays?: boolean;
}

export const CallTable = ({ calls, hasDays = false }: CallTableProps) => (
  <Table
    class="list calls"
    columns={[timeColumn(hasDays), ...columns]}
    rows={calls}
    keyOf={({ callId }) => callId}
    itemOf={(call) => (isMissed(call) ? 'item missed' : 'item')}
  />
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
