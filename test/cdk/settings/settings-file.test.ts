import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { withSettingsFile } from '../../../cdk/settings/settings-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'callfeed-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (content: string): string => {
  const file = join(folder, 'settings.json');
  writeFileSync(file, content);
  return file;
};

describe('the file of settings', () => {
  it('holds where the context says nothing else', () => {
    const settingsFile = fileOf('{"stage": "dev", "callRetentionDays": 30}');

    expect(withSettingsFile({ settingsFile, callRetentionDays: '60', 'cdk:flag': true })).toEqual({
      ok: true,
      value: { stage: 'dev', callRetentionDays: '60', 'cdk:flag': true },
    });
  });

  it('need not be there, unless somebody names it', () => {
    expect(withSettingsFile({ stage: 'dev', settingsFile: '' })).toEqual({ ok: true, value: { stage: 'dev' } });
    expect(withSettingsFile({ settingsFile: 'nowhere.json' })).toEqual({
      ok: false,
      problem: ['settingsFile must be the name of a file, or empty: there is no nowhere.json.'],
    });
  });

  it.each(['[]', '"text"', 'null', '{"callbackSecret": "SENTINEL', ''])(
    'is refused as %j, and not shown',
    (content) => {
      const settingsFile = fileOf(content);

      expect(withSettingsFile({ settingsFile })).toEqual({
        ok: false,
        problem: [`${settingsFile} must hold a JSON object of settings.`],
      });
    },
  );
});
