import { CallTable } from './call-table.tsx';
import { hashOf } from './hash.ts';
import { useLive } from './live.ts';
import { Empty, Loading } from './parts.tsx';
import { counted } from './words.ts';

export const CustomerView = ({ number }: { readonly number: string }) => {
  const live = useLive('customer', { number });
  const { value } = live;
  return (
    <article>
      <h1 title={`Asked for as ${number}`}>Calls of {value?.text ?? number}</h1>
      <Loading live={live} what="The caller" />
      {value !== undefined && (
        <p class="faint" role="status">
          {value.hasMore && 'The newest '}
          {counted(value.calls.length, 'call')}
          {value.numbers.length > 0 && ` of ${value.numbers.join(', ')}`}. The usual spellings were searched over all
          days, and the newest {counted(value.searched, 'call')} for other spellings and numbers that end so.
          {value.numbersNotRead > 0 &&
            ` ${counted(value.numbersNotRead, 'more number')} there end so too: type more digits.`}
        </p>
      )}
      {value?.calls.length === 0 && (
        <Empty>
          No call has the number {number} in a usual spelling, as far back as calls are kept, and none of the newest{' '}
          {counted(value.searched, 'call')} has another that fits. The last four digits may be enough to find it there.
        </Empty>
      )}
      {value !== undefined && value.calls.length > 0 && <CallTable calls={value.calls} hasDays />}
    </article>
  );
};

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
