/** A section of the runbook: its heading, GitHub's anchor for it, and the bold words that begin its parts. */
export interface Section {
  readonly heading: string;
  readonly anchor: string;
  readonly parts: readonly string[];
}

/** https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#section-links */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const withoutCode = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```$/gm, '');

/** The anchors of all headings in a text. */
export const anchorsIn = (markdown: string): readonly string[] =>
  [...withoutCode(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** The second-level sections of a text. */
export const sectionsIn = (markdown: string): readonly Section[] =>
  withoutCode(markdown)
    .split(/^(?=##? )/m)
    .filter((part) => part.startsWith('## '))
    .map((part) => {
      const [heading = ''] = part.slice(3).split('\n');
      const parts = [...part.matchAll(/^(?:\*\*(\w+)\.\*\*|### (\w+)$)/gm)].map(
        ([, bold, third]) => bold ?? third ?? '',
      );
      return { heading, anchor: anchorOf(heading), parts };
    });
