import { useMemo } from 'preact/hooks';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import type { Answers } from '../api.ts';
import { replaceQuery, useView } from './address.ts';
import { Choice } from './fields.tsx';
import { AgentRows, type FloorAgent } from './floor-agents.tsx';
import { HistoryChart } from './floor-history.tsx';
import type { Address } from './hash.ts';
import { useLive } from './live.ts';
import { CallsOf, Empty, Link, Loading, State } from './parts.tsx';
import { type PageColumn, PageTable } from './table.tsx';
import { counted, states } from './words.ts';

const refreshSeconds = 5;
const historySeconds = 15;

const skillsOf = (agents: readonly FloorAgent[]): readonly string[] =>
  [...new Set(agents.flatMap(({ skills = [] }) => skills))].sort((a, b) => a.localeCompare(b));

/** The states of agents who work. They have tiles even with nobody in them; of a skill all others are one column. */
const mainStates = ['ready', 'in-call', 'acw', 'pause'];

const BySkill = ({ agents }: { readonly agents: readonly FloorAgent[] }) => {
  const rows = skillsOf(agents).map((skill) => {
    const skilled = agents.filter((agent) => agent.skills?.includes(skill));
    const counts = mainStates.map((state) => skilled.filter((agent) => agent.state === state).length);
    return { skill, counts: [...counts, counts.reduce((left, count) => left - count, skilled.length)] };
  });
  if (rows.length === 0) return null;
  const columns: readonly PageColumn<(typeof rows)[number]>[] = [
    { name: 'Skill', cell: ({ skill }) => <CallsOf name="skill" text={skill} /> },
    ...[...mainStates.map(wordText), 'other'].map(
      (name, place): PageColumn<(typeof rows)[number]> => ({
        name,
        cell: ({ counts }) => counts[place],
        isFigure: true,
      }),
    ),
  ];
  return (
    <details>
      <summary>By skill</summary>
      <p class="faint">How many calls wait for a skill is not known: the service reports a call when it is over.</p>
      <PageTable columns={columns} rows={rows} />
    </details>
  );
};

export const FloorView = () => {
  const { at, address } = useView();
  const floor = useLive('floor', { at }, at === undefined ? refreshSeconds : undefined);
  const history = useLive('history', {}, historySeconds);

  const { query } = address;
  const { agents: known, freshness, asOf } = floor.value ?? {};
  const agents = known ?? [];
  // The tiles choose a state among the agents that the other filters leave.
  const ofEveryState = useMemo(() => selected(agents, query), [agents, query]);
  const chosen = statesIn(query);
  const shown = chosen.length === 0 ? ofEveryState : ofEveryState.filter(({ state }) => chosen.includes(state));
  const isFiltered = ofEveryState.length < agents.length;
  return (
    <div class="floor">
      <h1 class="hidden">Floor</h1>
      <Loading live={floor} what="The floor" />
      {known !== undefined && <Tiles agents={ofEveryState} />}
      {history.value !== undefined && (
        <HistoryChart history={history.value} isFiltered={isFiltered} floor={floor.value} />
      )}
      {/* It keeps the room until the chart comes. */}
      {(history.value ?? history.problem) === undefined && <div class="chart" />}
      <BySkill agents={agents} />
      <Filters agents={agents} shown={known && shown.length} />
      {shown.length > 0 && <AgentRows agents={shown} staleSince={freshness === 'stale' ? asOf : undefined} />}
      {floor.value !== undefined && shown.length === 0 && <Nobody floor={floor.value} />}
    </div>
  );
};

const Nobody = ({ floor: { freshness, agents = [] } }: { readonly floor: Answers['floor'] }) => {
  const { at, isSandbox } = useView();
  if (agents.length > 0)
    return (
      <Empty>
        No agent fits the filters.{' '}
        <Link view="floor" query={{ at }}>
          Show all
        </Link>
      </Empty>
    );
  const isPast = at !== undefined;
  const [nobody, noPicture] = isPast
    ? ['Nobody was logged in.', 'No picture is kept from then. Snapshots are kept for a week, from the first poll on.']
    : isSandbox
      ? [
          'Nobody is logged in. Log somebody in with “Sandbox” below.',
          'No poll has succeeded yet. The first one comes within 15 seconds.',
        ]
      : [
          'Nobody is logged in.',
          'No poll of this account has succeeded yet. Is polling on, and is the account spelt as in the secret?',
        ];
  return <Empty>{freshness === 'none' ? noPicture : nobody}</Empty>;
};

const Tiles = ({ agents }: { readonly agents: readonly FloorAgent[] }) => {
  const { address } = useView();
  const chosen = statesIn(address.query);
  const countOf = (state: string) => agents.filter((agent) => agent.state === state).length;
  const shown = states.filter((state) => mainStates.includes(state) || chosen.includes(state) || countOf(state) > 0);
  const choose = (all: readonly string[]) => replaceQuery(address, { state: all.join(',') });
  return (
    <fieldset class="tiles">
      <legend class="hidden">Agents by state</legend>
      <button type="button" class="tile" aria-pressed={chosen.length === 0} onClick={() => choose([])}>
        <b>{agents.length}</b>
        <span>logged in</span>
      </button>
      {shown.map((state) => {
        const isChosen = chosen.includes(state);
        const toggled = isChosen ? chosen.filter((one) => one !== state) : [...chosen, state];
        return (
          <button key={state} type="button" class="tile" aria-pressed={isChosen} onClick={() => choose(toggled)}>
            <b>{countOf(state)}</b>
            <span>
              <State state={state} />
            </span>
          </button>
        );
      })}
    </fieldset>
  );
};

const rankOf = ({ state }: FloorAgent): number => states.indexOf(state);

const orders: Readonly<Record<string, readonly [text: string, compare: (a: FloorAgent, b: FloorAgent) => number]>> = {
  longest: ['longest in state first', (a, b) => a.since.localeCompare(b.since)],
  id: ['by agent', (a, b) => a.agentId.localeCompare(b.agentId)],
  state: ['by state', (a, b) => rankOf(a) - rankOf(b) || a.since.localeCompare(b.since)],
  login: ['longest logged in first', (a, b) => a.loggedInSince.localeCompare(b.loggedInSince)],
};

const Filters = ({ agents, shown }: { readonly agents: readonly FloorAgent[]; readonly shown: number | undefined }) => {
  const { address } = useView();
  return (
    <div class="filters">
      <input
        type="search"
        id="search"
        placeholder="Search agents ( / )"
        aria-label="Search agents"
        value={address.query['search'] ?? ''}
        onInput={({ currentTarget }) => replaceQuery(address, { search: currentTarget.value })}
      />
      <Choice name="skill" label="Skill" options={[['', 'every skill'], ...skillsOf(agents)]} />
      <Choice
        name="sort"
        label="Sort"
        fallback="longest"
        options={Object.entries(orders).map(([name, [text]]) => [name, text] as const)}
      />
      <output class="faint">{shown !== undefined && counted(shown, 'agent')}</output>
    </div>
  );
};

const statesIn = (query: Address['query']): readonly string[] => (query['state'] ?? '').split(',').filter(Boolean);

const selected = (agents: readonly FloorAgent[], query: Address['query']): readonly FloorAgent[] => {
  const { search = '', skill = '', sort = '' } = query;
  const fits = ({ agentId, name = '', skills = [] }: FloorAgent): boolean =>
    (skill === '' || skills.includes(skill)) &&
    `${agentId} ${name} ${skills.join(' ')}`.toLowerCase().includes(search.toLowerCase());
  return agents.filter(fits).sort(orders[Object.hasOwn(orders, sort) ? sort : 'longest']?.[1]);
};
