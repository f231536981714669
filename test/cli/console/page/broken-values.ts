import type { Page } from 'playwright-core';

/** What holds one value and nothing else, whatever it is made of. */
const holders =
  '.tile > b, .tile a, .change, td.number, .caller, .chart :is(.label, .line, dd), .target-line span, .scale span, time, .groups th a';

/**
 * What reads as one value in any text: a date; a word or a number without a hyphen or slash, at which lines may end, that is no longer
 * than an id of a call; and a number with its unit.
 */
const valueInText = String.raw`\d{4}-\d\d-\d\d|[\p{L}\p{N}_.:,%+]{2,20}(?![\p{L}\p{N}_.:,%+])|\d[\d,.]*[ \u00a0](?:s|min|h|%|points?)(?![\p{L}\p{N}])`;

/**
 * What lies in more than one line. Nobody reads a value of a command, of posted JSON or of a web address at a glance, and a track hides
 * what has no room.
 */
const probe = `(() => {
  const isBroken = (range) => {
    const boxes = [...range.getClientRects()].filter(({ width }) => width > 1);
    const top = Math.min(...boxes.map((box) => box.bottom));
    return boxes.some((box) => box.top >= top);
  };
  const found = [];
  for (const value of document.querySelectorAll(${JSON.stringify(holders)})) {
    const range = document.createRange();
    range.selectNodeContents(value);
    if (isBroken(range)) found.push(value.textContent);
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    if (text.parentElement.closest('pre, code, .track, .hidden') !== null) continue;
    if (/^https?:/.test(text.data)) continue;
    for (const { 0: value, index } of text.data.matchAll(/${valueInText}/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + value.length);
      if (isBroken(range)) found.push(value + ' of: ' + text.data);
    }
  }
  return [...new Set(found)];
})()`;

/** The values of a page that are broken over two lines: each has to be in one. */
export const brokenValues = (page: Page) => page.evaluate<readonly string[]>(probe);
