import { describe, expect, it } from 'vitest';
import { load } from './endurance/load.ts';
import { judgeMinutes, simulated } from './endurance/simulated.ts';
import type { Minute } from './endurance/simulated-minutes.ts';
import { soak } from './endurance/soak.ts';

describe('load', () => {
  it('loses nothing and tells nothing twice, under faults and a kill', async () => {
    const told: string[] = [];
    const { figures, failures } = await load.run({ seed: 1, size: 'quick', onProgress: (line) => told.push(line) });
    const figure = (what: string) => figures.find((one) => one.what === what)?.value ?? 0;

    expect(failures).toEqual([]);
    expect(told.join('\n')).toMatch(/killed after \d+ events/);
    expect(figure('distinct deliveries acknowledged')).toBeGreaterThan(50);
    expect(figure('events of calls and participants')).toBeGreaterThan(50);
    expect(figure('posts answered: no answer')).toBeGreaterThan(0);
    expect(figure('away after the kill')).toBeGreaterThan(0);
  }, 240_000);
});

describe('soak', () => {
  it('finds memory, handles and lag flat', async () => {
    const { figures, failures } = await soak.run({ seed: 1, size: 'quick', onProgress: () => undefined });
    const figure = (what: string) => figures.find((one) => one.what === what)?.value ?? 0;

    expect(failures).toEqual([]);
    expect(figure('posts')).toBeGreaterThan(50);
    expect(figure('polls')).toBeGreaterThan(0);
    for (const what of ['live heap', 'resident memory', 'open files', 'reply, median', 'row to event, median'])
      expect(figure(`${what}: in the middle`)).toBeGreaterThan(0);
  }, 240_000);
});

const minuteOf = (minute: number, over: Partial<Minute> = {}): Minute => ({
  minute,
  posts: 60,
  polls: 4,
  events: 30,
  usedMb: 40,
  lagSeconds: 1,
  pictureSeconds: 15,
  refused: [],
  ...over,
});

const half = Array.from({ length: 30 }, (_, index) => minuteOf(index + 1));

describe('simulated minutes', () => {
  it('hold if everything stays where it is', () => {
    expect(judgeMinutes(half, 6, 4).failures).toEqual([]);
  });

  it.each([
    {
      what: 'memory grows',
      spoilt: (minute: Minute) => ({ usedMb: 40 + minute.minute / 4 }),
      failure: expect.stringMatching(/^Memory in use grew by 5\.[78]\d* MB, where 4 MB are allowed\.$/),
    },
    {
      what: 'an event is late',
      spoilt: ({ minute }: Minute) => (minute === 9 ? { lagSeconds: 3 } : {}),
      failure: 'In minute 9 an event came 3 s after its row.',
    },
    {
      what: 'nothing is told',
      spoilt: ({ minute }: Minute) => (minute === 9 ? { events: 0 } : {}),
      failure: 'In minute 9 nothing was told.',
    },
    {
      what: 'a poll is missed',
      spoilt: ({ minute }: Minute) => (minute === 9 ? { pictureSeconds: 30 } : {}),
      failure: 'In minute 9 the picture of the agents was 30 s old.',
    },
    {
      what: 'a post is not taken',
      spoilt: ({ minute }: Minute) => (minute === 9 ? { refused: [503] } : {}),
      failure: 'In minute 9 a post was answered with 503.',
    },
  ])('fail if $what', ({ spoilt, failure }) => {
    const minutes = half.map((minute) => ({ ...minute, ...spoilt(minute) }));
    expect(judgeMinutes(minutes, 6, 4).failures).toEqual([failure]);
  });

  it('pass in their quick size', async () => {
    const { figures, failures } = await simulated.run({ seed: 1, size: 'quick', onProgress: () => undefined });
    expect(failures).toEqual([]);
    const figure = (asked: string) => figures.find(({ what }) => what === asked)?.value;
    expect(figure('posts')).toBe(180);
    expect(figure('polls')).toBe(12);
    expect(figure('events')).toBeGreaterThan(100);
  });
});
