import type { CustomerAnswer } from '../customer.ts';
import { CallTable } from './call-table.tsx';
import { hashOf, useLive } from './live.ts';
import { Empty, Loading, useView } from './parts.tsx';
import { counted } from './words.ts';

/** Every call of a caller, over all days. */
export const CustomerView = ({ number }: { readonly number: string }) => {
  const { account } = useView();
  const live = useLive<CustomerAnswer>(`customer?${new URLSearchParams({ account, number })}`);
  const { value } = live;
  return (
    <article>
      <h1>Calls of {number}</h1>
      <Loading live={live} what="The caller" />
      {value !== undefined && (
        <p class="faint" role="status">
          {counted(value.calls.length, 'call')}
          {value.numbers.length > 0 && ` of ${value.numbers.join(', ')}`}. The usual spellings were searched over all
          days, and the newest {counted(value.searched, 'call')} for numbers that end so.
        </p>
      )}
      {value?.calls.length === 0 && (
        <Empty>
          Nobody has called with this number, as far back as calls are kept. The last four digits may be enough.
        </Empty>
      )}
      {value !== undefined && value.calls.length > 0 && <CallTable calls={value.calls} hasDays />}
    </article>
  );
};

/** Finds a caller from anywhere. */
export const FindCaller = ({ account }: { readonly account: string | undefined }) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      const typed = String(new FormData(event.currentTarget).get('number') ?? '').trim();
      if (typed !== '') location.hash = hashOf('customer', typed, { account });
    }}
  >
    <input type="search" name="number" placeholder="Find a caller" aria-label="Find a caller by number" size={14} />
  </form>
);
