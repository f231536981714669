import * as z from 'zod/mini';
import { once, withoutUndefined } from '../core/collections.ts';

/** What forwarding, and what derives rows again, need of a post. It is stored beside the delivery’s attributes. */
export const postingShape = once(() => ({
  /** Absent for a record that was alone in the form field `data`. */
  postedIn: z.optional(
    z.object({
      /** The ids of the deliveries whose records the post had, in its order. */
      ids: z.readonly(z.array(z.string())),
      /** What stood before the first record, between each two, and after the last. */
      around: z.readonly(z.array(z.string())),
      /** The form field beside `data` that held the account’s key. */
      keyField: z.optional(z.string()),
    }),
  ),
  /** Which masks in the text hide the account’s own key, counted from 0, where `ownMasks` noted it. */
  keysAt: z.optional(z.readonly(z.array(z.int()))),
  /** The delivery's first id, if the id was derived again since: posts name the delivery by the first one. */
  formerId: z.optional(z.string()),
}));

type Shape = ReturnType<typeof postingShape>;
export type Posting = { readonly [Part in keyof Shape]?: z.infer<Shape[Part]> };

/** What rows and parked messages hold of a delivery besides its facts. `Delivery` says what each attribute is. */
export const storedShape = once(() => ({
  id: z.string(),
  receivedAt: z.string(),
  asSent: z.string(),
  country: z.optional(z.string()),
  ...postingShape(),
}));

/** The parts without what is undefined; undefined if nothing is left, as for nearly every delivery. */
export const postingOf = (parts: Posting): Posting | undefined => {
  const posting = withoutUndefined(parts);
  return Object.keys(posting).length === 0 ? undefined : posting;
};

export const toStored = <Attributes extends object>({
  posting,
  ...delivery
}: Attributes & { readonly posting?: Posting | undefined }) => ({ ...delivery, ...posting });

export const fromStored = <Attributes extends Posting>({ postedIn, keysAt, formerId, ...delivery }: Attributes) => ({
  ...delivery,
  posting: postingOf({ postedIn, keysAt, formerId }),
});
