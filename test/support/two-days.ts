import { logIn, logOut, setState } from './agent-steps.ts';
import { type Centre, startCentre } from './polled-centre.ts';
import type { TestTables } from './sandbox-dynamodb.ts';

/**
 * Polls an account for two days, of which 18:30 UTC is midnight: asha is there in the first and most of the second,
 * leaves and comes back; omar leaves for good; asha#2 and ravi stay; meera comes late.
 */
export const pollTwoDays = async (tables: TestTables, userName: string): Promise<Centre> => {
  const centre = await startCentre(tables, { userName, start: '2026-11-21T09:59:00.000Z' });
  centre.script(logIn('asha'), logIn('asha#2'), logIn('ravi', 'PAUSE'), logIn('omar'));
  await centre.poll('2026-11-21T10:00:00.000Z');
  centre.script(setState('asha', 'INCALL'));
  await centre.poll('2026-11-21T11:30:00.000Z');
  await centre.poll('2026-11-21T18:30:00.000Z');
  centre.script(setState('asha', 'ACW'), setState('asha#2', 'PAUSE'), logOut('omar'));
  await centre.poll('2026-11-21T19:00:00.000Z');
  centre.script(logOut('asha'));
  await centre.poll('2026-11-22T05:00:00.000Z');
  centre.script(logIn('asha'), logIn('meera', 'PAUSE'));
  await centre.poll('2026-11-22T06:00:00.000Z');
  await centre.poll('2026-11-22T09:00:00.000Z');
  return centre;
};
