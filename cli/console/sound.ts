import { Problem } from '../frame/problem.ts';
import { openSound } from '../recordings/sounds.ts';
import { rejectIfHidden, type ShownAccount } from './accounts.ts';
import type { WithId } from './call.ts';
import { StreamedAnswer } from './calls.ts';

/** The sound of an archived recording, or a range of it. */
export const readSound = async (
  account: ShownAccount,
  { id: callId, recording: recordingId }: WithId & { readonly recording: string },
  { range }: { readonly range?: string | undefined },
): Promise<StreamedAnswer> => {
  rejectIfHidden(account);
  const sound = await openSound(account, { callId, recordingId }, range);
  if (sound === undefined) throw new Problem('There is no such recording.', 2);
  // A page on this address could do what the console's does, so the answer never has the type of a page.
  return new StreamedAnswer(sound.body, sound.headers, sound.headers['content-range'] === undefined ? 200 : 206);
};
