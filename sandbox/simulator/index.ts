import { randomInt } from 'node:crypto';
import { systemClock } from '../clock.ts';
import { answerRequest, type Handle, jsonAnswer, routed, startServer } from '../http/serve.ts';
import { callsOnRequest, controlRoutes } from './control-routes.ts';
import { createOutbox } from './delivery/outbox.ts';
import { createFloor, resized } from './floor/floor.ts';
import { createLiveFloor, emptyFloor, shiftsFor } from './floor/live-floor.ts';
import { fork, seededRandom } from './random.ts';
import { createRecordings, type ServedRecording } from './recordings.ts';
import { createCallReport } from './report/call-report.ts';
import { runScript, type ScriptOutcome } from './script.ts';
import {
  type AccountReport,
  type AgentsReport,
  accountNamed,
  accountsReport,
  agentsReport,
  changedAccount,
  changeReports,
  servedAccount,
} from './service/accounts.ts';
import { createPendingAnswers, pathOf } from './service/answers.ts';
import { createService } from './service/operations.ts';
import type { SimulatedAccount, SimulatorSettings } from './settings.ts';
import { createTraffic, type TrafficRules } from './traffic.ts';

export type { SimulatorSettings } from './settings.ts';

/** A running simulator. */
export interface Simulator {
  /** The service's base address. */
  readonly url: string;
  /** The seed of this run, with which it can be repeated. */
  readonly seed: number;
  /** Logs agents in and out by a JSON text with one step or a list. Either all steps are applied or none. */
  readonly script: (steps: string) => ScriptOutcome;
  /** The agents that are logged in, by account, without names and phone numbers. */
  readonly agents: () => Readonly<Record<string, AgentsReport>>;
  /** The requests so far, by account. */
  readonly accounts: () => Readonly<Record<string, AccountReport>>;
  /** Every recording that was asked for, and when it was served whole. */
  readonly recordings: () => readonly ServedRecording[];
  readonly traffic: () => TrafficRules;
  /** Changes what happens by itself from now on. Fields that are left out stay. */
  readonly setTraffic: (changes: Partial<TrafficRules>) => void;
  /** Replaces the accounts. The one that has the calls keeps them while it is away; nothing happens in it then. */
  readonly setAccounts: (accounts: readonly SimulatedAccount[]) => void;
  /** Ends traffic, timers and open posts. Resolves when all have ended. */
  readonly stop: () => Promise<void>;
}

/**
 * Simulates the contact-centre service: posts call summaries to the receiver, and serves the service's API with the
 * agents that are logged in. Rejects if the port is in use.
 *
 * @example
 * const simulator = await startSimulator({ port: 0, callbackUrl, accounts, traffic: false });
 * await fetch(`${simulator.url}/_simulator/calls`, { method: 'POST', body: '{"count":3,"kind":"number-id"}' });
 * simulator.script('{"action":"log-in","agentId":"asha01"}');
 * await simulator.stop();
 */
export const startSimulator = async (settings: SimulatorSettings): Promise<Simulator> => {
  const { clock = systemClock, seed = randomInt(2 ** 32) } = settings;
  const {
    fault = () => 'none',
    callbackFault = () => ({ lost: 0, poorer: 0 }),
    recordingFault = () => ({ mode: 'none', rate: 0, answers: 0 }),
    onLog = () => undefined,
  } = settings;

  const [first, ...others] = settings.accounts;
  const stopping = new AbortController();
  const stopped = stopping.signal;
  const random = seededRandom(seed);
  const [trafficRandom, requestsRandom, shiftsRandom] = [fork(random), fork(random), fork(random)];
  // The agents do not depend on the seed, so that a restart does not exchange them.
  let staff = createFloor(seededRandom(staffSeed), 4 * callsPerMinute);
  let rules: TrafficRules = { on: settings.traffic, callsPerMinute, kinds: [], agents: staff.agents.length };
  const shifts = new Map(settings.traffic ? shiftsFor(shiftsRandom, staff.agents, clock.now()) : []);
  const floor = createLiveFloor(staff, settings.traffic ? shifts : undefined);
  let caller = first;
  const callReport = createCallReport({ account: () => caller, staff: () => staff.agents, now: clock.now });
  const newAccount = (one: SimulatedAccount) => {
    const report = createCallReport({ account: () => one, staff: () => [], now: clock.now });
    return servedAccount(one, createLiveFloor(emptyFloor), report, clock.now);
  };
  const accounts = [servedAccount(first, floor, callReport, clock.now), ...others.map(newAccount)];
  // An account that was taken away and comes back has its calls, agents and counted requests again.
  const everServed = new Map(accounts.map((one) => [one.userName.toLowerCase(), one]));

  const recordings = createRecordings(recordingFault, clock.now);
  const outbox = createOutbox({
    callbackUrl: settings.callbackUrl,
    log: onLog,
    report: {
      add(reported, callbacks) {
        recordings.add(reported.call);
        callReport.add(reported, callbacks);
      },
    },
    fault: callbackFault,
    clock,
    stopped,
  });
  const { launch } = outbox;
  const pending = createPendingAnswers(accounts);
  const own = {
    script: (steps: string) => runScript(accounts, steps, clock.now()),
    agents: () => agentsReport(accounts, clock.now()),
    accounts: () => accountsReport(accounts, clock.now()),
  };
  const sendCalls = callsOnRequest({
    random: requestsRandom,
    floor: () => staff,
    account: () => caller,
    ...{ clock, launch },
  });
  const report = () => ({ seed, ...outbox.report(), accounts: own.accounts() });
  const routes = controlRoutes({
    ...own,
    accountNames: () => accounts.map(({ userName }) => userName),
    sendCalls,
    pending,
    report,
    calls: callReport.calls,
    recordings: recordings.served,
    changeReports: (request) => changeReports(accounts, request),
  });
  const known = Object.keys(routes).join(', ');
  const control = routed(routes, jsonAnswer(404, { message: `The simulator has no such path. It has: ${known}.` }));
  const operations = createService({ accounts, pending, fault, clock, stopped });
  const handle: Handle = (request) =>
    operations.isOwn(pathOf(request)) ? operations.handle(request) : control(request);
  const server = await startServer({ number: settings.port, flag: '--provider-port' }, (request, response) =>
    recordings.isHost(request.headers.host)
      ? recordings.respond(request, response)
      : answerRequest(handle, request, response),
  );
  const isServed = (): boolean => accountNamed(accounts, caller.userName) !== undefined;
  const traffic = createTraffic({
    random: trafficRandom,
    account: () => (isServed() ? caller : undefined),
    ...{ floor, rules, clock, stopped, launch },
  });
  const calling = traffic.run();
  const applyRules = (): void => {
    const newcomers = staff.agents.filter(({ id }) => !shifts.has(id));
    for (const [id, shift] of shiftsFor(shiftsRandom, newcomers, clock.now())) shifts.set(id, shift);
    floor.staff(staff.agents.slice(0, rules.agents), rules.on ? shifts : new Map());
    traffic.change(rules);
  };

  let ending: Promise<void> | undefined;
  return {
    ...own,
    url: server.url,
    seed,
    recordings: recordings.served,
    traffic: () => rules,
    setTraffic(changes) {
      rules = { ...rules, ...changes };
      staff = resized(seededRandom(staffSeed), staff, Math.max(rules.agents, staff.agents.length));
      applyRules();
    },
    setAccounts(list) {
      const next = list.map((one) => {
        const known = everServed.get(one.userName.toLowerCase());
        return known === undefined ? newAccount(one) : changedAccount(known, one, clock.now);
      });
      for (const one of next) everServed.set(one.userName.toLowerCase(), one);
      accounts.splice(0, accounts.length, ...next);
      caller = accountNamed(list, caller.userName) ?? caller;
      applyRules();
    },
    stop() {
      stopping.abort();
      ending ??= Promise.all([calling, outbox.untilIdle(), server.close()]).then(() => undefined);
      return ending;
    },
  };
};

const staffSeed = 1;
/** Until somebody changes it. */
const callsPerMinute = 20;
