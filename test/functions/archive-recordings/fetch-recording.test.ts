import { createHash, randomBytes } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HttpFault } from '../../../functions/adapters/http-client.ts';
import { type FetchRecording, fetchRecording } from '../../../functions/archive-recordings/fetch-recording.ts';
import { isPublicAddress, publicLookup } from '../../../functions/archive-recordings/public-lookup.ts';
import { recordingBucket } from '../../../functions/archive-recordings/recording-bucket.ts';
import { fail, ok } from '../../../lib/core/result.ts';
import { localClient } from '../../../sandbox/frame/local-aws.ts';
import { answerRequest } from '../../../sandbox/frame/serve.ts';
import { openObjects } from '../../../sandbox/s3/object-store.ts';
import { s3Endpoint } from '../../../sandbox/s3/s3-endpoint.ts';
import { certificateFor, startHttpServer } from '../../support/local-servers.ts';

const host = 'recordings.example.com';
const url = `https://${host}/demo/1.mp3`;
const audio = Buffer.concat([Buffer.from('ID3'), randomBytes(200_000)]);
const { key, cert } = certificateFor(host, 'other.example.com');

/** Long enough for a busy machine. */
const limits = { silenceMs: 20_000, wholeMs: 60_000 };

const ipv4 = (...addresses: readonly string[]): LookupAddress[] => addresses.map((address) => ({ address, family: 4 }));

interface Hosts {
  readonly seams?: Parameters<typeof publicLookup>[0];
  readonly ca?: string;
  readonly maxMegabytes?: number;
  readonly limits?: typeof limits & { readonly connectMs?: number };
  readonly listed?: string[];
  readonly address?: string;
}

/** A host with a certificate on this machine, taken for a public one, and a fetch that finds it by any name. */
const startHost = async (answer: RequestListener, hosts: Hosts = {}) => {
  const server = createServer({ key, cert }, answer);
  server.listen(0, hosts.address ?? '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const lookup = publicLookup({
    resolve: async () => ipv4('127.0.0.1'),
    isPublic: (address) => address === '127.0.0.1' || isPublicAddress(address),
    ...hosts.seams,
  });
  const fetch = fetchRecording({
    route: { lookup, port, ca: hosts.ca ?? cert },
    env: { RECORDING_HOSTS: hosts.listed ?? [host], RECORDING_MAX_MEGABYTES: hosts.maxMegabytes ?? 1 },
    limits: hosts.limits ?? limits,
  });
  /** The bytes, or the problem. */
  const get = async (text: string = url): Promise<unknown> => {
    const fetched = await fetch(text);
    if (!fetched.ok) return fetched.problem;
    try {
      return await buffer(fetched.value.body);
    } catch (error) {
      return error instanceof HttpFault ? error.problem : error;
    }
  };
  return { fetch, get, port };
};

const never: RequestListener = (_request, response) => void response.end('no host is asked');

const announced = (response: ServerResponse) => void response.setHeader('Content-Length', audio.length);
const inChunks = (_response: ServerResponse) => undefined;
const untilClosed = (response: ServerResponse) => response.removeHeader('Transfer-Encoding');
const framings = Object.entries({ announced, inChunks, untilClosed });

describe('a recording', () => {
  it('comes byte for byte, with its type, and without anything that is the account’s', async () => {
    const seen: unknown[] = [];
    const { fetch } = await startHost(({ url: path, headers }, response) => {
      seen.push({ path, ...headers });
      response.writeHead(200, { 'Content-Type': 'Audio/MPEG; x=y', 'Content-Length': audio.length }).end(audio);
    });
    const fetched = await fetch(`${url}?a=1#part`);

    expect(fetched.ok && fetched.value.contentType).toBe('audio/mpeg');
    expect(fetched.ok && (await buffer(fetched.value.body)).equals(audio)).toBe(true);
    expect(seen).toEqual([
      {
        path: '/demo/1.mp3?a=1',
        host: expect.stringMatching(/^recordings\.example\.com/),
        accept: 'audio/*, */*;q=0.5',
        'accept-encoding': 'identity',
        'user-agent': 'callfeed',
        connection: expect.any(String),
      },
    ]);
  });

  const bytesOnly = 'application/octet-stream';
  it.each([
    ['audio/mpeg', 'audio/mpeg'],
    ['AUDIO/X-WAV;charset=x', 'audio/x-wav'],
    ['video/mp4', 'video/mp4'],
    ['audio/vnd.wave , text/html', 'audio/vnd.wave'],
    ['', bytesOnly],
    ['image/svg+xml', bytesOnly],
    ['application/pdf', bytesOnly],
    ['application/javascript', bytesOnly],
    ['application/octet-stream', bytesOnly],
    ['multipart/x-mixed-replace', bytesOnly],
    ['audio/x+xml', bytesOnly],
    ['video/', bytesOnly],
    ['audio/<b>', bytesOnly],
    [`audio/${'x'.repeat(14_000)}`, bytesOnly],
  ])('of type %j is stored as %s', async (named, contentType) => {
    const { fetch } = await startHost((_request, response) => {
      response.writeHead(200, { 'Content-Type': named }).end(audio);
    });

    expect(await fetch(url)).toMatchObject({ ok: true, value: { contentType } });
  });

  it('comes in chunks, without a type, and through three redirects on the hosts of the list, each from where it stands', async () => {
    const hosts: unknown[] = [];
    const { get } = await startHost(
      ({ url: path = '', headers }, response) => {
        hosts.push(headers.host);
        const hops: Readonly<Record<string, string>> = {
          '/demo/1.mp3': '/a',
          '/a': 'https://other.example.com/folder/b',
          '/folder/b': 'c',
        };
        const Location = hops[path];
        if (Location !== undefined) response.writeHead(302, { Location }).end('moved');
        else response.write(audio.subarray(0, 7)) && response.end(audio.subarray(7));
      },
      { listed: [host, 'other.example.com'] },
    );

    expect(audio.equals((await get()) as Buffer)).toBe(true);
    expect(hosts).toEqual([host, host, 'other.example.com', 'other.example.com']);
  });

  it.each<Readonly<Record<string, string | number>>>([
    { 'Content-Length': audio.length },
    { 'Transfer-Encoding': 'Chunked' },
    { 'Content-Encoding': 'Identity' },
    { 'Content-Encoding': '' },
  ])('of as many bytes as are allowed comes with %o', async (head) => {
    const { get } = await startHost((_request, response) => void response.writeHead(200, { ...head }).end(audio), {
      maxMegabytes: audio.length / 1_000_000,
    });

    expect(audio.equals((await get()) as Buffer)).toBe(true);
  });

  it.each([
    ['announced', announced, undefined],
    ['in chunks', inChunks, undefined],
    ['until the connection is closed', untilClosed, 'no-length'],
  ])('has a note if nobody knows whether it is whole: %s', async (_how, frame, note) => {
    const { fetch } = await startHost((_request, response) => {
      frame(response);
      response.write(audio.subarray(0, 7));
      response.end(audio.subarray(7));
    });
    const fetched = await fetch(url);

    expect(fetched.ok && [fetched.value.note, audio.equals(await buffer(fetched.value.body))]).toEqual([note, true]);
  });

  it('may come later than any connection may take', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const answer: RequestListener = (_, response) => vi.advanceTimersByTime(2_000) && response.end(audio);
    const { get } = await startHost(answer, { limits: { ...limits, connectMs: 2_000 } });

    expect(await get()).toEqual(audio);
  });

  it.each(['<a', '{"', ' [['])('may begin with %s', async (beginning) => {
    const raw = Buffer.concat([Buffer.from(beginning), Buffer.alloc(2_000, 'speech\u0001')]);
    const { get } = await startHost((_request, response) => void response.end(raw));

    expect(raw.equals((await get()) as Buffer)).toBe(true);
  });
});

describe('a URL that may not be asked for', () => {
  it.each([
    ['', 'not-a-url'],
    ['1.mp3', 'not-a-url'],
    ['http://recordings.example.com/1', 'not-https'],
    ['file:///etc/passwd', 'not-https'],
    ['ftp://recordings.example.com/1', 'not-https'],
    ['data:audio/mpeg;base64,AAAA', 'not-https'],
    ['https://demo@recordings.example.com/1', 'user-info'],
    ['https://demo:secret@recordings.example.com/1', 'user-info'],
    ['https://recordings.example.com:secret@127.0.0.1/1', 'user-info'],
    ['https://recordings.example.com:8443/1', 'other-port'],
    ['https://recordings.example.com:80/1', 'other-port'],
    ['https://recordings.example.com.evil.example/1', 'other-host'],
    ['https://recordings.example.com./1', 'other-host'],
    ['https://sub.recordings.example.com/1', 'other-host'],
    ['https://evil.example/?recordings.example.com', 'other-host'],
    ['https://evil.example\\@recordings.example.com/', 'other-host'],
    ['https://127.0.0.1/1', 'other-host'],
    ['https://2130706433/1', 'other-host'],
    ['https://0x7f.1/1', 'other-host'],
    ['https://169.254.169.254/latest/meta-data', 'other-host'],
    ['https://[::1]/1', 'other-host'],
    ['https://[::ffff:169.254.169.254]/1', 'other-host'],
    ['https://[fd00:ec2::254]/1', 'other-host'],
    ['https://recordings.example.com/1?apikey=***', 'key-removed'],
  ])('%s is refused: %s', async (text, problem) => {
    const asked: unknown[] = [];
    const { get } = await startHost((request, response) => {
      asked.push(request.url);
      response.end(audio);
    });

    expect(await get(text)).toBe(problem);
    expect(asked).toEqual([]);
  });

  it.each([
    ['https://evil.example/1', 'other-host'],
    ['https://169.254.169.254/latest/meta-data', 'other-host'],
    ['http://recordings.example.com/1', 'not-https'],
    ['file:///etc/passwd', 'not-https'],
    ['https://a:b@recordings.example.com/1', 'user-info'],
    ['https://recordings.example.com:8443/1', 'other-port'],
    ['https://', 'not-a-url'],
    ['/demo/1.mp3', 'redirected-too-often'],
  ])('is refused as the target of a redirect too: %s (%s)', async (Location, problem) => {
    const { get } = await startHost((_request, response) => void response.writeHead(307, { Location }).end());

    expect(await get()).toBe(problem);
  });
});

describe('the address of a host', () => {
  const addresses = [
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '0.0.0.0', '100.64.0.1'],
    ...['192.0.0.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '192.88.99.1', '192.0.2.1'],
    ...['::1', '::', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', 'fec0::1', '2001:db8::1'],
    ...['::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::169.254.169.254', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::'],
    ...['64:ff9b:1::a00:1', '2001::a9fe:a9fe', '100::1', 'no address', ''],
    ...['192.168.255.255', '172.31.0.1', '198.51.100.1', '203.0.113.1', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
    // IPv4 within IPv6: compatible, translated, ISATAP.
    ...['::7f00:1', '::a9fe:a9fe', '::ffff:0:7f00:1', '2606:4700::5efe:7f00:1', '2606:4700::200:5efe:a00:1'],
    ...['2606:4700::300:5efe:808:808', 'fe80::5efe:7f00:1'],
    // Outside of 2000::/3, or reserved in it.
    ...['100:0:0:1::1', '1fff::1', '4000::1', '5f00::1', '8000::1', 'e000::1', 'fe00::1', 'feff::1', '3fff::1'],
    ...['2001:2::1', '2001:3::1', '2001:10::1', '2001:20::1', '2001:1ff::1', '2620:4f:8000::1'],
  ];

  it.each(addresses)('%s is none of the internet', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    ...['8.8.8.8', '13.234.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '2a05:d018::1', '3ffe::1'],
    ...['2606:4700::5eff:1', '2606:4700::400:5efe:808:808'],
  ])('%s is one of the internet', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['the metadata service', ipv4('169.254.169.254')],
    ['this machine', ipv4('127.0.0.1')],
    ['the metadata service within IPv6', [{ address: '::ffff:169.254.169.254', family: 6 }]],
    ['a public address and a private one', [...ipv4('8.8.8.8'), ...ipv4('10.0.0.1')]],
  ])('is refused where the name leads to %s', async (_what, addresses) => {
    const { get } = await startHost(never, { seams: { resolve: async () => addresses, isPublic: isPublicAddress } });

    expect(await get()).toBe('private-address');
  });

  it('is not connected to where the name leads nowhere', async () => {
    const failing = async () => {
      throw new Error('ENOTFOUND');
    };
    for (const resolve of [failing, async () => []])
      expect(await (await startHost(never, { seams: { resolve } })).get()).toBe('connection');
  });

  it('is looked up by the system: all addresses of a name, or the first one', async () => {
    const lookup = promisify(publicLookup({ isPublic: () => true }));

    expect(await lookup('127.0.0.1', { all: true })).toEqual(ipv4('127.0.0.1'));
    expect(await lookup('127.0.0.1', {})).toBe('127.0.0.1');
  });

  it('is the one that was checked, whatever the name leads to a moment later', async () => {
    const answers = [ipv4('127.0.0.1'), ipv4('127.0.0.2')];
    let lookups = 0;
    const resolve = async () => answers[Math.min(lookups++, 1)] ?? [];
    const { get, port } = await startHost((_request, response) => void response.end(audio), { seams: { resolve } });
    const reached: unknown[] = [];
    const inside = createServer({ key, cert }, (request, response) => {
      reached.push(request.url);
      response.end('inside');
    });
    inside.listen(port, '127.0.0.2');
    await once(inside, 'listening');
    onTestFinished(() => void inside.close());

    expect(audio.equals((await get()) as Buffer)).toBe(true);
    expect(lookups).toBe(1);
    // The next connection looks the name up again, and refuses it.
    expect(await get()).toBe('private-address');
    expect(reached).toEqual([]);
  });

  it('is checked again for a redirect to the same host', async () => {
    const answers = [ipv4('127.0.0.1'), ipv4('169.254.169.254')];
    const { get } = await startHost((_request, response) => void response.writeHead(302, { Location: '/2' }).end(), {
      seams: { resolve: async () => answers.shift() ?? [] },
    });

    expect(await get()).toBe('private-address');
  });

  it('needs a certificate of the host that somebody trusted has signed', async () => {
    expect(await (await startHost(never, { ca: certificateFor(host).cert })).get()).toBe('connection');
    const named = await startHost(never, { listed: ['third.example.com'] });
    expect(await named.get('https://third.example.com/1')).toBe('connection');
  });
});

describe('an odd answer', () => {
  const html = '\n <!DOCTYPE html><p>Not here</p>';
  const partly = (response: ServerResponse, head: object) => {
    response.writeHead(200, { 'Content-Type': 'audio/mpeg', ...head });
    response.write(audio.subarray(0, 1_000), () => response.destroy());
  };

  const encoded = (response: ServerResponse, head: object) =>
    response.writeHead(200, { 'Content-Encoding': 'gzip', ...head });
  const served = (text: string): readonly [string, string, RequestListener] => [
    text,
    'not-audio',
    (_, response) => response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(text),
  ];

  it.each<readonly [string, string, RequestListener]>([
    ['404', 'not-found', (_, response) => response.writeHead(404).end(audio)],
    ['410', 'not-found', (_, response) => response.writeHead(410).end()],
    ['403', 'not-allowed', (_, response) => response.writeHead(403).end('<Error/>')],
    ['401', 'not-allowed', (_, response) => response.writeHead(401, { 'WWW-Authenticate': 'Basic' }).end()],
    ['500', 'http-error', (_, response) => response.writeHead(500).end(audio)],
    ['206', 'http-error', (_, response) => response.writeHead(206).end(audio)],
    ['302 without a target', 'http-error', (_, response) => response.writeHead(302).end()],
    ['204', 'empty', (_, response) => response.writeHead(204).end()],
    ['200 with nothing', 'empty', (_, response) => response.writeHead(200, { 'Content-Length': 0 }).end()],
    ['200 with nothing, in chunks', 'empty', (_, response) => response.writeHead(200).end()],
    ['a page', 'not-audio', (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(html)],
    ['a page as it', 'not-audio', (_, response) => response.writeHead(200, { 'Content-Type': 'audio/wav' }).end(html)],
    ...['{"status": "error"}', '[{"error":1}]', '{}', '[]', '[ "gone" ]', '<!-- gone --><html></html>'].map(served),
    ...['<script>location="/login"</script>', '<h1>Not found</h1>', '<title>404</title>', '\ufeff<p>'].map(served),
    ['XML', 'not-audio', (_, response) => response.writeHead(200, { 'Content-Type': 'application/xml' }).end(audio)],
    ['fewer bytes than announced', 'shorter', (_, response) => partly(response, { 'Content-Length': 200_003 })],
    ['an end before the last chunk', 'connection', (_, response) => partly(response, {})],
    ['no answer', 'connection', (request) => request.socket.destroy()],
    ['gzip', 'compressed', (_, response) => encoded(response, {}).end(gzipSync(audio))],
    ['gzip of nothing', 'empty', (_, response) => encoded(response, { 'Content-Length': 0 }).end()],
    ['a page in gzip', 'not-audio', (_, response) => encoded(response, { 'Content-Type': 'text/html' }).end()],
    [
      'gzip as a transfer',
      'compressed',
      (_, response) => response.writeHead(200, { 'Transfer-Encoding': 'gzip, chunked' }).end(gzipSync(audio)),
    ],
    ['10 GB announced', 'too-large', (_, response) => response.writeHead(200, { 'Content-Length': 10e9 }).write(audio)],
    ['a byte too much', 'too-large', (_, response) => response.write(Buffer.alloc(1_000_001, 1))],
    ['a page without an end', 'not-audio', (_, response) => response.write(html.padEnd(1_000))],
  ])('(%s) is %s, and its connection is closed', async (_what, problem, answer) => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const listener: RequestListener = (request, response) => {
      response.once('close', resolve);
      answer(request, response);
    };
    const { get } = await startHost(listener, { limits: { ...limits, wholeMs: 3_600_000 } });

    expect(await get()).toBe(problem);
    await closed;
  });

  // The memory of a shared process says nothing; memory.long.ts has a process of its own.
  it('without an end is cut off at the limit, and is sent hardly faster than it is read', async () => {
    const chunk = Buffer.alloc(65_536, 1);
    let sent = 0;
    const { fetch } = await startHost(
      (_request, response) => {
        const more = (): void => {
          for (let isTaken = true; isTaken && !response.destroyed; sent += chunk.length)
            isTaken = response.write(chunk);
          response.once('drain', more);
        };
        more();
      },
      { maxMegabytes: 100 },
    );
    const fetched = await fetch(url);
    let bytes = 0;
    let ahead = 0;
    const read = async () => {
      if (!fetched.ok) return;
      for await (const part of fetched.value.body) {
        bytes += part.length;
        ahead = Math.max(ahead, sent - bytes);
      }
    };

    await expect(read()).rejects.toThrow('too-large');
    expect(bytes).toBeGreaterThan(99_000_000);
    expect(bytes).toBeLessThanOrEqual(100_000_000);
    expect(ahead).toBeLessThan(10_000_000);
  });

  const stages = Object.entries({
    'before its head': -1,
    'after its head': 0,
    'in its beginning': 100,
    'later on': 10_000,
  });
  const cuts = framings.flatMap(([framing, frame]) =>
    stages.flatMap(([stage, bytes]) => [
      { framing, stage, host: 'falls silent', frame, bytes, limits: { silenceMs: 200, wholeMs: 60_000 } },
      { framing, stage, host: 'drips', frame, bytes, limits: { silenceMs: 20_000, wholeMs: 400 } },
    ]),
  );

  it.each(cuts)('($framing) whose host $host $stage is cut off by a time-out, and is none', async (cut) => {
    const { get } = await startHost(
      (_request, response) => {
        cut.frame(response);
        if (cut.bytes < 0) return;
        response.flushHeaders();
        response.write(audio.subarray(0, cut.bytes));
        if (cut.host === 'falls silent') return;
        const drip = setInterval(() => response.write('I'), 20);
        response.on('close', () => clearInterval(drip));
      },
      { limits: cut.limits },
    );

    expect(await get()).toBe('timeout');
  });

  it('is no silence of the host while the reader is slow', async () => {
    const { fetch } = await startHost((_request, response) => void response.end(audio), {
      limits: { silenceMs: 300, wholeMs: 60_000 },
    });
    const fetched = await fetch(url);
    await new Promise((resolve) => setTimeout(resolve, 600));

    expect(fetched.ok && (await buffer(fetched.value.body)).equals(audio)).toBe(true);
  });
});

describe('through an emulator', () => {
  it.each(framings)('a recording (%s) whose connection is reset is none', async (_framing, frame) => {
    const { url: through } = await startHttpServer((_request, response) => {
      frame(response);
      response.write(audio.subarray(0, 10_000), () => response.socket?.resetAndDestroy());
    });
    const fetch = fetchRecording({
      env: { RECORDING_HOSTS: [host], RECORDING_MAX_MEGABYTES: 1 },
      route: { through },
    });
    const reading = async () => {
      const fetched = await fetch(url);
      return fetched.ok ? buffer(fetched.value.body) : fetched.problem;
    };

    expect(await reading().catch((error) => error.problem)).toMatch(/^(?:shorter|connection)$/);
  });

  it('a recording is asked for by its path and host, and every check stays', async () => {
    const seen: unknown[] = [];
    const { url: emulator } = await startHttpServer(({ url: path, headers }, response) => {
      seen.push([headers.host, path]);
      response.end(audio);
    });
    const fetch = fetchRecording({
      env: { RECORDING_HOSTS: [host], RECORDING_MAX_MEGABYTES: 1 },
      route: { through: emulator },
    });
    const fetched = await fetch(`${url}?a=1`);

    expect(fetched.ok && (await buffer(fetched.value.body)).equals(audio)).toBe(true);
    expect(seen).toEqual([[host, '/demo/1.mp3?a=1']]);
    expect(await fetch('https://other.example.com/1')).toEqual({ ok: false, problem: 'other-host' });
  });
});

const objectKey = 'demo/2026-11-20/42/1';

/** An S3 on this machine, and the bucket over it. What it refuses has no effect. */
const startBucket = async (fetch: FetchRecording, refuses: (request: string) => boolean = () => false) => {
  const folder = mkdtempSync(join(tmpdir(), 'callfeed-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const objects = openObjects(folder);
  const answer = s3Endpoint('recordings', objects);
  const { url } = await startHttpServer((request, response) => {
    if (refuses(`${request.method} ${request.url}`)) request.resume().on('end', () => response.writeHead(500).end());
    else void answerRequest(answer, request, response);
  });
  const client = new S3Client({ ...localClient(url), maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  const content = () => {
    const found = objects.find(objectKey);
    return found && { bytes: readFileSync(found.file), headers: found.headers };
  };
  return { bucket: recordingBucket(client, 'recordings', fetch), objects, content };
};

/** A recording of these parts. An error in place of one ends it. */
const recordingOf = (...parts: readonly (Buffer | Error)[]): FetchRecording => {
  async function* body() {
    for (const part of parts) {
      if (part instanceof Error) throw part;
      yield part;
    }
  }
  return async () => ok({ contentType: 'audio/mpeg', body: body() });
};

const described = (...parts: readonly Buffer[]) => ({
  bucket: 'recordings',
  contentType: 'audio/mpeg',
  sizeBytes: Buffer.concat(parts).length,
  sha256: createHash('sha256').update(Buffer.concat(parts)).digest('hex'),
});

const small = randomBytes(1_000);
/** More than two parts of an upload. */
const large = Array.from({ length: 20 }, () => randomBytes(1_000_000));

describe.each([
  ['small', [small]],
  ['large', large],
] as const)('a %s recording', (_size, parts) => {
  it('is stored byte for byte, and described', async () => {
    const { bucket, objects, content } = await startBucket(recordingOf(...parts));

    expect(await bucket.existing(objectKey)).toBeUndefined();
    expect(await bucket.copy('url', objectKey)).toEqual(ok(described(...parts)));
    expect(content()?.bytes.equals(Buffer.concat(parts))).toBe(true);
    expect(content()?.headers).toMatchObject({ 'content-type': 'audio/mpeg', 'content-disposition': 'attachment' });
    expect(await bucket.existing(objectKey)).toEqual(described(...parts));
    expect(objects.openUploads()).toBe(0);
    await bucket.remove(objectKey);
    expect(content()).toBeUndefined();
  });

  it('has its note with the object', async () => {
    const note = 'no-length';
    const { bucket } = await startBucket(async () => {
      const fetched = await recordingOf(...parts)('url');
      return fetched.ok ? ok({ ...fetched.value, note }) : fetched;
    });

    expect(await bucket.copy('url', objectKey)).toEqual(ok({ ...described(...parts), note }));
    expect(await bucket.existing(objectKey)).toEqual({ ...described(...parts), note });
  });

  it('does not replace one that is there, and describes that one', async () => {
    const first = randomBytes(2_000);
    const { bucket, objects, content } = await startBucket(recordingOf(...parts));
    objects.put(objectKey, { 'content-type': 'audio/mpeg' }, first, false);

    expect(await bucket.copy('url', objectKey)).toEqual(ok(described(first)));
    expect(content()?.bytes.equals(first)).toBe(true);
    expect(objects.openUploads()).toBe(0);
  });

  it('of which not all comes is not stored at all', async () => {
    const { bucket, objects, content } = await startBucket(recordingOf(...parts, new HttpFault('shorter')));

    expect(await bucket.copy('url', objectKey)).toEqual(fail('shorter'));
    expect(content()).toBeUndefined();
    expect(objects.openUploads()).toBe(0);
  });

  it('that S3 refuses is a fault, and nothing is left', async () => {
    const { bucket, content } = await startBucket(recordingOf(...parts), (request) => request.startsWith('PUT'));

    await expect(bucket.copy('url', objectKey)).rejects.toThrow();
    expect(content()).toBeUndefined();
  });
});

it('a recording that could not be fetched has its problem, and S3 is not asked', async () => {
  const requests: string[] = [];
  const { bucket } = await startBucket(
    async () => fail('other-host'),
    (request) => requests.push(request) > 0,
  );

  expect(await bucket.copy('url', objectKey)).toEqual(fail('other-host'));
  expect(requests).toEqual([]);
});
