import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterAll, describe, expect, it } from 'vitest';
import { wavOf } from '../../../sandbox/simulator/recordings.ts';
import { demoCall } from '../../support/sandbox.ts';
import { forThisFile, serveForThisFile } from '../support/local-deployment.ts';
import { startRecordingsDeployment } from '../support/recordings-deployment.ts';
import { problemsOf, startBrowser } from './browser.ts';

const url = 'https://recordings.example.com/801-1.mp3';
const wav = wavOf(url);

const starting = startBrowser();
const deployment = await forThisFile(startRecordingsDeployment());
await deployment.post(demoCall('801', { AudioFile: `${url},https://recordings.example.com/801-2.mp3` }));
const recordingId = (await deployment.archive('801', url, wav)).split('/').at(-1) ?? '';
await deployment.giveUp('801', 'https://recordings.example.com/801-2.mp3', 'not-found');
// Without a sandbox's bus, of which the page would ask for its faults.
const bus = { kind: 'event-bridge', name: 'bus', client: new EventBridgeClient({ region: 'local' }) } as const;
const settings = {
  deployment: { ...(await deployment.connect()), bus },
  location: { stack: 'callfeed-test' },
  token: 'T0KEN',
  account: 'demo',
  timeZone: 'UTC',
  clock: () => new Date(deployment.now()),
};
const hidden = await serveForThisFile({ ...settings, isPersonal: false });
const personal = await serveForThisFile({ ...settings, isPersonal: true });
const browser = await starting;
afterAll(() => browser.close());

const listen = (from: typeof hidden, headers: Record<string, string> = {}, recording = recordingId) =>
  fetch(`${from.url}console/api/recording?id=801&recording=${recording}`, { headers });

describe('a recording on the console', () => {
  it('is sent byte for byte, and in the range that a player asks for', async () => {
    const whole = await listen(personal);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    expect(Buffer.from(await whole.arrayBuffer()).equals(wav)).toBe(true);

    const part = await listen(personal, { range: 'bytes=4-99' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-99/${wav.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(wav.subarray(4, 100))).toBe(true);
  });

  it('is sent as bytes where a browser would run its type', async () => {
    await deployment.post(demoCall('802', { StartTime: '2026-11-20 10:00:00', AudioFile: url }));
    const key = await deployment.archive('802', url, Buffer.from('<svg/>'), { contentType: 'image/svg+xml' });
    const answer = await fetch(`${personal.url}console/api/recording?id=802&recording=${key.split('/').at(-1)}`);

    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
  });

  it('has its note where nobody knows whether it is whole', async () => {
    await deployment.post(demoCall('803', { StartTime: '2026-11-20 10:01:00', AudioFile: url }));
    await deployment.archive('803', url, wav, { note: 'no-length' });
    const answer = await fetch(`${personal.url}console/api/call?id=803`);

    expect(await answer.text()).toContain('its host named no length, so it may have ended early');
  });

  it('is sent to nobody where personal data are hidden, and a page elsewhere cannot ask', async () => {
    expect([(await listen(hidden)).status, await (await listen(hidden)).text()]).toEqual([
      400,
      expect.stringContaining('--personal'),
    ]);
    expect((await listen(personal, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await listen(personal, {}, 'nothing')).status).toBe(400);
    const answer = await (await fetch(`${hidden.url}console/api/call?id=801`)).text();
    expect(answer).toContain(recordingId);
    expect(answer).not.toMatch(/example\.com|objectKey|bucket/);
  });

  it.each([1280, 390])('plays on the call’s page, at a width of %d', { timeout: 60_000 }, async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    page.setDefaultTimeout(45_000);
    const problems = problemsOf(page);
    await page.goto(`${personal.url}#/call/801`);
    await page.waitForSelector('.recordings audio');
    const seconds = await page.evaluate<number>(`new Promise((resolve) => {
        const audio = document.querySelector('.recordings audio');
        audio.addEventListener('loadedmetadata', () => resolve(audio.duration));
        audio.preload = 'metadata';
        audio.load();
      })`);
    expect(seconds).toBeCloseTo((wav.length - 44) / 8_000, 1);
    const text = await page.textContent('.recordings');
    expect(text).toMatch(/archived \S+ \S+ audio\/wav, \d+ bytes/);
    expect(text).toMatch(/given up .*: the host has no such file/);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('plays at the foot of the list of calls, and loads nothing before it is pressed', {
    timeout: 60_000,
  }, async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(45_000);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const loaded = () => asked.filter((url) => /\/api\/(?:recording|call)\?/.test(url)).length;
    await page.goto(`${personal.url}#/calls?day=2026-11-21`);
    await page.waitForSelector('.calls .item');
    expect(loaded()).toBe(0);

    await page.getByRole('button', { name: 'listen to 2' }).click();
    const isPlaying = () => page.evaluate("document.querySelector('.player audio')?.currentTime > 0");
    await expect.poll(isPlaying, { timeout: 45_000 }).toBe(true);
    expect(await page.textContent('.player')).toMatch(/given up .*: the host has no such file/);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('audio').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'listen to 2' }).click();
    await page.getByRole('link', { name: 'Call 801' }).click();
    await page.waitForSelector('.recordings audio');
    expect(page.url()).toContain('#/call/801');
    await page.close();
  });

  it('has no player where personal data are hidden, but its state', { timeout: 60_000 }, async () => {
    const page = await browser.newPage();
    await page.goto(`${hidden.url}#/call/801`);
    await page.waitForSelector('.recordings li');

    expect(await page.$$('audio')).toEqual([]);
    expect(await page.textContent('article')).toContain('To listen, start the console with --personal.');
    await page.close();
  });
});
