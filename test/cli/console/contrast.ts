/** The linear share of light of a channel between 0 and 255, as WCAG 2 defines it. */
const linear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const luminance = ([red = 0, green = 0, blue = 0]: readonly number[]): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/** The channels of `#rrggbb`, or of `rgb(r, g, b)` as a browser computes it. */
const channelsOf = (colour: string): readonly number[] =>
  colour.startsWith('#')
    ? [1, 3, 5].map((place) => Number.parseInt(colour.slice(place, place + 2), 16))
    : colour
        .slice(colour.indexOf('(') + 1, -1)
        .split(',')
        .map(Number);

/** The contrast of two opaque colours, from 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [one, other].map((colour) => luminance(channelsOf(colour))).sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};
