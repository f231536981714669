import { useEffect } from 'preact/hooks';
import type { AgentAnswer } from '../agent.ts';
import type { CallsAnswer } from '../calls.ts';
import { CallTable } from './call-table.tsx';
import { type Address, dayAsked, dayNamed, hashOf, replaceQuery, serverNow, useLive } from './live.ts';
import { Empty, type FeedReader, Loading, Mark, Time, type ViewProps } from './parts.tsx';
import { DayInput } from './when.tsx';
import { clockText, dayText, durationText, stateName, styleOf, timeText } from './words.ts';

/** The bar's age of the agents comes with the agent's day. */
const [daySeconds, callsSeconds] = [5, 15];

/** An agent's day: the states along the day, how long each lasted in all, and the calls beside it. */
export const AgentView = ({
  account,
  timeZone,
  agentId,
  at,
  address,
  onFeed,
}: ViewProps & FeedReader & { readonly agentId: string; readonly address: Address }) => {
  const day = dayAsked(address, timeZone);
  const live = useLive<AgentAnswer>(`agent?${new URLSearchParams({ account, id: agentId, day })}`, daySeconds);
  const calls = useLive<CallsAnswer>(`calls?${new URLSearchParams({ account, agent: agentId, day })}`, callsSeconds);
  const { value } = live;
  useEffect(() => {
    if (value !== undefined) onFeed(value);
  }, [value]);
  return (
    <article>
      <h1>{agentId}</h1>
      <Loading live={live} what="The agent’s day" />
      <div class="filters">
        <DayInput
          day={value?.day ?? dayNamed(address)}
          today={dayText(serverNow(), timeZone)}
          onDay={(chosen) => replaceQuery(address, { day: chosen, at: undefined })}
        />
        {value !== undefined && (
          <span class="faint">
            known up to <Time at={value.upTo} zone={timeZone} day />
          </span>
        )}
      </div>
      {value !== undefined && value.intervals.length === 0 && (
        <Empty>Not logged in on this day, or the day is no longer kept. Is the id spelt as on the floor?</Empty>
      )}
      {value !== undefined && <Present answer={value} timeZone={timeZone} />}
      {value !== undefined && value.intervals.length > 0 && (
        <Day answer={value} calls={calls.value?.calls ?? []} timeZone={timeZone} account={account} at={at} />
      )}
      <Loading live={calls} what="The agent’s calls" />
      {calls.value !== undefined && (
        <Calls answer={calls.value} timeZone={timeZone} account={account} agentId={agentId} />
      )}
    </article>
  );
};

/** The state that the agent is in by the latest poll. */
const Present = ({
  answer: { freshness, intervals },
  timeZone,
}: {
  readonly answer: AgentAnswer;
  readonly timeZone: string;
}) => {
  const latest = intervals.at(-1);
  if (freshness !== 'live' || latest === undefined || latest.to !== undefined) return null;
  return (
    <p role="status">
      <Mark state={latest.state} /> Now: <b>{stateName(latest.state)}</b> since{' '}
      <Time at={latest.from} zone={timeZone} />
    </p>
  );
};

const Day = ({
  answer,
  calls,
  timeZone,
  account,
  at,
}: Pick<ViewProps, 'timeZone' | 'account' | 'at'> & {
  readonly answer: AgentAnswer;
  readonly calls: CallsAnswer['calls'];
}) => {
  const { intervals, upTo, secondsByState } = answer;
  // The bar shows the time that matters: from the first log-in to what is known, with some room.
  const from = Math.max(Date.parse(answer.start), Date.parse(intervals[0]?.from ?? answer.start) - 300_000);
  const to = Math.min(Date.parse(answer.end), Date.parse(upTo) + 300_000);
  const place = (start: string, end: string) => {
    const left = ((Date.parse(start) - from) / (to - from)) * 100;
    return { left: `${left}%`, width: `${Math.max(0.2, ((Date.parse(end) - from) / (to - from)) * 100 - left)}%` };
  };
  const total = Object.values(secondsByState).reduce((sum, seconds) => sum + seconds, 0);
  const totals = Object.entries(secondsByState).toSorted(([, a], [, b]) => b - a);
  return (
    <>
      <div
        class="daybar"
        role="img"
        aria-label={`States from ${timeText(from, timeZone)} to ${timeText(to, timeZone)}; the totals are below.`}
      >
        {intervals.map(({ state, from: start, to: end = upTo }) => (
          <i
            key={start}
            style={{ ...place(start, end), background: styleOf(state).fill, color: styleOf(state).ink }}
            title={`${stateName(state)}: ${timeText(start, timeZone)} to ${timeText(end, timeZone)}, ${durationText((Date.parse(end) - Date.parse(start)) / 1000)}`}
          >
            {styleOf(state).letter}
          </i>
        ))}
        {at !== undefined && <b class="moment" style={{ left: place(at, at).left }} title={timeText(at, timeZone)} />}
      </div>
      <nav class="daycalls" aria-label="Calls along the day">
        {calls.map(({ callId, startedAt, endedAt }) =>
          startedAt === undefined || Date.parse(startedAt) < from ? null : (
            <a
              key={callId}
              href={hashOf('call', callId, { account })}
              style={place(startedAt, endedAt ?? startedAt)}
              title={`Call at ${timeText(startedAt, timeZone)}`}
            >
              <span class="hidden">Call at {timeText(startedAt, timeZone)}</span>
            </a>
          ),
        )}
      </nav>
      <p class="faint scale">
        <span>{timeText(from, timeZone)}</span>
        <span>{timeText(to, timeZone)}</span>
      </p>
      <table class="totals">
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col" class="number">
              Time
            </th>
            <th scope="col" class="number">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {totals.map(([state, seconds]) => (
            <tr key={state}>
              <td>
                <Mark state={state} /> {stateName(state)}
              </td>
              <td class="number">{clockText(seconds)}</td>
              <td class="number">{total === 0 ? '–' : `${Math.round((100 * seconds) / total)} %`}</td>
            </tr>
          ))}
          <tr class="sum">
            <td>logged in</td>
            <td class="number">{clockText(total)}</td>
            <td />
          </tr>
        </tbody>
      </table>
    </>
  );
};

const Calls = ({
  answer,
  timeZone,
  account,
  agentId,
}: {
  readonly agentId: string;
  readonly answer: CallsAnswer;
  readonly timeZone: string;
  readonly account: string;
}) => (
  <section>
    <h2>Calls of this day</h2>
    {answer.calls.length === 0 && (
      <Empty>No call of this agent has come on this day. A call comes when it is over.</Empty>
    )}
    {answer.calls.length > 0 && <CallTable calls={answer.calls} timeZone={timeZone} account={account} />}
    {answer.next !== undefined && (
      <a href={hashOf('calls', undefined, { account, agent: agentId, day: answer.day })}>More of them</a>
    )}
  </section>
);
