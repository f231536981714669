import type { Account } from '../account.ts';
import type { Call } from '../floor/call.ts';
import type { Choosable } from '../quirks/choose.ts';
import type { Rewrite } from '../quirks/field-quirk.ts';
import { participantsOf } from '../summary/participants-of.ts';
import { summaryOf } from '../summary/summary-of.ts';
import { arrayText, type Layout, objectText } from '../summary/value.ts';

/** How the summaries of a call are put into one JSON text. */
export interface Shape extends Choosable {
  readonly text: (call: Call, account: Account, rewrite: Rewrite, layout: Layout) => string;
}

/** One object: the rule. */
export const singleShape: Pick<Shape, 'text'> = {
  text: (call, account, rewrite, layout) => objectText(rewrite(summaryOf(call, account, 'single')), layout),
};

/** An id for the second leg of a call that stays the same in all its deliveries. */
const secondLeg = (call: Call): Call => ({ ...call, legId: String(BigInt(call.legId) + 500n) });

const arrayOf =
  (legsOf: (call: Call) => readonly Call[]): Shape['text'] =>
  (call, account, rewrite, layout) =>
    arrayText(
      [...legsOf(call).map((leg) => rewrite(summaryOf(leg, account, 'array'))), ...participantsOf(call, account)],
      layout,
    );

/** The arrays of an account with AdvancedCallBacks. */
export const shapes = [
  { name: 'advanced', probability: 0.22, text: arrayOf((call) => [call]) },
  { name: 'several-legs', probability: 0.03, text: arrayOf((call) => [call, secondLeg(call)]) },
] as const satisfies readonly Shape[];
