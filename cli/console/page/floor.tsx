import { useMemo, useRef, useState } from 'preact/hooks';
import type { FloorAnswer, HistoryAnswer } from '../floor.ts';
import { Chart } from './chart.tsx';
import { type Address, hashOf, replaceQuery, searchOf, useLive, useNow } from './live.ts';
import { Empty, Faint, Heads, Link, Loading, Select, State, Table, useFeed, useView, type View } from './parts.tsx';
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

const BySkill = ({ agents }: { readonly agents: readonly Agent[] }) => {
  const rows = skillsOf(agents).map((skill) => {
    const skilled = agents.filter((agent) => agent.skills?.includes(skill));
    const counts = countsOf(skilled);
    const known = mainStates.map((state) => counts.get(state) ?? 0);
    return [skill, ...known, skilled.length - known.reduce((sum, count) => sum + count, 0)] as const;
  });
  if (rows.length === 0) return null;
  return (
    <details>
      <summary>By skill</summary>
      <p class="faint">How many calls wait for a skill is not known: the service reports a call when it is over.</p>
      <Table names={['Skill', ...skillHeads]} figures={skillHeads} rows={rows} />
    </details>
  );
};

export const FloorView = () => {
  const view = useView();
  const { account, at, address, isSandbox } = view;
  const floor = useLive<FloorAnswer>(
    `floor?${searchOf({ account, at })}`,
    at === undefined ? refreshSeconds : undefined,
  );
  const history = useLive<HistoryAnswer>(`history?${searchOf({ account })}`, historySeconds);
  useFeed(at === undefined ? floor.value : undefined);

  const { query } = address;
  const { agents: known, freshness, asOf } = floor.value ?? {};
  const agents = known ?? [];
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
      {known !== undefined && <Tiles counts={counts} total={ofEveryState.length} />}
      {history.value !== undefined && <HistoryChart history={history.value} isFiltered={isFiltered} />}
      <BySkill agents={agents} />
      <Filters agents={agents} shown={known && shown.length} />
      {freshness === 'none' && <Empty>{nothingText(view)}</Empty>}
      {known?.length === 0 && (
        <Empty>
          Nobody {at === undefined ? 'is' : 'was'} logged in.
          {isSandbox && at === undefined && ' Log somebody in with “Sandbox” below.'}
        </Empty>
      )}
      {shown.length > 0 && <AgentRows agents={shown} staleSince={freshness === 'stale' ? asOf : undefined} />}
      {shown.length === 0 && agents.length > 0 && (
        <Empty>
          No agent fits the filters.{' '}
          <Link view="floor" query={{ at }}>
            Show all
          </Link>
        </Empty>
      )}
    </>
  );
};

const nothingText = ({ at, isSandbox }: View): string => {
  if (at !== undefined) return 'No picture is kept from then. Snapshots are kept for a week, from the first poll on.';
  return isSandbox
    ? 'No poll has succeeded yet. The first one comes within 15 seconds.'
    : 'No poll of this account has succeeded yet. Is polling on, and is the account spelt as in the secret?';
};

const Tiles = ({ counts, total }: { readonly counts: ReadonlyMap<string, number>; readonly total: number }) => {
  const { address } = useView();
  const chosen = statesIn(address.query);
  const shown = Object.keys(states).filter(
    (state) => counts.has(state) || chosen.includes(state) || mainStates.includes(state),
  );
  const toggled = (state: string) =>
    chosen.includes(state) ? chosen.filter((one) => one !== state) : [...chosen, state];
  return (
    <fieldset class="tiles">
      <legend class="hidden">Agents by state</legend>
      {['', ...shown].map((state) => (
        <button
          key={state}
          type="button"
          class="tile"
          aria-pressed={state === '' ? chosen.length === 0 : chosen.includes(state)}
          onClick={() => replaceQuery(address, { state: state === '' ? undefined : toggled(state).join(',') })}
        >
          <b>{state === '' ? total : (counts.get(state) ?? 0)}</b>
          <span>{state === '' ? 'logged in' : <State state={state} />}</span>
        </button>
      ))}
    </fieldset>
  );
};

const HistoryChart = ({ history, isFiltered }: { readonly history: HistoryAnswer; readonly isFiltered: boolean }) => {
  const { at, address } = useView();
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
  const times = useMemo(() => [...points.map(([ms]) => ms / 1000), to], [points, to]);
  if (points.length === 0) return null;
  const from = Math.max(to - twoHours, Math.min((times[0] ?? to) - 60, to - leastShown));
  const notes = [
    `${isFiltered ? 'All agents, whatever the filters,' : 'Agents'} by state over the last two hours; gaps are interruptions.`,
    !isWhole && 'Reading further back …',
    at !== undefined && Date.parse(at) / 1000 < from && 'The moment that you look at is before them.',
    'Click a moment to see the floor as it was then.',
  ];
  return (
    <Chart
      title={notes.filter(Boolean).join(' ')}
      kind="steps"
      times={times}
      series={series}
      range={[from, to]}
      mark={at}
      onPick={(seconds) => {
        const moment = new Date(Math.round(seconds) * 1000).toISOString();
        location.hash = hashOf('floor', undefined, { ...address.query, at: moment });
      }}
    />
  );
};

const rankOf = ({ state }: Agent): number => Object.keys(states).indexOf(state);

const orders: Readonly<Record<string, readonly [text: string, compare: (a: Agent, b: Agent) => number]>> = {
  longest: ['longest in state first', (a, b) => a.since.localeCompare(b.since)],
  id: ['by agent', (a, b) => a.agentId.localeCompare(b.agentId)],
  state: ['by state', (a, b) => rankOf(a) - rankOf(b) || a.since.localeCompare(b.since)],
  login: ['longest logged in first', (a, b) => a.loggedInSince.localeCompare(b.loggedInSince)],
};

const Filters = ({ agents, shown }: { readonly agents: readonly Agent[]; readonly shown: number | undefined }) => {
  const { address } = useView();
  const { search = '', skill = '', sort = 'longest' } = address.query;
  const limits = limitsOf(address.query);
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
        value={search}
        onInput={change('search')}
      />
      <Select
        label="Skill"
        value={skill}
        options={[['', 'every skill'], ...skillsOf(agents)]}
        onPick={pickOf('skill')}
      />
      <Select
        label="Sort"
        value={sort}
        options={Object.entries(orders).map(([name, [text]]) => [name, text] as const)}
        onPick={pickOf('sort')}
      />
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

const statesIn = (query: Address['query']): readonly string[] => (query['state'] ?? '').split(',').filter(Boolean);

const selected = (agents: readonly Agent[], query: Address['query']): readonly Agent[] => {
  const { search = '', skill = '', sort = '' } = query;
  const fits = ({ agentId, name = '', skills = [] }: Agent): boolean =>
    (skill === '' || skills.includes(skill)) &&
    `${agentId} ${name} ${skills.join(' ')}`.toLowerCase().includes(search.toLowerCase());
  return agents.filter(fits).sort(orders[Object.hasOwn(orders, sort) ? sort : 'longest']?.[1]);
};

interface AgentRowsProps {
  readonly agents: readonly Agent[];
  readonly staleSince: string | undefined;
}

const inSight = 60;

/** Only the rows in sight are in the page, so that thousands of agents cost no more than some. */
const AgentRows = ({ agents, staleSince }: AgentRowsProps) => {
  const { address, at: until } = useView();
  const now = useNow();
  const box = useRef<HTMLElement>(null);
  const [first, setFirst] = useState(0);
  const end = Date.parse(until ?? staleSince ?? new Date(now).toISOString());
  const limits = limitsOf(address.query);
  const rowHeight = matchMedia('(max-width: 600px)').matches ? 52 : 28;
  const from = Math.max(0, Math.min(first, agents.length - inSight));
  const rows = agents.slice(from, from + inSight);
  const left = agents.length - from - rows.length;
  const space = (count: number) => count > 0 && <tr style={{ height: `${count * rowHeight}px` }} class="space" />;
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
        <table class="list agents" aria-rowcount={agents.length + 1}>
          <Heads names={['State', 'Agent', 'In state', 'Skills']} figures={['In state']} />
          <tbody>
            {space(from)}
            {rows.map((agent, index) => (
              <tr key={agent.agentId} class={isLong(agent) ? 'item long' : 'item'} aria-rowindex={from + index + 2}>
                <td>
                  <State state={agent.state} />
                </td>
                <td class="who">
                  <Link view="agent" id={agent.agentId} query={{ at: until }}>
                    {agent.agentId}
                  </Link>
                  {agent.name !== undefined && agent.name !== hidden && <Faint> {agent.name}</Faint>}
                </td>
                <td class="number" title={`since ${agent.since} (UTC)`}>
                  {clockText((end - Date.parse(agent.since)) / 1000)}
                  {isLong(agent) && <span class="hidden"> too long</span>}
                </td>
                <td class="skills">{agent.skills?.join(', ') ?? '–'}</td>
              </tr>
            ))}
            {space(left)}
          </tbody>
        </table>
      </section>
      {agents.length > inBox && <p class="faint">Scroll the list to see all {counted(agents.length, 'agent')}.</p>}
    </>
  );
};
