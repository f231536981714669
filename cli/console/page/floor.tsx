import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FloorAnswer } from '../floor.ts';
import type { HistoryAnswer } from '../floor-history.ts';
import { type Agent, BySkill, countsOf, skillsOf } from './by-skill.tsx';
import { type Address, hashOf, replaceQuery, useLive, useNow } from './live.ts';
import { Chart, Empty, type FeedReader, Loading, Mark, type ViewProps } from './parts.tsx';
import { clockText, counted, hidden, stateName, states, styleOf } from './words.ts';

const refreshSeconds = 5;

const historySeconds = 15;

const twoHours = 7200;

/** A chart of the first minute would be one bar. */
const leastShown = 900;

/** A state that lasts so many minutes stands out; to be set in the page. */
const defaultLimits = { acw: '5', pause: '15' } as const;

/** The floor now, or as it was at a moment. */
export const FloorView = (props: ViewProps & FeedReader & { readonly address: Address }) => {
  const { account, timeZone, at, address, onFeed } = props;
  const search = new URLSearchParams({ account, ...(at !== undefined && { at }) });
  const floor = useLive<FloorAnswer>(`floor?${search}`, at === undefined ? refreshSeconds : undefined);
  const history = useLive<HistoryAnswer>(`history?${new URLSearchParams({ account })}`, historySeconds);
  useEffect(() => {
    if (floor.value !== undefined && at === undefined) onFeed(floor.value);
  }, [floor.value]);

  const { query } = address;
  const agents = floor.value?.agents ?? [];
  const counts = useMemo(() => countsOf(agents), [agents]);
  const shown = useMemo(() => selected(agents, query), [agents, query]);
  return (
    <>
      <h1 class="hidden">Floor</h1>
      <Loading live={floor} what="The floor" />
      <Tiles counts={counts} total={agents.length} address={address} />
      {history.value !== undefined && (
        <HistoryChart history={history.value} timeZone={timeZone} at={at} onPick={(moment) => pick(address, moment)} />
      )}
      <BySkill agents={agents} />
      <Filters agents={agents} address={address} shown={shown.length} />
      {floor.value?.freshness === 'none' && <Nothing at={at} isSandbox={props.isSandbox} />}
      {floor.value?.agents !== undefined && agents.length === 0 && (
        <Empty>
          Nobody {at === undefined ? 'is' : 'was'} logged in.
          {props.isSandbox && at === undefined && ' Log somebody in with “Sandbox” below.'}
        </Empty>
      )}
      {shown.length > 0 && (
        <AgentRows
          agents={shown}
          address={address}
          until={at}
          isStale={floor.value?.freshness === 'stale' ? floor.value.asOf : undefined}
        />
      )}
      {shown.length === 0 && agents.length > 0 && (
        <Empty>
          No agent fits the filters.{' '}
          <a href={hashOf('floor', undefined, { account: query['account'], at })}>Show all</a>
        </Empty>
      )}
    </>
  );
};

const pick = ({ query }: Address, moment: number): void => {
  location.hash = hashOf('floor', undefined, { ...query, at: new Date(Math.round(moment) * 1000).toISOString() });
};

const Nothing = ({ at, isSandbox }: { readonly at: string | undefined; readonly isSandbox: boolean }) => (
  <Empty>
    {at !== undefined
      ? 'No picture is kept from then. Snapshots are kept for a week, from the first poll on.'
      : isSandbox
        ? 'No poll has succeeded yet. The first one comes within 15 seconds.'
        : 'No poll of this account has succeeded yet. Is polling on, and is the account spelt as in the secret?'}
  </Empty>
);

/** The tiles filter: several states can be chosen. */
const Tiles = ({
  counts,
  total,
  address,
}: {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
  readonly address: Address;
}) => {
  const chosen = (address.query['state'] ?? '').split(',').filter(Boolean);
  const shown = Object.keys(states).filter(
    (state) => counts.has(state) || chosen.includes(state) || ['ready', 'in-call', 'acw', 'pause'].includes(state),
  );
  const toggle = (state: string) =>
    (chosen.includes(state) ? chosen.filter((one) => one !== state) : [...chosen, state]).join(',');
  return (
    <fieldset class="tiles">
      <legend class="hidden">Agents by state</legend>
      <button
        type="button"
        class="tile"
        aria-pressed={chosen.length === 0}
        onClick={() => replaceQuery(address, { state: undefined })}
      >
        <b>{total}</b>
        <span>logged in</span>
      </button>
      {shown.map((state) => (
        <button
          key={state}
          type="button"
          class="tile"
          aria-pressed={chosen.includes(state)}
          onClick={() => replaceQuery(address, { state: toggle(state) })}
        >
          <b>{counts.get(state) ?? 0}</b>
          <span>
            <Mark state={state} /> {stateName(state)}
          </span>
        </button>
      ))}
    </fieldset>
  );
};

const HistoryChart = ({
  history,
  timeZone,
  at,
  onPick,
}: {
  readonly history: HistoryAnswer;
  readonly at: string | undefined;
  readonly timeZone: string;
  readonly onPick: (seconds: number) => void;
}) => {
  const { points, now, isWhole } = history;
  const to = Math.ceil(Date.parse(now) / 1000);
  const series = useMemo(() => {
    const present = Object.keys(states).filter((state) => points.some(([, , counts]) => (counts[state] ?? 0) > 0));
    return present.map((state) => ({
      label: stateName(state),
      fill: styleOf(state).fill,
      values: [...points, ...points.slice(-1)].map(([, isLive, counts]) => (isLive ? (counts[state] ?? 0) : null)),
    }));
  }, [points]);
  const times = useMemo(() => [...points.map(([ms]) => ms / 1000), ...(points.length > 0 ? [to] : [])], [points, to]);
  if (points.length === 0) return null;
  return (
    <Chart
      title={`Agents by state over the last two hours; gaps are interruptions.${isWhole ? '' : ' Reading further back …'} Click a moment to see the floor as it was then.`}
      kind="steps"
      times={times}
      series={series}
      range={[Math.max(to - twoHours, Math.min((times[0] ?? to) - 60, to - leastShown)), to]}
      mark={at}
      timeZone={timeZone}
      onPick={onPick}
    />
  );
};

const sorts = {
  longest: 'longest in state first',
  id: 'by agent',
  state: 'by state',
  login: 'longest logged in first',
} as const;

const Filters = ({
  agents,
  address,
  shown,
}: {
  readonly agents: readonly Agent[];
  readonly address: Address;
  readonly shown: number;
}) => {
  const { query } = address;
  const limits = limitsOf(query);
  const change = (name: string) => (event: { readonly currentTarget: { readonly value: string } }) =>
    replaceQuery(address, { [name]: event.currentTarget.value });
  return (
    <div class="filters">
      <input
        type="search"
        id="search"
        placeholder="Search agents ( / )"
        aria-label="Search agents"
        value={query['search'] ?? ''}
        onInput={change('search')}
      />
      <select aria-label="Skill" value={query['skill'] ?? ''} onChange={change('skill')}>
        <option value="">every skill</option>
        {skillsOf(agents).map((skill) => (
          <option key={skill}>{skill}</option>
        ))}
      </select>
      <select aria-label="Sort" value={query['sort'] ?? 'longest'} onChange={change('sort')}>
        {Object.entries(sorts).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
      <label>
        too long: after-call work over{' '}
        <input type="number" min="1" max="999" value={limits.acw} onChange={change('acw')} />
      </label>
      <label>
        pause over <input type="number" min="1" max="999" value={limits.pause} onChange={change('pause')} /> min
      </label>
      <output class="faint">{counted(shown, 'agent')}</output>
    </div>
  );
};

const limitsOf = (query: Address['query']) => ({
  acw: Number(query['acw'] ?? defaultLimits.acw) || 5,
  pause: Number(query['pause'] ?? defaultLimits.pause) || 15,
});

const orders: Readonly<Record<string, (a: Agent, b: Agent) => number>> = {
  longest: (a, b) => a.since.localeCompare(b.since),
  id: (a, b) => a.agentId.localeCompare(b.agentId),
  state: (a, b) =>
    Object.keys(states).indexOf(a.state) - Object.keys(states).indexOf(b.state) || a.since.localeCompare(b.since),
  login: (a, b) => a.loggedInSince.localeCompare(b.loggedInSince),
};

const selected = (agents: readonly Agent[], query: Address['query']): readonly Agent[] => {
  const chosen = (query['state'] ?? '').split(',').filter(Boolean);
  const text = (query['search'] ?? '').toLowerCase();
  const fits = ({ agentId, name = '', state, skills = [] }: Agent): boolean =>
    (chosen.length === 0 || chosen.includes(state)) &&
    (!query['skill'] || skills.includes(query['skill'])) &&
    (text === '' || `${agentId} ${name} ${skills.join(' ')}`.toLowerCase().includes(text));
  const sort = query['sort'] ?? '';
  return agents.filter(fits).sort(orders[Object.hasOwn(orders, sort) ? sort : 'longest']);
};

/** Only the rows in sight are in the page, so that thousands of agents cost no more than some. */
const AgentRows = ({
  agents,
  address,
  until,
  isStale,
}: {
  readonly agents: readonly Agent[];
  readonly address: Address;
  readonly until: string | undefined;
  readonly isStale: string | undefined;
}) => {
  const now = useNow();
  const box = useRef<HTMLElement>(null);
  const [first, setFirst] = useState(0);
  const end = Date.parse(until ?? isStale ?? new Date(now).toISOString());
  const limits = limitsOf(address.query);
  const rowHeight = matchMedia('(max-width: 600px)').matches ? 52 : 28;
  const inSight = 60;
  const from = Math.max(0, Math.min(first, agents.length - inSight));
  const rows = agents.slice(from, from + inSight);
  const isLong = ({ state, since }: Agent): boolean => {
    const minutes = (end - Date.parse(since)) / 60_000;
    return (state === 'acw' && minutes > limits.acw) || (state === 'pause' && minutes > limits.pause);
  };
  const scrolled = () => setFirst(Math.max(0, Math.floor((box.current?.scrollTop ?? 0) / rowHeight) - 10));
  return (
    <section class="rows" ref={box} onScroll={scrolled} aria-label="Agents">
      <table class="agents" aria-rowcount={agents.length + 1}>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">Agent</th>
            <th scope="col" class="number">
              In state
            </th>
            <th scope="col">Skills</th>
          </tr>
        </thead>
        <tbody>
          {from > 0 && <tr style={{ height: `${from * rowHeight}px` }} class="space" />}
          {rows.map((agent, index) => (
            <tr key={agent.agentId} class={isLong(agent) ? 'item long' : 'item'} aria-rowindex={from + index + 2}>
              <td class="state">
                <Mark state={agent.state} /> {stateName(agent.state)}
              </td>
              <td class="who">
                <a href={hashOf('agent', agent.agentId, { account: address.query['account'], at: until })}>
                  {agent.agentId}
                </a>
                {agent.name !== undefined && agent.name !== hidden && <span class="faint"> {agent.name}</span>}
              </td>
              <td class="number" title={`since ${agent.since} (UTC)`}>
                {clockText((end - Date.parse(agent.since)) / 1000)}
                {isLong(agent) && <span class="hidden"> too long</span>}
              </td>
              <td class="skills">{agent.skills?.join(', ') ?? '–'}</td>
            </tr>
          ))}
          {from + inSight < agents.length && (
            <tr style={{ height: `${(agents.length - from - inSight) * rowHeight}px` }} class="space" />
          )}
        </tbody>
      </table>
    </section>
  );
};
