import { useView } from './address.ts';
import { type PageQuery, searchOf } from './hash.ts';
import { useKept } from './kept.ts';
import { Faint, Link } from './parts.tsx';

/** The saved filters of Calls, by the names that somebody gave them in this browser. Another account has its own. */
const useSaved = () => {
  const [text, keep] = useKept(`filters-${useView().account}`);
  const saved = new URLSearchParams(text);
  const change = (edit: () => void) => {
    edit();
    keep(saved.toString());
  };
  return { saved, change };
};

export const SavedFilters = () => {
  const { saved } = useSaved();
  if (saved.size === 0) return null;
  return (
    <nav class="saved" aria-label="Saved filters">
      {[...saved].map(([name, search]) => (
        <Link key={name} view="calls" query={Object.fromEntries(new URLSearchParams(search))}>
          {name}
        </Link>
      ))}
    </nav>
  );
};

/** Saves the filters that Calls has under a name, or removes the name that they have. */
export const SaveFilters = ({ query }: { readonly query: PageQuery }) => {
  const { saved, change } = useSaved();
  const search = searchOf(query);
  // A telephone number is nothing that a browser should keep.
  if (search === '' || query['customer'] !== undefined) return null;
  const [name] = [...saved].find(([, one]) => one === search) ?? [];
  if (name !== undefined)
    return (
      <span>
        <Faint>saved as “{name}”</Faint>{' '}
        <button type="button" onClick={() => change(() => saved.delete(name))}>
          Remove
        </button>
      </span>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const typed = String(new FormData(event.currentTarget).get('name') ?? '').trim();
        if (typed !== '') change(() => saved.set(typed, search));
      }}
    >
      <input name="name" maxLength={30} placeholder="a name for these filters" aria-label="A name for these filters" />{' '}
      <button type="submit">Save</button>
    </form>
  );
};
