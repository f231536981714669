import { useState } from 'preact/hooks';
import { isMissed, lastedSecondsOf, outcomeText } from '../../../lib/contract/rules.ts';
import type { ShownCall } from '../calls.ts';
import { useView } from './address.ts';
import { Agents, Caller, CallsOf, Faint, Link, Time, WebLink } from './parts.tsx';
import { Player } from './player.tsx';
import { type PageColumn, PageTable } from './table.tsx';
import { missedText } from './waiting.tsx';
import { clockText, hidden } from './words.ts';

const unread = <Faint title="Not read yet: the call itself shows it.">…</Faint>;

const lengthOf = (seconds: number | undefined) => (seconds === undefined ? '–' : clockText(seconds));

/** Time to answer, talk and recording are of a call's row, so they come a moment later. */
const columns: readonly PageColumn<ShownCall>[] = [
  { name: 'Type', cell: ({ type }) => type ?? '–' },
  {
    name: 'Customer',
    cell: ({ customerNumber, customerText }) => <Caller number={customerNumber} text={customerText} />,
  },
  { name: 'Agent', cell: ({ agentIds, listedAt }) => <Agents ids={agentIds} at={listedAt} /> },
  { name: 'Skill', cell: ({ skillName, listedAt }) => <CallsOf name="skill" text={skillName} at={listedAt} /> },
  { name: 'Status', cell: (call) => <Outcome call={call} /> },
  {
    name: 'To answer',
    cell: ({ timeToAnswerSeconds, recordings }) => (recordings === undefined ? unread : lengthOf(timeToAnswerSeconds)),
    isFigure: true,
  },
  { name: 'Lasted', cell: (call) => lengthOf(lastedSecondsOf(call)), isFigure: true },
  {
    name: 'Talk',
    cell: ({ durationSeconds, recordings }) => (recordings === undefined ? unread : lengthOf(durationSeconds)),
    isFigure: true,
  },
  { name: 'Disposition', cell: ({ dispositions }) => dispositions?.join(', ') ?? '–' },
];

const campaignColumn: PageColumn<ShownCall> = {
  name: 'Campaign',
  cell: ({ campaignName, listedAt }) => <CallsOf name="campaign" text={campaignName} at={listedAt} />,
};

const recordingColumn = (onListen: (callId: string) => void): PageColumn<ShownCall> => ({
  name: 'Recording',
  cell: ({ callId, recordings }) => <Recordings urls={recordings} onListen={() => onListen(callId)} />,
});

/** How a call ended, and what became of a missed one. */
const Outcome = ({ call }: { readonly call: ShownCall }) => (
  <>
    {outcomeText(call) ?? '–'}
    {call.missed !== undefined && `, ${missedText(call.missed)}`}
  </>
);

const timeColumn = (hasDay: boolean): PageColumn<ShownCall> => ({
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

export const CallTable = ({ calls, hasDays = false }: CallTableProps) => {
  const [listened, listen] = useState<string>();
  return (
    <>
      <PageTable
        class={hasDays ? 'list calls dated' : 'list calls'}
        columns={[
          timeColumn(hasDays),
          ...columns,
          ...(calls.some(({ campaignName }) => campaignName !== undefined) ? [campaignColumn] : []),
          recordingColumn(listen),
        ]}
        rows={calls}
        keyOf={({ callId }) => callId}
        itemOf={(call) => (isMissed(call) ? `item missed ${call.missed?.state ?? ''}` : 'item')}
      />
      {listened !== undefined && <Player key={listened} callId={listened} onClose={() => listen(undefined)} />}
    </>
  );
};

interface RecordingsProps {
  readonly urls: ShownCall['recordings'];
  readonly onListen: () => void;
}

/** Archived recordings play here, since the service's links die. */
const Recordings = ({ urls, onListen }: RecordingsProps) => {
  const { isArchiving } = useView();
  if (urls === undefined) return unread;
  if (urls.length === 0) return <>–</>;
  const isOne = urls.length === 1;
  if (urls.includes(hidden))
    return <Faint title="Start the console with --personal to hear it.">{isOne ? 'one' : urls.length}</Faint>;
  if (isArchiving)
    return (
      <button type="button" class="link" onClick={onListen}>
        {isOne ? 'listen' : `listen to ${urls.length}`}
      </button>
    );
  return urls.map((url, index) => (
    <span key={url}>
      {index > 0 && ', '}
      <WebLink url={url} text={isOne ? 'listen' : `listen ${index + 1}`} />
    </span>
  ));
};
