import { formOf, httpApiEvent } from '../../../test/support/http-api-event.ts';
import type { Post } from './calls-history.ts';
import { cast } from './cast.ts';

/** The records of a post as they are sent: summaries name the account and its key, participants neither. */
export const recordsOf = ({ account, records }: Post): readonly object[] => {
  const { userName, apiKeys } = cast[account];
  return records.map((record) => ('UCID' in record ? record : { ...record, UserName: userName, Apikey: apiKeys[0] }));
};

/** A post as the receiver gets it. */
export const eventOf = (post: Post) => {
  const records = recordsOf(post);
  return httpApiEvent({ body: formOf(records.length === 1 && !post.asList ? records[0] : records) });
};
