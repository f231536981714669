import { useMemo, useRef, useState } from 'preact/hooks';
import type { FloorAnswer, HistoryAnswer } from '../floor.ts';
import { type Address, hashOf, replaceQuery, useLive, useNow } from './live.ts';
import { Chart, Empty, Heads, Loading, Mark, Select, useFeed, useView } from './parts.tsx';
import { clockText, counted, hidden, stateName, states, styleOf } from './words.ts';

const [refreshSeconds, historySeconds] = [5, 15];

const twoHours = 7200;

/** A chart of the first minute would be one bar. */
const leastShown = 900;

type Agent = NonNullable<FloorAnswer['agents']>[number];

const countsOf = (agents: readonly Agent[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { state } of agents) counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
};

const skillsOf = (agents: readonly Agent[]): readonly string[] =>
  [...new Set(agents.flatMap(({ skills = [] }) => skills))].sort((a, b) => a.localeCompare(b));

/** The states of agents who work. They have tiles even with nobody in them; of a skill all others are one column. */
const mainStates = ['ready', 'in-call', 'acw', 'pause'];
const skillHeads = [...mainStates.map(stateName), 'other'];

/** How many agents of each skill are in which state. An agent counts for each of their skills. */
const BySkill = ({ agents }: { readonly agents: readonly Agent[] }) => {
  const skills = skillsOf(agents);
  if (skills.length === 0) return null;
  return (
    <details>
      <summary>By skill</summary>
      <p class="faint">How many calls wait for a skill is not known: the service reports a call when it is over.</p>
      <table>
        <Heads names={['Skill', ...skillHeads]} figures={skillHeads} />
        <tbody>
          {skills.map((skill) => (
            <SkillRow key={skill} skill={skill} agents={agents.filter((agent) => agent.skills?.includes(skill))} />
          ))}
        </tbody>
      </table>
    </details>
  );
};

const SkillRow = ({ skill, agents }: { readonly skill: string; readonly agents: readonly Agent[] }) => {
  const counts = countsOf(agents);
  const known = mainStates.map((state) => [state, counts.get(state) ?? 0] as const);
  const others = agents.length - known.reduce((sum, [, count]) => sum + count, 0);
  return (
    <tr>
      <th scope="row">{skill}</th>
      {[...known, ['other', others] as const].map(([state, count]) => (
        <td key={state} class="number">
          {count}
        </td>
      ))}
    </tr>
  );
};

export const FloorView = () => {
  const { account, at, address, isSandbox } = useView();
  const search = new URLSearchParams({ account, ...(at !== undefined && { at }) });
  const floor = useLive<FloorAnswer>(`floor?${search}`, at === undefined ? refreshSeconds : undefined);
  const history = useLive<HistoryAnswer>(`history?${new URLSearchParams({ account })}`, historySeconds);
  useFeed(at === undefined ? floor.value : undefined);

  const { query } = address;
  const agents = floor.value?.agents ?? [];
  // The tiles choose a state among the agents that the other filters leave.
  const ofEveryState = useMemo(() => selected(agents, query), [agents, query]);
  const chosen = statesIn(query);
  const shown = chosen.length === 0 ? ofEveryState : ofEveryState.filter(({ state }) => chosen.includes(state));
  const counts = useMemo(() => countsOf(ofEveryState), [ofEveryState]);
  const isFiltered = ofEveryState.length < agents.length;
  return (
    <>
      <h1 class="hidden">Floor</h1>
      <Loading live={floor} what="The floor" />
      {floor.value?.agents !== undefined && <Tiles counts={counts} total={ofEveryState.length} />}
      {history.value !== undefined && <HistoryChart history={history.value} isFiltered={isFiltered} />}
      <BySkill agents={agents} />
      <Filters agents={agents} shown={floor.value?.agents && shown.length} />
      {floor.value?.freshness === 'none' && <Nothing />}
      {floor.value?.agents !== undefined && agents.length === 0 && (
        <Empty>
          Nobody {at === undefined ? 'is' : 'was'} logged in.
          {isSandbox && at === undefined && ' Log somebody in with “Sandbox” below.'}
        </Empty>
      )}
      {shown.length > 0 && (
        <AgentRows agents={shown} staleSince={floor.value?.freshness === 'stale' ? floor.value.asOf : undefined} />
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

const Nothing = () => {
  const { at, isSandbox } = useView();
  if (at !== undefined)
    return <Empty>No picture is kept from then. Snapshots are kept for a week, from the first poll on.</Empty>;
  return (
    <Empty>
      {isSandbox
        ? 'No poll has succeeded yet. The first one comes within 15 seconds.'
        : 'No poll of this account has succeeded yet. Is polling on, and is the account spelt as in the secret?'}
    </Empty>
  );
};

const Tiles = ({ counts, total }: { readonly counts: ReadonlyMap<string, number>; readonly total: number }) => {
  const { address } = useView();
  const chosen = statesIn(address.query);
  const shown = Object.keys(states).filter(
    (state) => counts.has(state) || chosen.includes(state) || mainStates.includes(state),
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
  history: { points, now, isWhole },
  isFiltered,
}: {
  readonly history: HistoryAnswer;
  readonly isFiltered: boolean;
}) => {
  const { at, address } = useView();
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
  const from = Math.max(to - twoHours, Math.min((times[0] ?? to) - 60, to - leastShown));
  const notes = [
    `${isFiltered ? 'All agents, whatever the filters,' : 'Agents'} by state over the last two hours; gaps are interruptions.`,
    ...(isWhole ? [] : ['Reading further back …']),
    ...(at !== undefined && Date.parse(at) / 1000 < from ? ['The moment that you look at is before them.'] : []),
    'Click a moment to see the floor as it was then.',
  ];
  return (
    <Chart
      title={notes.join(' ')}
      kind="steps"
      times={times}
      series={series}
      range={[from, to]}
      mark={at}
      onPick={(moment) => pick(address, moment)}
    />
  );
};

const sorts = {
  longest: 'longest in state first',
  id: 'by agent',
  state: 'by state',
  login: 'longest logged in first',
} as const;

const Filters = ({ agents, shown }: { readonly agents: readonly Agent[]; readonly shown: number | undefined }) => {
  const { address } = useView();
  const { query } = address;
  const limits = limitsOf(query);
  const pickOf = (name: string) => (value: string) => replaceQuery(address, { [name]: value });
  const change = (name: string) => (event: { readonly currentTarget: { readonly value: string } }) =>
    pickOf(name)(event.currentTarget.value);
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
      <Select
        label="Skill"
        value={query['skill'] ?? ''}
        options={[['', 'every skill'], ...skillsOf(agents)]}
        onPick={pickOf('skill')}
      />
      <Select label="Sort" value={query['sort'] ?? 'longest'} options={Object.entries(sorts)} onPick={pickOf('sort')} />
      <label>
        too long: after-call work over{' '}
        <input type="number" min="1" max="999" value={limits.acw} onChange={change('acw')} />
      </label>
      <label>
        pause over <input type="number" min="1" max="999" value={limits.pause} onChange={change('pause')} /> min
      </label>
      <output class="faint">{shown !== undefined && counted(shown, 'agent')}</output>
    </div>
  );
};

const limitsOf = (query: Address['query']) => ({
  acw: Number(query['acw']) || 5,
  pause: Number(query['pause']) || 15,
});

const orders: Readonly<Record<string, (a: Agent, b: Agent) => number>> = {
  longest: (a, b) => a.since.localeCompare(b.since),
  id: (a, b) => a.agentId.localeCompare(b.agentId),
  state: (a, b) =>
    Object.keys(states).indexOf(a.state) - Object.keys(states).indexOf(b.state) || a.since.localeCompare(b.since),
  login: (a, b) => a.loggedInSince.localeCompare(b.loggedInSince),
};

/** The states that the tiles choose; none stands for all. */
const statesIn = (query: Address['query']): readonly string[] => (query['state'] ?? '').split(',').filter(Boolean);

/** The agents that fit the skill and the search, in the order asked for, whatever their state. */
const selected = (agents: readonly Agent[], query: Address['query']): readonly Agent[] => {
  const text = (query['search'] ?? '').toLowerCase();
  const fits = ({ agentId, name = '', skills = [] }: Agent): boolean =>
    (!query['skill'] || skills.includes(query['skill'])) &&
    (text === '' || `${agentId} ${name} ${skills.join(' ')}`.toLowerCase().includes(text));
  const sort = query['sort'] ?? '';
  return agents.filter(fits).sort(orders[Object.hasOwn(orders, sort) ? sort : 'longest']);
};

/** Only the rows in sight are in the page, so that thousands of agents cost no more than some. */
const AgentRows = ({
  agents,
  staleSince,
}: {
  readonly agents: readonly Agent[];
  readonly staleSince: string | undefined;
}) => {
  const { address, at: until } = useView();
  const now = useNow();
  const box = useRef<HTMLElement>(null);
  const [first, setFirst] = useState(0);
  const end = Date.parse(until ?? staleSince ?? new Date(now).toISOString());
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
  // The box takes seven tenths of the window, and its first row is the head.
  const inBox = Math.floor((innerHeight * 0.7) / rowHeight) - 1;
  return (
    <>
      <section class="rows" ref={box} onScroll={scrolled} aria-label="Agents">
        <table class="agents" aria-rowcount={agents.length + 1}>
          <Heads names={['State', 'Agent', 'In state', 'Skills']} figures={['In state']} />
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
      {agents.length > inBox && <p class="faint">Scroll the list to see all {counted(agents.length, 'agent')}.</p>}
    </>
  );
};
