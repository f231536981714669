import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const folder = join(import.meta.dirname, 'releases');

/** The versions whose deployments can be upgraded to this one, oldest first. CONTRIBUTING.md says when one is added. */
export const releases: readonly string[] = readdirSync(folder).sort((one, other) =>
  one.localeCompare(other, 'en', { numeric: true }),
);

/** The path of a file that was recorded of a release. */
export const recorded = (release: string, file: string): string => join(folder, release, file);

const readRecorded = (release: string, file: string): unknown =>
  JSON.parse(gunzipSync(readFileSync(recorded(release, file))).toString());

/** A template of CloudFormation, as far as these tests read it. */
export interface Template {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> }>
  >;
}

/** The names of a release's settings, and its template in each of the tested configurations. */
export interface RecordedTemplates {
  readonly settings: readonly string[];
  readonly variants: Readonly<
    Record<string, { readonly settings: Readonly<Record<string, unknown>>; readonly template: Template }>
  >;
}

export const templatesOf = (release: string): RecordedTemplates =>
  readRecorded(release, 'templates.json.gz') as RecordedTemplates;

/** A row, or the detail of an event. */
export type Row = Readonly<Record<string, unknown>>;

/** What a release wrote in an hour of the simulated contact centre: rows, messages in queues, events. */
export interface Written {
  readonly rows: Readonly<Record<'calls' | 'agents' | 'quarantine', readonly Row[]>>;
  readonly messages: { readonly parked: readonly string[]; readonly reconciliation: readonly string[] };
  readonly events: readonly { readonly 'detail-type': string; readonly detail: Row }[];
}

export const writtenBy = (release: string): Written => readRecorded(release, 'written.json.gz') as Written;

/** The files of an assembly of the CDK by their paths: what `cdk deploy` takes. */
export type Assembly = Readonly<Record<string, string>>;

export const assemblyOf = (release: string): Assembly => readRecorded(release, 'assembly.json.gz') as Assembly;
