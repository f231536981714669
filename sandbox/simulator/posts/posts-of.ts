import type { Account } from '../account.ts';
import type { Call } from '../floor/call.ts';
import type { Rewrite } from '../quirks/field-quirk.ts';
import { rewriteBy } from '../quirks/field-quirks.ts';
import type { Random } from '../random.ts';
import { formCarrier, plainWriting } from './carriers.ts';
import { type Habits, namesOf, suitable } from './habits.ts';
import type { Post } from './post.ts';
import { singleShape } from './shapes.ts';

/** All that is posted about the summary of one call; `at` (milliseconds) is the moment the seconds are counted from. */
export const postsOf = (random: Random, call: Call, account: Account, drawn: Habits, at: number): readonly Post[] => {
  const habits = suitable(drawn, call);
  const { carrier = formCarrier, writing = plainWriting, shape = singleShape, timeline } = habits;
  const quirks = habits.identifier ? [habits.identifier, ...habits.fields] : habits.fields;
  const rewrite = rewriteBy(random, quirks, { call, account });
  const written: Rewrite = carrier.keyBeside ? (fields) => withoutKey(rewrite(fields)) : rewrite;

  const versions = timeline?.versions(random, call) ?? [{ afterSeconds: 0, call }];
  const posts = versions.map((version): Post => {
    const json = shape.text(version.call, account, written, writing.layout).replaceAll('/', writing.slash);
    const afterSeconds = secondsBetween(at, call, timeline?.wrapsUpLater ?? false) + version.afterSeconds;
    return {
      ...carrier.carry(json, account.apiKey),
      afterSeconds,
      callId: call.id,
      kinds: [call.scenario.name, ...namesOf(habits)],
    };
  });

  return [...posts, ...(habits.repeat?.copies(random, posts) ?? [])];
};

const withoutKey: Rewrite = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key.toLowerCase() !== 'apikey'));

const secondsBetween = (at: number, { endedAt, wrapUpSeconds }: Call, wrapsUpLater: boolean): number =>
  Math.floor(endedAt / 1000) + (wrapsUpLater ? 0 : wrapUpSeconds) - Math.floor(at / 1000);
