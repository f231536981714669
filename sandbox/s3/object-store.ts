import { createHash, randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from '../frame/data-folder.ts';

/** What a reader gets back beside the bytes: the content type and the sender's own metadata. */
const Headers = z.record(z.string(), z.string());
export type ObjectHeaders = z.infer<typeof Headers>;

const StoredObject = z.object({
  key: z.string(),
  size: z.number(),
  etag: z.string(),
  lastModified: z.string(),
  headers: Headers,
});

export type StoredObject = z.infer<typeof StoredObject> & { readonly file: string };

export type Stored = StoredObject | 'no-upload' | 'exists';

export const openObjects = (folder: string) => {
  const objects = join(folder, 'objects');
  const uploads = join(folder, 'uploads');
  for (const each of [objects, uploads]) mkdirSync(each, { recursive: true });

  const fileOf = (key: string): string => join(objects, createHash('sha256').update(key).digest('hex'));
  const find = (key: string): StoredObject | undefined => {
    const stored = readJsonFile(`${fileOf(key)}.json`, StoredObject);
    return stored === undefined ? undefined : { ...stored, file: fileOf(key) };
  };
  /** The description is written last, so an object whose writer was killed is not there. */
  const store = (key: string, headers: ObjectHeaders, from: string, sizeAndTag: { size: number; etag: string }) => {
    renameSync(from, fileOf(key));
    const stored = { key, headers, ...sizeAndTag, lastModified: new Date().toISOString() };
    writeJsonFile(`${fileOf(key)}.json`, stored);
    return { ...stored, file: fileOf(key) };
  };
  /** An id comes from a request, so it must not lead to another folder. */
  const uploadFolder = (upload: string): string | undefined => {
    const path = join(uploads, upload);
    return /^[\w-]+$/.test(upload) && existsSync(path) ? path : undefined;
  };

  return {
    find,
    put(key: string, headers: ObjectHeaders, bytes: Buffer, ifAbsent: boolean): Stored {
      if (ifAbsent && find(key) !== undefined) return 'exists';
      const incoming = join(uploads, `${randomUUID()}.new`);
      writeFileSync(incoming, bytes);
      return store(key, headers, incoming, { size: bytes.length, etag: md5(bytes) });
    },
    remove(key: string) {
      for (const file of [`${fileOf(key)}.json`, fileOf(key)]) rmSync(file, { force: true });
    },
    list: (): readonly StoredObject[] =>
      readdirSync(objects)
        .filter((name) => name.endsWith('.json'))
        .flatMap((name) => readJsonFile(join(objects, name), StoredObject) ?? [])
        .map((stored) => ({ ...stored, file: fileOf(stored.key) })),
    begin(key: string, headers: ObjectHeaders): string {
      const upload = randomUUID();
      mkdirSync(join(uploads, upload));
      writeJsonFile(join(uploads, upload, 'upload.json'), { key, headers });
      return upload;
    },
    putPart(upload: string, part: number, bytes: Buffer): string | undefined {
      const path = uploadFolder(upload);
      if (path === undefined) return undefined;
      writeFileSync(join(path, String(part)), bytes);
      return md5(bytes);
    },
    complete(upload: string, parts: readonly number[], ifAbsent: boolean): Stored {
      const path = uploadFolder(upload);
      const begun = path === undefined ? undefined : readJsonFile(join(path, 'upload.json'), Upload);
      if (path === undefined || begun === undefined) return 'no-upload';
      if (ifAbsent && find(begun.key) !== undefined) return 'exists';

      const whole = join(path, 'whole');
      rmSync(whole, { force: true });
      const tags = createHash('md5');
      let size = 0;
      for (const part of parts) {
        const bytes = readFileSync(join(path, String(part)));
        appendFileSync(whole, bytes);
        tags.update(md5(bytes), 'hex');
        size += bytes.length;
      }
      const stored = store(begun.key, begun.headers, whole, { size, etag: `${tags.digest('hex')}-${parts.length}` });
      rmSync(path, { recursive: true });
      return stored;
    },
    openUploads: () => readdirSync(uploads).filter((name) => !name.endsWith('.new')).length,
    abort(upload: string) {
      const path = uploadFolder(upload);
      if (path !== undefined) rmSync(path, { recursive: true });
    },
  };
};

export type ObjectStore = ReturnType<typeof openObjects>;

const Upload = z.object({ key: z.string(), headers: Headers });

const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');
