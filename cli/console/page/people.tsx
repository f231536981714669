import type { CallsAnswer } from '../calls.ts';
import type { AgentAnswer, AgentSkillsAnswer, CustomerAnswer } from '../people.ts';
import { CallTable } from './call-table.tsx';
import { dayAsked, hashOf, searchOf, useLive, useNow } from './live.ts';
import { Empty, Faint, Link, Loading, Mark, placeOn, Scale, State, Table, Time, useFeed, useView } from './parts.tsx';
import { DayInput } from './when.tsx';
import { clockText, counted, durationText, stateName, styleOf, timeText } from './words.ts';

/** The bar's age of the agents comes with the agent's day. */
const [daySeconds, callsSeconds] = [5, 15];

export const AgentView = ({ agentId }: { readonly agentId: string }) => {
  const { account, timeZone, address } = useView();
  const day = dayAsked(address, timeZone);
  const live = useLive<AgentAnswer>(`agent?${searchOf({ account, id: agentId, day })}`, daySeconds);
  const list = useLive<CallsAnswer>(`calls?${searchOf({ account, agent: agentId, day })}`, callsSeconds);
  const { value } = live;
  const { calls = [], next, day: listed } = list.value ?? {};
  useFeed(value);
  return (
    <article>
      <h1>{agentId}</h1>
      <Loading live={live} what="The agent’s day" />
      <div class="filters">
        <DayInput day={value?.day} />
        {value !== undefined && (
          <Faint>
            known up to <Time at={value.upTo} day />
          </Faint>
        )}
      </div>
      {value?.intervals.length === 0 && (
        <Empty>Not logged in on this day, or the day is no longer kept. Is the id spelt as on the floor?</Empty>
      )}
      {value !== undefined && <Present answer={value} last={calls[0]} />}
      {value !== undefined && value.intervals.length > 0 && <Day answer={value} calls={calls} />}
      <Loading live={list} what="The agent’s calls" />
      {list.value !== undefined && (
        <section>
          <h2>Calls of this day</h2>
          {calls.length === 0 ? (
            <Empty>No call of this agent has come on this day. A call comes when it is over.</Empty>
          ) : (
            <CallTable calls={calls} />
          )}
          {next !== undefined && (
            <Link view="calls" query={{ agent: agentId, day: listed }}>
              More of them
            </Link>
          )}
        </section>
      )}
    </article>
  );
};

/** States in which an agent has a call, which the service reports only when it is over. */
const withCall = ['in-call', 'calling'];

interface PresentProps {
  readonly answer: AgentAnswer;
  readonly last: CallsAnswer['calls'][number] | undefined;
}

const Present = ({ answer: { agentId, freshness, intervals }, last }: PresentProps) => {
  const { account } = useView();
  const now = useNow();
  const { value } = useLive<AgentSkillsAnswer>(`agent-skills?${searchOf({ account, id: agentId })}`);
  const latest = intervals.at(-1);
  if (freshness !== 'live' || latest === undefined || latest.to !== undefined) return null;
  const { state, since } = latest;
  return (
    <p role="status">
      <Mark state={state} /> Now: <b>{stateName(state)}</b> since <Time at={since} />, for{' '}
      {durationText((now - Date.parse(since)) / 1000)}.
      {value?.skills !== undefined && ` Skills: ${value.skills.join(', ')}.`}
      {last !== undefined && (
        <>
          {' '}
          Last call:{' '}
          <Link view="call" id={last.callId}>
            <Time at={last.listedAt} />
          </Link>
          .
        </>
      )}
      {withCall.includes(state) && <Faint> The service reports a call only when it is over.</Faint>}
    </p>
  );
};

const Day = ({ answer, calls }: { readonly answer: AgentAnswer; readonly calls: CallsAnswer['calls'] }) => {
  const { account, timeZone, at } = useView();
  const { intervals, upTo, secondsByState } = answer;
  // The bar shows the time that matters: from the first log-in to what is known, with some room.
  const from = Math.max(Date.parse(answer.start), Date.parse(intervals[0]?.from ?? answer.start) - 300_000);
  const to = Math.min(Date.parse(answer.end), Date.parse(upTo) + 300_000);
  const place = (start: string, end: string) => placeOn([from, to], 0.2)(Date.parse(start), Date.parse(end));
  const textOf = (instant: string | number) => timeText(instant, timeZone);
  const total = Object.values(secondsByState).reduce((sum, seconds) => sum + seconds, 0);
  const totals = Object.entries(secondsByState).toSorted(([, a], [, b]) => b - a);
  const shareOf = (seconds: number) => (total === 0 ? '–' : `${Math.round((100 * seconds) / total)} %`);
  const rowOf = ([state, seconds]: readonly [string, number]) =>
    [<State state={state} />, clockText(seconds), shareOf(seconds)] as const;
  return (
    <>
      <div
        class="track daybar"
        role="img"
        aria-label={`States from ${textOf(from)} to ${textOf(to)}; the totals are below.`}
      >
        {intervals.map(({ state, from: start, to: end = upTo }) => (
          <i
            key={start}
            style={{ ...place(start, end), background: styleOf(state).fill, color: styleOf(state).ink }}
            title={`${stateName(state)}: ${textOf(start)} to ${textOf(end)}, ${durationText((Date.parse(end) - Date.parse(start)) / 1000)}`}
          >
            {styleOf(state).letter}
          </i>
        ))}
        {at !== undefined && <b class="moment" style={{ left: place(at, at).left }} title={textOf(at)} />}
      </div>
      <nav class="daycalls" aria-label="Calls along the day">
        {calls.map(({ callId, startedAt, endedAt }) =>
          startedAt === undefined || Date.parse(startedAt) < from ? null : (
            <a
              key={callId}
              href={hashOf('call', callId, { account })}
              style={place(startedAt, endedAt ?? startedAt)}
              title={`Call at ${textOf(startedAt)}`}
            >
              <span class="hidden">Call at {textOf(startedAt)}</span>
            </a>
          ),
        )}
      </nav>
      <Scale from={textOf(from)} to={textOf(to)} />
      <Table
        class="totals"
        names={['State', 'Time', 'Share']}
        figures={['Time', 'Share']}
        rows={[...totals.map(rowOf), [<b>logged in</b>, <b>{clockText(total)}</b>, '']]}
      />
    </>
  );
};

export const CustomerView = ({ number }: { readonly number: string }) => {
  const { account } = useView();
  const live = useLive<CustomerAnswer>(`customer?${searchOf({ account, number })}`);
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
