import { must } from '../breach.ts';
import { personMark, secretMark } from './cast.ts';
import type { PlayedCalls } from './play-calls.ts';

/** Guarantee 8 of the README: keys are nowhere, people are in no log. */
export const mustKeepSecrets = ({ world, lines, parked }: PlayedCalls): void => {
  const places: Readonly<Record<string, unknown>> = {
    row: [world.rows('calls'), world.rows('quarantine'), world.rows('agents')],
    queue: [parked, world.deadLetters.messages()],
    event: world.events(),
    log: lines,
  };
  for (const [place, content] of Object.entries(places)) {
    const text = JSON.stringify(content);
    must(!text.includes(secretMark), () => `Guarantee 8: a key is in a ${place}`);
    must(place !== 'log' || !text.includes(personMark), () => 'Guarantee 8: a person is in a log');
  }
};
