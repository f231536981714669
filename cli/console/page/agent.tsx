import type { CallsAnswer } from '../calls.ts';
import type { AgentAnswer, AgentSkillsAnswer } from '../people.ts';
import { CallTable } from './call-table.tsx';
import { dayAsked, hashOf, useLive, useNow } from './live.ts';
import { Empty, Heads, Loading, Mark, placeOn, Scale, Time, useFeed, useView } from './parts.tsx';
import { DayInput } from './when.tsx';
import { clockText, durationText, stateName, styleOf, timeText } from './words.ts';

/** The bar's age of the agents comes with the agent's day. */
const [daySeconds, callsSeconds] = [5, 15];

/** An agent's day: the states along the day, how long each lasted in all, and the calls beside it. */
export const AgentView = ({ agentId }: { readonly agentId: string }) => {
  const { account, timeZone, address } = useView();
  const day = dayAsked(address, timeZone);
  const live = useLive<AgentAnswer>(`agent?${new URLSearchParams({ account, id: agentId, day })}`, daySeconds);
  const calls = useLive<CallsAnswer>(`calls?${new URLSearchParams({ account, agent: agentId, day })}`, callsSeconds);
  const { value } = live;
  useFeed(value);
  return (
    <article>
      <h1>{agentId}</h1>
      <Loading live={live} what="The agent’s day" />
      <div class="filters">
        <DayInput day={value?.day} />
        {value !== undefined && (
          <span class="faint">
            known up to <Time at={value.upTo} day />
          </span>
        )}
      </div>
      {value !== undefined && value.intervals.length === 0 && (
        <Empty>Not logged in on this day, or the day is no longer kept. Is the id spelt as on the floor?</Empty>
      )}
      {value !== undefined && <Present answer={value} last={calls.value?.calls[0]} />}
      {value !== undefined && value.intervals.length > 0 && <Day answer={value} calls={calls.value?.calls ?? []} />}
      <Loading live={calls} what="The agent’s calls" />
      {calls.value !== undefined && <Calls answer={calls.value} agentId={agentId} />}
    </article>
  );
};

/** States in which an agent has a call, which the service reports only when it is over. */
const withCall = ['in-call', 'calling'];

/** The state that the agent is in by the latest poll, its skills, which change rarely and are read once, and its last call. */
const Present = ({
  answer: { agentId, freshness, intervals },
  last,
}: {
  readonly answer: AgentAnswer;
  readonly last: CallsAnswer['calls'][number] | undefined;
}) => {
  const { account, address } = useView();
  const now = useNow();
  const { value } = useLive<AgentSkillsAnswer>(`agent-skills?${new URLSearchParams({ account, id: agentId })}`);
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
          <a href={hashOf('call', last.callId, { account: address.query['account'] })}>
            <Time at={last.listedAt} />
          </a>
          .
        </>
      )}
      {withCall.includes(state) && <span class="faint"> The service reports a call only when it is over.</span>}
    </p>
  );
};

const Day = ({ answer, calls }: { readonly answer: AgentAnswer; readonly calls: CallsAnswer['calls'] }) => {
  const { account, timeZone, at } = useView();
  const { intervals, upTo, secondsByState } = answer;
  // The bar shows the time that matters: from the first log-in to what is known, with some room.
  const from = Math.max(Date.parse(answer.start), Date.parse(intervals[0]?.from ?? answer.start) - 300_000);
  const to = Math.min(Date.parse(answer.end), Date.parse(upTo) + 300_000);
  const placeMs = placeOn([from, to], 0.2);
  const place = (start: string, end: string) => placeMs(Date.parse(start), Date.parse(end));
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
      <Scale from={timeText(from, timeZone)} to={timeText(to, timeZone)} />
      <table class="totals">
        <Heads names={['State', 'Time', 'Share']} figures={['Time', 'Share']} />
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

const Calls = ({ answer, agentId }: { readonly answer: CallsAnswer; readonly agentId: string }) => {
  const { account } = useView();
  return (
    <section>
      <h2>Calls of this day</h2>
      {answer.calls.length === 0 ? (
        <Empty>No call of this agent has come on this day. A call comes when it is over.</Empty>
      ) : (
        <CallTable calls={answer.calls} />
      )}
      {answer.next !== undefined && (
        <a href={hashOf('calls', undefined, { account, agent: agentId, day: answer.day })}>More of them</a>
      )}
    </section>
  );
};
