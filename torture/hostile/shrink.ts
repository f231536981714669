/**
 * Cuts pieces out of a text as long as it still shows what it showed, halves first and single characters last. It gives
 * up on a text after so many tries: what is left is then just not the shortest.
 */
export const shrunk = async (
  text: string,
  stillShows: (shorter: string) => Promise<boolean>,
  mostTries = 2_000,
): Promise<string> => {
  let shortest = text;
  let tries = 0;
  for (
    let length = Math.ceil(text.length / 2);
    length >= 1 && tries < mostTries;
    length = length === 1 ? 0 : Math.ceil(length / 2)
  ) {
    for (let at = 0; at < shortest.length && tries < mostTries; ) {
      const shorter = shortest.slice(0, at) + shortest.slice(at + length);
      tries += 1;
      if (await stillShows(shorter)) shortest = shorter;
      else at += length;
    }
  }
  return shortest;
};
