import { useRef, useState } from 'preact/hooks';
import { replaceQuery, useView } from './address.ts';

interface SelectProps {
  /** What it is for; without it a label around it says so. */
  readonly label?: string;
  readonly id?: string;
  readonly value: string;
  readonly options: readonly (string | readonly [word: string, text: string])[];
  readonly onPick: (value: string) => void;
}

export const Select = ({ label, id, value, options, onPick }: SelectProps) => (
  <select id={id} aria-label={label} value={value} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
    {options.map((option) => {
      const [word, text] = typeof option === 'string' ? [option, option] : option;
      return (
        <option key={word} value={word}>
          {text}
        </option>
      );
    })}
  </select>
);

interface ChoiceProps extends Pick<SelectProps, 'id' | 'label' | 'options'> {
  /** The parameter of the address that holds what is chosen. */
  readonly name: string;
  readonly fallback?: string;
}

export const Choice = ({ name, fallback = '', ...props }: ChoiceProps) => {
  const { address } = useView();
  const pick = (value: string) => replaceQuery(address, { [name]: value });
  return <Select {...props} value={address.query[name] ?? fallback} onPick={pick} />;
};

interface OfInput {
  readonly currentTarget: HTMLInputElement;
}

/** A state that lasts until a value changes: the same value later does not bring it back. */
const useUntil = <State,>(value: string, initial: State) => {
  const [kept, keep] = useState({ value, state: initial });
  if (kept.value !== value) keep({ value, state: initial });
  return [kept.state, (state: State) => keep({ value, state })] as const;
};

/** What a field shows: what is typed, also while the page reads on, until there is another value. */
export const useTyped = (value: string) => {
  const [text, setText] = useUntil(value, value);
  return { value: text, onInput: ({ currentTarget }: OfInput) => setText(currentTarget.value) };
};

interface NumberProps {
  readonly before: string;
  readonly after: string;
  readonly value: string | number | undefined;
  readonly min: number;
  readonly max: number;
  readonly onPick: (value: string) => void;
}

/** A field for a whole number. Anything else that is typed stays in it, with what is allowed beside it. */
export const NumberInput = ({ before, after, value: chosen = '', min, max, onPick }: NumberProps) => {
  const value = String(chosen);
  const [isWrong, setWrong] = useUntil(value, false);
  const typed = useTyped(value);
  const changed = ({ currentTarget: { value: text, validity } }: OfInput) => {
    setWrong(!validity.valid);
    if (validity.valid) onPick(text);
  };
  return (
    <span>
      <label>
        {before} <input type="number" {...typed} {...{ min, max }} aria-invalid={isWrong} onChange={changed} /> {after}
      </label>
      {isWrong && <b role="alert">{` a whole number from ${min} to ${max.toLocaleString('en-GB')}`}</b>}
    </span>
  );
};

const typing = /^(?:\d|ArrowUp|ArrowDown|Backspace|Delete)$/;

interface DateInputProps {
  readonly type: 'date' | 'datetime-local';
  readonly label: string;
  readonly value: string;
  readonly onDate: (typed: string) => void;
}

/** What is typed counts at Enter or at leaving: each digit makes another day, and some cost much. */
export const DateInput = ({ type, label, value, onDate }: DateInputProps) => {
  const [draft, setDraft] = useState<string>();
  const isTyped = useRef(false);
  const done = ({ value: chosen, validity }: HTMLInputElement) => {
    isTyped.current = false;
    setDraft(undefined);
    if (chosen !== value && validity.valid) onDate(chosen);
  };
  return (
    <input
      type={type}
      aria-label={label}
      title="Enter shows it"
      value={draft ?? value}
      max={type === 'date' ? '9999-12-31' : '9999-12-31T23:59'}
      onKeyDown={({ key, currentTarget }) => {
        // Esc leaves the field, with what it had before.
        if (key === 'Escape') currentTarget.value = value;
        if (key === 'Enter') done(currentTarget);
        else isTyped.current ||= typing.test(key);
      }}
      onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      onChange={({ currentTarget }) => type === 'date' && !isTyped.current && done(currentTarget)}
      onBlur={({ currentTarget }) => done(currentTarget)}
    />
  );
};
