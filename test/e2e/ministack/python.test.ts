import { describe, expect, it } from 'vitest';
import { findPython, isNewEnough } from '../../../e2e/ministack/python.ts';

const versions = [
  { told: 'Python 3.10.0', enough: true },
  { told: 'Python 3.14.1', enough: true },
  { told: 'Python 3.9.18', enough: false },
  { told: 'Python 2.7.18', enough: false },
  { told: 'Python 4.0.0', enough: false },
  { told: '', enough: false },
];

describe('Python', () => {
  it.each(versions)('that says "$told" is new enough: $enough', ({ told, enough }) => {
    expect(isNewEnough(told)).toBe(enough);
  });

  it('that is not there is asked for, with how to get it', async () => {
    await expect(findPython('It is in Python', 'no-such-python')).rejects.toThrow(
      /^It is in Python, but no python3 was found\.\nInstall Python 3\.10 or newer/,
    );
  });
});
