import { missedStates } from '../../../lib/contract/rules.ts';
import type { CallFilters } from '../../calls/call-filters.ts';
import type { Answers } from '../api.ts';
import type { ShownCall } from '../calls.ts';
import { useView } from './address.ts';
import { waitingCommand } from './call-links.ts';
import type { PageQuery } from './hash.ts';
import { serverNow, useLive } from './live.ts';
import { Caller, Faint, InTerminal, Link, Loading, Skills, Time } from './parts.tsx';
import { type PageColumn, PageTable } from './table.tsx';
import { counted, durationText } from './words.ts';

const refreshSeconds = 15;

export const missedText = ({ state, afterSeconds }: NonNullable<ShownCall['missed']>): string => {
  const { text } = missedStates[state];
  return afterSeconds === undefined ? text : `${text} after ${durationText(afterSeconds)}`;
};

type WaitingCaller = Answers['waiting']['callers'][number];

const columns: readonly PageColumn<WaitingCaller>[] = [
  { name: 'Waiting', cell: ({ waitingSeconds }) => durationText(waitingSeconds), isFigure: true },
  { name: 'Attempts', cell: ({ attempts }) => attempts, isFigure: true },
  {
    name: 'Customer',
    cell: ({ customerNumber, customerText }) => <Caller number={customerNumber} text={customerText} />,
  },
  { name: 'First missed', cell: ({ firstMissedAt }) => <Time at={firstMissedAt} day />, isFigure: true },
  { name: 'Last missed', cell: ({ lastMissedAt }) => <Time at={lastMissedAt} day />, isFigure: true },
  { name: 'Skills', cell: ({ skills }) => <Skills names={skills} /> },
  { name: 'Calls', cell: ({ callIds }) => <Calls ids={callIds} /> },
];

const Calls = ({ ids }: { readonly ids: readonly string[] }) =>
  ids.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <Link view="call" id={id}>
        {id}
      </Link>
    </span>
  ));

const maxCallers = 100;

interface WaitingProps {
  /** What the list of calls is asked, by its filters and range. */
  readonly query: PageQuery;
  readonly filters: CallFilters;
}

/** Who waits, above the open calls of an account: people ring back callers, and not calls. */
export const Waiting = (props: WaitingProps) => {
  const { state, agent, customer } = props.filters;
  return state === 'open' && (agent ?? customer) === undefined ? <Callers query={props.query} /> : null;
};

const Callers = ({ query }: Pick<WaitingProps, 'query'>) => {
  const view = useView();
  const live = useLive('waiting', query, refreshSeconds);
  const { value } = live;
  const isRefused = live.problem?.isRefusal === true;
  return (
    <section>
      <Loading live={live} what="Who waits" />
      {value !== undefined && (
        <>
          <p>
            <b>{counted(value.callers.length, 'caller')}</b> behind {counted(value.counts.open, 'open call')}, the most
            attempts first, then the longest waiting.{' '}
            <Faint>
              As of <Time at={value.asOf} day />: a call that is posted later may end a wait.
            </Faint>
          </p>
          {value.callers.length > 0 && (
            <PageTable
              class="list calls waiting"
              columns={columns}
              rows={value.callers.slice(0, maxCallers)}
              keyOf={({ callIds }) => callIds[0] ?? ''}
              itemOf={() => 'item'}
            />
          )}
          {value.callers.length > maxCallers && <p class="faint">The first {maxCallers} of them.</p>}
          <InTerminal words={isRefused ? undefined : waitingCommand(view, new Date(serverNow()))} />
        </>
      )}
    </section>
  );
};
