import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrast } from './contrast.ts';

const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** The colours of the page by their names, as its stylesheet declares them: `--name: light-dark(#000000, #ffffff);`. */
const colours = new Map(
  readFileSync('cli/console/page/main.css', 'utf8')
    .split('\n')
    .filter((line) => line.includes(': light-dark('))
    .map((line) => {
      const [name = '', value = ''] = line.trim().split(': light-dark(');
      return [name, value.replace(');', '').split(', ')] as const;
    }),
);

const colour = (name: string, theme: Theme): string => {
  const found = colours.get(name)?.[themes.indexOf(theme)];
  if (found === undefined) throw new Error(`No colour ${name}.`);
  return found;
};

const backgrounds = ['--back', '--panel', '--chosen'];

describe.each(themes)('in the %s theme', (theme) => {
  const ratio = (text: string, background: string) => contrast(colour(text, theme), colour(background, theme));

  it.each(['--text', '--faint', '--link', '--good', '--bad'])('%s can be read on each background', (text) => {
    const ratios = backgrounds.map((background) => [background, ratio(text, background)] as const);

    expect(ratios.filter(([, value]) => value < 4.5)).toEqual([]);
  });

  it('what marks a missed call differs from one that needs nobody, and both can be read', () => {
    expect(colour('--old', theme)).not.toBe(colour('--panel', theme));
    for (const background of ['--old', '--panel']) expect(ratio('--text', background)).toBeGreaterThan(4.5);
  });
});

it('the contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});
