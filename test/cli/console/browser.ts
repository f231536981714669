import chromium from '@sparticuz/chromium';
import { type Browser, type Locator, type Page, chromium as playwright } from 'playwright-core';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The shipped arguments also switch the browser's own protection off, and run it in one process, which dies with a page. */
const unwanted = /single-process|no-zygote|disable-web-security|allow-running-insecure/;

/** Test files run side by side, and a program that another one still unpacks does not start: each has its own. */
const unpacked = async (): Promise<string> => {
  process.env['TMPDIR'] = temporaryFolder('browser').path;
  return await chromium.executablePath();
};

/** Starts the package's Chromium, which runs on Linux and x64 alone, or the one at the path in CHROMIUM. */
chromium.setGraphicsMode = false;
export const startBrowser = async (): Promise<Browser> =>
  await playwright.launch({
    executablePath: process.env['CHROMIUM'] ?? (await unpacked()),
    args: chromium.args.filter((arg) => !unwanted.test(arg)),
    // Pickers of dates take their language from the environment alone.
    env: { ...process.env, LC_ALL: 'en_GB.UTF-8', LANGUAGE: 'en_GB' },
    headless: true,
  });

/** What a page logs as an error from now on. The list grows. */
export const problemsOf = (page: Page): string[] => {
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  return problems;
};

/** Clicks, and says how often: how far a user is from an answer. */
export const countingClicks = () => {
  let count = 0;
  return {
    async click(part: Locator): Promise<void> {
      await part.click();
      count += 1;
    },
    clicks: (): number => count,
  };
};
