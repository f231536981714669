import { peerAccount } from '../peers/peer.ts';
import type { Finding } from './guarantee-case.ts';
import { people } from './posts.ts';
import type { Stage } from './stage.ts';

/** What was seen of a guarantee that holds over everything that was done. */
export interface Secrecy {
  readonly title: string;
  readonly finding: Finding;
}

/** What of the key and of people is where it must not be. `kept` is from before the stage was closed, the log is whole. */
export const secrecyOf = (
  stage: Pick<Stage, 'told' | 'log' | 'replies'>,
  kept: readonly string[],
): readonly Secrecy[] => {
  const places = { row: kept, event: stage.told(), log: [stage.log()], reply: stage.replies() };
  const withKey = Object.entries(places)
    .filter(([, texts]) => texts.some((text) => text.includes(peerAccount.key)))
    .map(([place]) => place);
  const inLog = Object.entries(people)
    .filter(([, text]) => stage.log().includes(text))
    .map(([name]) => name);
  // Nothing leaks from a log that nobody wrote, or from rows that are not there.
  const isProof = Object.values(places).every((texts) => texts.join('') !== '');

  return [
    { title: 'The key is in no row, event, log or reply', finding: findingOf(withKey, isProof) },
    { title: 'Nobody’s name, number or recording is in the log', finding: findingOf(inLog, isProof) },
  ];
};

const findingOf = (found: readonly string[], isProof: boolean): Finding => {
  if (!isProof) return { isKept: false, seen: 'nothing to look at' };
  return { isKept: found.length === 0, seen: found.length === 0 ? 'nowhere' : `in: ${found.join(', ')}` };
};
