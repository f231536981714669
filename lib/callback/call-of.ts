import type { ParticipantFacts } from '../participant/model.ts';

/** A call of the same post, and the other ids that its summary gave. */
export interface PostedCall {
  readonly callId: string;
  readonly ucid?: string | undefined;
  readonly sourceCallId?: string | undefined;
}

type Ids = Pick<ParticipantFacts, 'ucid' | 'sourceCallId'>;

/**
 * The call that a participant belongs to, by its UCID. That may be the second id of a summary beside it; a call's own id
 * comes first, and an id that several calls give decides nothing. Without a UCID its CallID may tell, or that there is
 * but one call. The order of the list makes no difference.
 */
export const callOf = ({ ucid, sourceCallId }: Ids, calls: readonly PostedCall[]): string | undefined => {
  const onlyCall = (isIts: (call: PostedCall) => boolean): string | undefined => {
    const found = new Set(calls.filter(isIts).map(({ callId }) => callId));
    return found.size === 1 ? [...found][0] : undefined;
  };
  if (ucid === undefined) return onlyCall((call) => call.sourceCallId === sourceCallId) ?? onlyCall(() => true);
  return (
    onlyCall(({ callId }) => callId === ucid) ??
    onlyCall((call) => call.ucid === ucid) ??
    onlyCall((call) => call.sourceCallId === ucid) ??
    ucid
  );
};
