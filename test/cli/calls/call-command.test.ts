import { describe, expect, it } from 'vitest';
import { jsonLines } from '../support/cli-run.ts';
import { forThisFile } from '../support/local-deployment.ts';
import { callWithAllFields, customer, startReadingDeployment } from '../support/reading-deployment.ts';

const deployment = await forThisFile(startReadingDeployment());
const { at, json } = deployment;

describe('callfeed call', () => {
  it('shows legs, participants, and how each delivery differed', async () => {
    const { output } = await at(['call', callWithAllFields]);
    const [details] = await json(['call', callWithAllFields]);

    expect(output).toMatch(/^Call 700000000000000001 of demo, revision \d\n[\s\S]* status +answered\n/);
    expect(output).toMatch(/customerNumber +\(hidden\)\n/);
    expect(output).toMatch(/ agentIds +asha, ravi\n/);
    expect(output).toMatch(/ notes +\{"/);
    expect(output).toMatch(/2 deliveries:\n[\s\S]*status: not-answered/);
    expect(output).toMatch(/^Participant /m);
    expect(output).not.toContain('No delivery has a recording');
    expect((await at(['call', '710000000000000000'])).output).toMatch(/\n\nNo delivery has a recording\. /);
    expect(details).toMatchObject({
      callId: callWithAllFields,
      call: { status: 'answered', customerNumber: '(hidden)', deliveries: [{ asSent: '(hidden)' }, {}] },
    });
    expect(await at(['call', '1'])).toMatchObject({
      code: 1,
      notes: expect.stringMatching(/^demo has no call 1\. Are the account and the call spelt/),
    });
  });

  it('prints what was sent, to the letter and without the key, for people and for programs', async () => {
    const text = await at(['call', callWithAllFields, '--as-sent']);
    const lines = jsonLines(await at(['call', callWithAllFields, '--as-sent', '--json']));

    expect(text.output).toContain(`"monitorUCID":"${callWithAllFields}"`);
    expect(text.output).toContain('"Apikey":"***"');
    expect(text.output).toMatch(/^2026-[^ ]+ {2}participant \w+\n\{/m);
    expect(lines.map(({ asSent }) => JSON.parse(String(asSent)).CallerID)).toEqual([customer, customer, undefined]);
  });
});
