import type { AnswerKind } from './happening.ts';

/** Once every answer of so long had a record without an id, one who is there may be logged out by another such. */
const doubtMs = 295_000;

/** Tells whether an answer may log out somebody who is there, as the README's limits say. */
export const createDoubt = () => {
  let namelessSinceMs: number | undefined;
  return (kind: AnswerKind, atMs: number): boolean => {
    if (kind === 'nameless') namelessSinceMs ??= atMs;
    return kind === 'nameless' && atMs - (namelessSinceMs ?? atMs) > doubtMs;
  };
};
