import type { Agent } from '../floor/floor.ts';
import type { LoggedIn } from '../floor/live-floor.ts';
import { numberAt } from '../floor/numbers.ts';
import { people, skills } from '../floor/people.ts';
import { pick, seededRandom, shuffled } from '../random.ts';
import type { Step } from './steps.ts';

/** A number that follows from a text. */
const hashOf = (text: string): number =>
  [...text].reduce((hash, character) => (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0, 7);

/** Believable details for an id that nobody has described: the same for the same id. */
const invented = (id: string): Pick<Agent, 'id' | 'name' | 'number' | 'skills'> => {
  const hash = hashOf(id);
  const [login] = /^\p{L}+/u.exec(id.toLowerCase()) ?? [];
  const random = seededRandom(hash);
  const [, name] = people.find(([known]) => known === login) ?? pick(random, people);

  return {
    id,
    name,
    number: numberAt('agent', hash),
    skills: shuffled(random, skills).slice(0, 1 + (hash % 2)),
  };
};

/** Somebody as a step describes them: what it does not say stays as it was. */
export const described = (
  agent: Omit<LoggedIn, 'state'>,
  {
    state,
    name,
    phoneNumber,
    skills: own,
  }: Pick<Extract<Step, { action: 'log-in' }>, 'state' | 'name' | 'phoneNumber' | 'skills'>,
  usualState: string,
): LoggedIn => ({
  id: agent.id,
  name: name ?? agent.name,
  number: phoneNumber ?? agent.number,
  skills: own ?? agent.skills,
  state: state ?? usualState,
});

/** Who logs in under an id: the account's own agent of that id, or somebody new. */
export const newcomer = (id: string, known: Agent | undefined): Omit<LoggedIn, 'state'> => known ?? invented(id);
