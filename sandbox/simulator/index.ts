import { randomInt } from 'node:crypto';
import type { Account } from '../../lib/accounts/accounts.ts';
import { createFaultBoard, type FaultBoard } from '../frame/faults.ts';
import { type SandboxClock, systemClock } from '../frame/lifecycle.ts';
import { answerRequest, type Handle, startServer } from '../frame/serve.ts';
import { accountNamed, accountReports, agentsReport, byUserName, changedAccount, servedAccount } from './accounts.ts';
import { createPendingAnswers } from './answers.ts';
import { createCallReport } from './call-report.ts';
import { callsOnRequest } from './calls-on-request.ts';
import { createLiveCentre, createSimulatedCentre, emptyCentre, resized } from './centre.ts';
import { controlHandle } from './control.ts';
import { createOutbox } from './outbox.ts';
import { fork, seededRandom } from './random.ts';
import { createRecordings } from './recordings.ts';
import { runScript } from './script.ts';
import { createService } from './service.ts';
import { shiftsFor } from './shifts.ts';
import { createTraffic, type TrafficRules } from './traffic.ts';

export interface SimulatorSettings {
  readonly port: number;
  /** The receiver's base address without `/callDetails`. Its path may contain a secret, so it is never logged or shown. */
  readonly callbackUrl: string;
  /** The first one has the calls, and simulated agents. The others have scripted agents only. */
  readonly accounts: readonly Account[];
  /** Whether calls happen and agents log in and out by themselves. Otherwise all agents are scripted. */
  readonly traffic: boolean;
  /** The same seed makes the same calls and shifts. Default: random, so that two runs have different ids. */
  readonly seed?: number | undefined;
  readonly onLog?: ((line: string) => void) | undefined;
  /** Default: no faults. The control endpoints have none. */
  readonly board?: Pick<FaultBoard, 'draw' | 'state'> | undefined;
  readonly clock?: SandboxClock | undefined;
}

export type Simulator = Awaited<ReturnType<typeof startSimulator>>;

/** The agents do not depend on the seed, so that a restart does not exchange them. */
const staffSeed = 1;
const callsPerMinute = 20;

export const startSimulator = async (settings: SimulatorSettings) => {
  const { clock = systemClock, seed = randomInt(2 ** 32), board = createFaultBoard() } = settings;
  const { now } = clock;
  let listed = settings.accounts;
  const [first, ...others] = listed;
  if (first === undefined) throw new Error('A simulated service needs an account.');

  const stopping = new AbortController();
  const stopped = stopping.signal;
  const random = seededRandom(seed);
  const trafficRandom = fork(random);
  const requestsRandom = fork(random);
  const shiftsRandom = fork(random);
  let staff = createSimulatedCentre(seededRandom(staffSeed), 4 * callsPerMinute);
  let rules: TrafficRules = { on: settings.traffic, callsPerMinute, kinds: [], agents: staff.agents.length };
  const shifts = new Map(settings.traffic ? shiftsFor(shiftsRandom, staff.agents, now()) : []);
  const centre = createLiveCentre(staff, settings.traffic ? shifts : undefined);
  let caller = first;
  const callReport = createCallReport({ account: () => caller, staff: () => staff.agents, now });
  const newAccount = (one: Account) => {
    const report = createCallReport({ account: () => one, staff: () => [], now });
    return servedAccount(one, createLiveCentre(emptyCentre), report, now);
  };
  const accounts = [servedAccount(first, centre, callReport, now), ...others.map(newAccount)];
  // An account that was taken away and comes back has its calls, agents and counted requests again.
  const everServed = new Map(accounts.map((one) => [one.userName.toLowerCase(), one]));

  const recordings = createRecordings(() => board.state().recordings, now);
  const outbox = createOutbox({
    callbackUrl: settings.callbackUrl,
    log: settings.onLog ?? (() => undefined),
    reportCall(reported, callbacks) {
      recordings.add(reported.call);
      callReport.add(reported, callbacks);
    },
    fault: () => board.state().callbacks,
    clock,
    stopped,
  });
  const pending = createPendingAnswers(accounts);
  const sendCalls = callsOnRequest({
    random: requestsRandom,
    centre: () => staff,
    account: () => caller,
    now,
    launch: outbox.launch,
  });
  const control = controlHandle({ seed, accounts, pending, outbox, recordings, callReport, sendCalls, now });
  const service = createService({ accounts, pending, fault: () => board.draw('provider'), clock, stopped });
  const handle: Handle = (request) => (service.isOwn(request.path) ? service.handle(request) : control(request));
  const server = await startServer({ number: settings.port, flag: '--provider-port' }, (request, response) =>
    recordings.isHost(request.headers.host)
      ? recordings.respond(request, response)
      : answerRequest(handle, request, response),
  );
  const traffic = createTraffic({
    random: trafficRandom,
    readAccount: () => (accountNamed(accounts, caller.userName) ? caller : undefined),
    centre,
    rules,
    clock,
    stopped,
    launch: outbox.launch,
  });
  const calling = traffic.run();
  const applyRules = (): void => {
    const newcomers = staff.agents.filter(({ id }) => !shifts.has(id));
    for (const [id, shift] of shiftsFor(shiftsRandom, newcomers, now())) shifts.set(id, shift);
    centre.staff(staff.agents.slice(0, rules.agents), rules.on ? shifts : new Map());
    traffic.change(rules);
  };

  let ending: Promise<void> | undefined;
  return {
    url: server.url,
    seed,
    script: (steps: string) => runScript(accounts, steps, now()),
    agents: () => byUserName(accounts, (account) => agentsReport(account, now())),
    accounts: () => accountReports(accounts, now()),
    traffic: () => rules,
    setTraffic(changes: Partial<TrafficRules>) {
      rules = { ...rules, ...changes };
      staff = resized(seededRandom(staffSeed), staff, Math.max(rules.agents, staff.agents.length));
      applyRules();
    },
    accountList: {
      accounts: () => listed,
      /** The account that has the calls keeps them while it is away; nothing happens in it then. */
      put(list: readonly Account[]) {
        listed = list;
        const next = list.map((one) => {
          const served = everServed.get(one.userName.toLowerCase());
          return served === undefined ? newAccount(one) : changedAccount(served, one, now);
        });
        for (const one of next) everServed.set(one.userName.toLowerCase(), one);
        accounts.splice(0, accounts.length, ...next);
        caller = accountNamed(list, caller.userName) ?? caller;
        applyRules();
      },
    },
    stop() {
      stopping.abort();
      ending ??= Promise.all([calling, outbox.untilIdle(), server.close()]).then(() => undefined);
      return ending;
    },
  };
};
