import { isMissed } from '../../../lib/contract/rules.ts';
import { isOneDay } from '../../../lib/core/time.ts';
import { usualSpellingsText } from '../../calls/set-filters.ts';
import type { Answers } from '../api.ts';
import type { ShownCall } from '../calls.ts';
import { useView, type View } from './address.ts';
import { QuartersChart } from './bars.tsx';
import { Filters } from './call-filters.tsx';
import { filtersOf, listCommand, outcomeQuery } from './call-links.ts';
import { useCallList } from './call-list.ts';
import { sorted } from './call-order.ts';
import { CallTable } from './call-table.tsx';
import { callsAsked } from './hash.ts';
import { serverNow, useLive } from './live.ts';
import { Empty, InTerminal, Link, Loading, Time } from './parts.tsx';
import { Waiting } from './waiting.tsx';
import { counted } from './words.ts';

const quartersSeconds = 60;

const maxRows = 1_000;

export const CallsView = () => {
  const view = useView();
  const { address, at, timeZone } = view;
  const filters = filtersOf(address);
  const query = { ...callsAsked(address, timeZone), ...filters };
  const list = useCallList(query);
  const { answer, shown, isWhole } = list;
  // The few calls of a customer are read for the list alone.
  const quarters = useLive(filters.customer === undefined ? 'quarters' : undefined, query, quartersSeconds);
  const listedBy = (word: string) => outcomeQuery(address, word);
  // What is refused is no list: the command would be refused too.
  const command = list.live.problem?.isRefusal ? undefined : listCommand(view, new Date(serverNow()));
  return (
    <>
      <h1 class="hidden">Calls</h1>
      <Loading live={list.live} what="The list of calls" />
      {quarters.value !== undefined && <QuartersChart {...quarters.value} at={at} listedBy={listedBy} />}
      {/* It keeps the room until the chart comes. */}
      {filters.customer === undefined && (quarters.value ?? quarters.problem) === undefined && <div class="chart" />}
      <Filters range={answer} calls={shown} />
      {/* It has its room before it is needed, so that no row moves under a pointer. */}
      <button type="button" class="new" style={list.hasNew ? '' : 'visibility: hidden'} onClick={list.showNew}>
        {list.newText} new
      </button>
      <p class="faint">
        <span role="status">{list.hasCome && countText(shown, isWhole, quarters.value?.count)}</span>
        {answer?.missedReading.asOf !== undefined && (
          <>
            , what became of {shown.length > answer.calls.length ? 'the newest' : 'these'} as of{' '}
            <Time at={answer.missedReading.asOf} day />
          </>
        )}{' '}
        <a href={`console/api/calls-csv?${list.search}`} download title={csvTitle}>
          Download all as CSV
        </a>{' '}
        (import ids and numbers as text: spreadsheets round long ones)
      </p>
      {answer?.isUsualSpellingsOnly && (
        <p class="faint" role="status">
          {usualSpellingsText} These days have more than 50,000 calls: ask for fewer.
        </p>
      )}
      {answer?.missedReading.problem !== undefined && (
        <p class="empty" role="alert">
          Missed calls are shown without what became of them. {answer.missedReading.problem}
        </p>
      )}
      <Waiting query={query} filters={filters} />
      {shown.length > 0 && (
        <CallTable calls={sorted(shown, address)} hasDays={answer !== undefined && !isOneDay(answer.days)} />
      )}
      {list.hasCome && shown.length === 0 && <Nothing {...{ answer, isWhole, quarters: quarters.value }} />}
      <Loading live={list.older} what="Older calls" />
      {!isWhole && <Older count={shown.length} onShow={list.showOlder} />}
      <InTerminal words={command} />
    </>
  );
};

const csvTitle =
  'Every call that fits the range and the filters, with times in UTC and localTime on the account’s clocks. Import callId, customerNumber and agentIds as text: spreadsheets round long numbers, and drop a 0 in front.';

/** How many calls the list has. Where it is not shown to its end, they were counted with the quarters of an hour. */
const countText = (shown: readonly ShownCall[], isWhole: boolean, count = 0): string => {
  const calls =
    isWhole || count <= shown.length
      ? counted(shown.length, 'call')
      : `${shown.length.toLocaleString('en-GB')} of ${counted(count, 'call')}`;
  return `${isWhole ? '' : 'The newest '}${calls}, ${shown.filter(isMissed).length} missed`;
};

const Older = ({ count, onShow }: { readonly count: number; readonly onShow: () => void }) =>
  count < maxRows ? (
    <button type="button" onClick={onShow}>
      {count === 0 ? 'Search further back' : 'Older calls'}
    </button>
  ) : (
    <p class="faint">More than {maxRows} calls: choose a moment or a filter to see others.</p>
  );

type CallsAnswer = Answers['calls'];

interface NothingProps {
  readonly answer: CallsAnswer | undefined;
  readonly isWhole: boolean;
  /** Of a customer’s calls there are none. */
  readonly quarters: Answers['quarters'] | undefined;
}

/** Why a list is empty, with links to what calls have in place of a text that none has. */
const Nothing = ({ answer, isWhole, quarters }: NothingProps) => {
  const view = useView();
  const { near = [] } = quarters ?? answer ?? {};
  return (
    <Empty>
      {nothingText(view, answer, isWhole)}
      {near.map(({ name, text }) => (
        <span key={`${name} ${text}`}>
          {' '}
          There are calls of {name}{' '}
          <Link view="calls" query={{ ...view.address.query, [name]: text }}>
            {text}
          </Link>
          .
        </span>
      ))}
    </Empty>
  );
};

const nothingText = ({ address, isSandbox, at }: View, answer: CallsAnswer | undefined, isWhole: boolean): string => {
  const days = answer === undefined || isOneDay(answer.days) ? 'this day' : 'these days';
  if (Object.keys(filtersOf(address)).length > 0)
    return isWhole ? `No call of ${days} fits the filters.` : 'None of the calls read so far fits the filters.';
  const when = at === undefined ? `yet on ${days}` : `up to this moment on ${days}`;
  return `No calls ${when}. ${isSandbox ? '“Sandbox” below posts one.' : 'The service posts one when it is over.'}`;
};
