import { wordText } from '../../../lib/telephony/vocabularies.ts';
import type { Answers } from '../api.ts';
import { useView } from './address.ts';
import { CallTable } from './call-table.tsx';
import { figureText, ToCalls } from './figures.tsx';
import { dayAsked, hashOf } from './hash.ts';
import { useLive, useNow } from './live.ts';
import { Empty, Faint, Link, Loading, Mark, State, Time } from './parts.tsx';
import { PageTable } from './table.tsx';
import { Scale, Track } from './track.tsx';
import { DayInput } from './when.tsx';
import { clockText, durationText, hidden, noStatesText, percentText, styleOf, timeText } from './words.ts';

const daySeconds = 5;
const callsSeconds = 15;

export const AgentView = ({ agentId }: { readonly agentId: string }) => {
  const { timeZone, address } = useView();
  const day = dayAsked(address, timeZone);
  const live = useLive('agent', { id: agentId, day }, daySeconds);
  const list = useLive('calls', { agent: agentId, day }, callsSeconds);
  const figures = useLive('agent-figures', { id: agentId, day }, callsSeconds);
  const { value: present } = useLive('agent-now', { id: agentId });
  const { value } = live;
  const { calls = [], next, days } = list.value ?? {};
  const name = present?.name ?? nameIn(calls);
  return (
    <article>
      <h1>
        {agentId} {name !== hidden && <Faint>{name}</Faint>}
      </h1>
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
        <Empty>
          {figures.value?.isPolled === false && calls.length > 0
            ? 'Agents of this account were never polled, so nothing is known of states and names. What calls tell of this agent is below.'
            : noStatesText(list.value && calls.length, present?.skills !== undefined)}
        </Empty>
      )}
      {value !== undefined && <Present answer={value} skills={present?.skills} last={calls[0]} />}
      {value !== undefined && value.intervals.length > 0 && (
        <>
          <Day answer={value} calls={calls} />
          <Totals secondsByState={value.secondsByState} />
        </>
      )}
      <Loading live={figures} what="The agent’s figures" />
      {figures.value !== undefined && figures.value.figures.length > 0 && <DayFigures answer={figures.value} />}
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
            <Link view="calls" query={{ agent: agentId, day: days?.from }}>
              More of them
            </Link>
          )}
        </section>
      )}
    </article>
  );
};

/** The same figures as the row of this agent in Day; a number opens the calls that it counts. */
const DayFigures = ({ answer: { figures, opens } }: { readonly answer: Answers['agent-figures'] }) => (
  <section>
    <h2>Figures of this day</h2>
    <dl class="facts">
      {figures.map((figure) => (
        <div key={figure.name} title={`${figure.definition}${figure.note === '' ? '' : ` (${figure.note})`}`}>
          <dt>{figure.title}</dt>
          <dd>
            <ToCalls opens={figure.opens} list={opens}>
              {figureText(figure)}
            </ToCalls>
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

/** The name of an agent who has logged out: as a call has it that names nobody else. */
const nameIn = (calls: Answers['calls']['calls']): string | undefined =>
  calls.find(({ agentIds, agentNames }) => agentIds?.length === 1 && agentNames?.length === 1)?.agentNames?.[0];

/** States in which an agent has a call, which the service reports only when it is over. */
const withCall = ['in-call', 'calling'];

interface PresentProps {
  readonly answer: Answers['agent'];
  readonly skills: Answers['agent-now']['skills'];
  readonly last: Answers['calls']['calls'][number] | undefined;
}

const Present = ({ answer: { freshness, intervals }, skills, last }: PresentProps) => {
  const now = useNow();
  const latest = intervals.at(-1);
  if (freshness !== 'live' || latest === undefined || latest.to !== undefined) return null;
  const { state, since } = latest;
  return (
    <p role="status">
      <Mark state={state} /> Now: <b>{wordText(state)}</b> since <Time at={since} />, for{' '}
      {durationText((now - Date.parse(since)) / 1000)}.{skills !== undefined && ` Skills: ${skills.join(', ')}.`}
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

interface DayProps extends Pick<Answers['calls'], 'calls'> {
  readonly answer: Answers['agent'];
}

const roomMs = 300_000;

/** The states of the day as a bar, and the calls below it: from the first log-in to what is known, with some room. */
const Day = ({ answer: { start, end, upTo, intervals }, calls }: DayProps) => {
  const { account, timeZone, at } = useView();
  const from = Math.max(Date.parse(start), Date.parse(intervals[0]?.from ?? start) - roomMs);
  const to = Math.min(Date.parse(end), Date.parse(upTo) + roomMs);
  const textOf = (instant: string | number) => timeText(instant, timeZone);
  const between = (begin: string, end: string) => ({ from: Date.parse(begin), to: Date.parse(end) });

  const states = intervals.map(({ state, from: begin, to: end = upTo }) => {
    const { fill, ink, letter } = styleOf(state);
    const lasted = durationText((Date.parse(end) - Date.parse(begin)) / 1000);
    const title = `${wordText(state)}: ${textOf(begin)} to ${textOf(end)}, ${lasted}`;
    return { ...between(begin, end), title, text: letter, style: { background: fill, color: ink } };
  });
  const moment = at === undefined ? [] : [{ ...between(at, at), title: textOf(at), class: 'moment' }];
  const callLinks = calls
    .filter(({ startedAt = '' }) => Date.parse(startedAt) >= from)
    .map(({ callId, startedAt = '', endedAt = startedAt }) => {
      const title = `Call at ${textOf(startedAt)}`;
      const href = hashOf('call', callId, { account });
      return { ...between(startedAt, endedAt), title, href, text: <span class="hidden">{title}</span> };
    });
  return (
    <>
      <Track
        class="daybar"
        label={`States from ${textOf(from)} to ${textOf(to)}; the totals are below.`}
        range={[from, to]}
        least={0.2}
        spans={[...states, ...moment]}
      />
      <nav aria-label="Calls along the day">
        <Track class="daycalls" range={[from, to]} least={0.2} spans={callLinks} />
      </nav>
      <Scale from={textOf(from)} to={textOf(to)} />
    </>
  );
};

const Totals = ({ secondsByState }: Pick<Answers['agent'], 'secondsByState'>) => {
  const total = Object.values(secondsByState).reduce((sum, seconds) => sum + seconds, 0);
  const shareOf = (seconds: number) => (total === 0 ? '–' : percentText(seconds / total));
  const rows = Object.entries(secondsByState)
    .toSorted(([, a], [, b]) => b - a)
    .map(([state, seconds]) => ({ state: <State state={state} />, time: clockText(seconds), share: shareOf(seconds) }));
  return (
    <PageTable
      class="totals"
      columns={[
        { name: 'State', cell: ({ state }) => state },
        { name: 'Time', cell: ({ time }) => time, isFigure: true },
        { name: 'Share', cell: ({ share }) => share, isFigure: true },
      ]}
      rows={[...rows, { state: <b>logged in</b>, time: <b>{clockText(total)}</b>, share: '' }]}
    />
  );
};
