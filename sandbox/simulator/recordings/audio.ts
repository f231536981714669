import { createHash } from 'node:crypto';

const sampleRate = 8_000;
const headerBytes = 44;
const middle = 128;

/**
 * A recording that a player plays: a WAV of one to three seconds, in which two voices take turns. The same URL always has the
 * same bytes, and each URL its own.
 */
export const wavOf = (url: string): Buffer => {
  const seed = createHash('sha256').update(url).digest();
  const samples = sampleRate + (seed.readUInt16LE(0) % (2 * sampleRate));
  const voices = [200 + seed.readUInt8(2), 400 + seed.readUInt8(3)];
  const turn = sampleRate / 4;

  const wav = Buffer.alloc(headerBytes + samples);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16); // The length of the format, which follows: PCM, one channel, 8 bits.
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(sampleRate, 24);
  wav.writeUInt32LE(sampleRate, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(samples, 40);
  for (let at = 0; at < samples; at++) {
    const hertz = voices[Math.floor(at / turn) % voices.length] ?? 0;
    const loudness = 20 + (seed[Math.floor(at / turn) % seed.length] ?? 0) / 4;
    wav[headerBytes + at] = middle + Math.round(loudness * Math.sin((2 * Math.PI * hertz * at) / sampleRate));
  }
  return wav;
};
