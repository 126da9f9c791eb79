// What the five reference systems must be able to show, line by line, and which run answers: claims of the shipped scenarios, and figures that a claim cannot name.

/** A claim of a scenario file. */
const claim = (file, name) => ({ file, claim: name });
const claims = (file, ...names) => names.map((name) => claim(file, name));
/** All claims of a file whose name matches, in one row: how many hold, and how far the worst of them is from what was expected. */
const every = (file, matching) => ({ file, matching });
/**
 * A figure that is read from a run: what it is, what was published, and `of(run, study)`, which returns what comes out, and whether that is as published;
 * `held: null` where nothing was published, or the run was fitted to it.
 */
const figure = (file, variant, says, published, of) => ({ file, variant, says, published, of });

const count = (number) => new Intl.NumberFormat('en-US').format(number);
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const bad = ({ refused, failed }) => sum(Object.values(refused)) + sum(Object.values(failed));
const events = (run, kind, service) => run.eventLog.filter((event) => event.kind === kind && event.subject.startsWith(service));

const orderApi = {
  title: '1. Partial OOM and autoscaling around a slot simulator',
  about: 'A small published tool that put CPU contention, partial OOM, an autoscaler and health checks around a discrete-event simulator. All of its values were assumed, so are these.',
  lines: [
    { says: 'CPU contention: the ceiling is cores ÷ CPU time of a request, within 0.5 %, for 1, 2 and 4 cores, 25, 50 and 100 % CPU, 5, 60 and 500 ms; in-flight work beyond the cores stretches the answers', answers: [every('cpu-ceiling', /-on-/), ...claims('cpu-ceiling', 'stretched', 'half-as-stretched')] },
    { says: 'Two kinds of work on one machine share its cores; several services share one pool', answers: claims('two-kinds-of-work', 'both-wait', 'one-pool', 'fair-shares', 'still-one-pool', 'not-shared') },
    {
      says: 'Three machines, one OOM-killed: two thirds are left; what ran or queued there fails at that instant; the balancer goes on sending until its checks notice',
      answers: [
        ...claims('one-of-three', 'all-three', 'two-thirds', 'one-kill', 'death-before-notice', 'still-sent-to', 'then-not'),
        figure('one-of-three', 'killed', 'Running and queued requests of the killed one, at that instant', 'all fail', (run) => {
          const [{ data }] = events(run, 'oom', 'api');
          return { ours: `${data.running} running + ${data.queued} queued = ${data.lost} failed`, held: data.lost === data.running + data.queued && data.lost > 0 };
        }),
      ],
    },
    { says: 'The black hole: without health checks, looking for the fewest open requests sends the dead one more than its share', answers: claims('black-hole', 'every-third', 'black-hole', 'checks-end-it') },
    {
      says: 'Recovery on the same machine by restart or reboot, or on a new one; caches are cold afterwards and a slow warm-up follows',
      answers: [
        ...claims('recovery', 'restart-comes-back', 'reboot-comes-back', 'replacement-comes-back', 'cold-after-restart', 'cold-after-reboot', 'cold-after-replacement', 'warm-again'),
        ...['restart', 'reboot', 'replace'].map((variant) => figure('recovery', variant, 'Time away, requests lost', '', (run) => ({ ours: `${events(run, 'back', 'api')[0].data.downMs / 1000} s, ${count(bad(run.traffic.users))} lost`, held: null }))),
      ],
    },
    {
      says: 'Autoscaler: follows average CPU, cools down, observes before it scales in, drains; never counts on a dead machine nor wakes one',
      answers: [
        ...claims('autoscaler', 'out-before-in', 'drained', 'not-revived'),
        figure('autoscaler', 'nobody-crashes', 'First scale-in, after a load that falls from 15m to 17m', 'observed for five minutes', (run) => {
          const [{ tMs }] = events(run, 'scale-in', 'api');
          return { ours: `${tMs / 60_000} min`, held: tMs >= 20 * 60_000 };
        }),
        figure('autoscaler', 'one-crashes', 'Answers of the dead one after its crash', 'none', (run) => {
          const [first] = run.ticks.services.api.instances;
          const served = typeof first.good === 'number' ? 0 : sum(first.good.slice(331).map((cell) => cell ?? 0));
          return { ours: `${served} answers`, held: served === 0 };
        }),
      ],
    },
    { says: 'A spike: scaling is late, probes wait behind requests, ejections make the rest overload: a cascade. On a dedicated path only the overflow is refused and every machine stays', answers: claims('order-api-spike', 'cascade', 'order-of-events', 'no-cascade') },
    { says: 'Fail-open while nobody is healthy: failures down by a factor above 4, about a seventh more successes over 40 s', answers: claims('fail-open', 'everybody-out', 'fewer-failures', 'more-successes') },
    {
      says: 'Billed instance-seconds × price: what surviving the event costs',
      answers: [figure('order-api-spike', 'as-it-is', 'Seconds billed, those beyond the two machines of the start, and what it costs', '', (run) => {
        const { billedS, extraS, amount } = run.cost.services['order-api'];
        return { ours: `${count(Math.round(billedS))} s billed, ${count(Math.round(extraS))} s beyond the first two; ${amount.toFixed(4)} USD`, held: null };
      })],
    },
  ],
};

const firstVersion = {
  title: '2. Growth load on a first version',
  about: 'The design of a load test, published without results: questions, each answered here by a run.',
  lines: [
    {
      says: 'Stairs of 46, 91, 180 and 226 a second: the first that breaks, and what is full there; rates need not be whole',
      answers: [
        ...claims('growth-stairs', 'first-two-hold', 'third-breaks', 'database-first', 'half-a-request'),
        figure('growth-stairs', 'as-designed', 'The first to break', 'asked, no result', ({ firstToBreak: first }) => ({ ours: `${first.objective} in ${first.phase}: ${first.resource ? `${first.resource.service} ${first.resource.what}` : 'nothing saturated'}`, held: first.phase === 'reads-180' && first.resource?.service === 'mysql' && first.resource.what === 'cpu' })),
      ],
    },
    {
      says: 'A step that the generator could not make says nothing about the server, and the report says so',
      answers: [
        claim('growth-stairs', 'generator-drops'),
        figure('growth-stairs', 'small-generator', 'Steps of which the study says that they tell nothing', 'asked, no result', (run, { verdicts }) => {
          const blind = [...new Set(verdicts.filter(({ variant, blind: isBlind }) => variant === run.variant && isBlind).map(({ phase }) => phase))];
          const warned = run.warnings.filter(({ kind }) => kind === 'dropped').map(({ phase }) => phase);
          return { ours: blind.join(', ') || 'none', held: blind.includes('reads-180') && blind.every((phase) => warned.includes(phase)) };
        }),
      ],
    },
    { says: 'Good, bad, and a valid "no" that counts as neither; "busy" is bad; latency is judged over good and bad alone', answers: [claim('hot-row', 'busy'), claim('journeys', 'not-in-reliability'), figure('hot-row', 'impatient', 'How the hundred end', '', (run) => {
      const { good, declined, failed } = run.phases.hundred.traffic.joins;
      const spelled = Object.entries({ ...declined, ...failed }).map(([reason, number]) => `${number} ${reason}`);
      return { ours: [`${good} good`, ...spelled].join(', '), held: null };
    })] },
    { says: 'A hot row: of 20, 50, 100 at once nine get in; those who were declined had waited for the lock with a connection in hand; spread over rows as the control', answers: claims('hot-row', 'eleven-of-twenty', 'forty-one-of-fifty', 'ninety-one-of-hundred', 'waiting-for-the-lock', 'and-for-the-pool', 'spread-out', 'less-waiting') },
    { says: 'A control window of reads, a ramp that is not judged, the same reads beside an event', answers: claims('control-and-treatment', 'reads-survive', 'reads-slower', 'chance-alone') },
    { says: 'Journeys: complete only when every step is good; declined tries another, up to three; without any left it is in the funnel and not in the reliability', answers: claims('journeys', 'another-one', 'one-try-is-worse', 'in-the-funnel', 'every-step') },
    { says: 'Chat: idle sockets hold heap, no connection; subscribing costs a query, a message one connection and five queries, then it fans out to four', answers: [...claims('chat-rooms', 'heap', 'no-slots', 'no-database', 'joining-costs', 'five-queries', 'too-many-sockets'), figure('chat-rooms', 'chatting', 'Deliveries', 'four a message', (run) => {
      const { good, deliveries } = run.traffic.chat;
      return { ours: `${count(deliveries.made)} deliveries of ${count(good)} messages and subscriptions`, held: deliveries.made > 3 * (good - 1300) };
    })] },
    { says: 'What the run does not prove is said: second-version paths, several nodes, autoscaling', answers: ['growth-stairs', 'hot-row', 'control-and-treatment', 'journeys', 'chat-rooms'].map((file) => figure(file, null, 'What it does not prove is among its limits', 'said', (_, { scenario }) => ({ ours: `${scenario.limits.length} limits`, held: scenario.limits.some(({ en }) => en.includes('second version')) }))) },
  ],
};

const podLatency = {
  title: "3. Latency injected into one service's pods",
  about: 'A published chaos experiment: forty closed users, ten Redis round trips a request and one in the health check.',
  lines: [
    {
      says: '+250 ms: 15 to 17 a second, steady; median 2.7 s, p99 about 5 s; no failures; CPU falls; pods stay healthy; Little holds',
      answers: [
        ...claims('injected-latency', 'slowed', 'slowed-median', 'slowed-tail', 'nothing-fails', 'stays-healthy', 'little-cpu', 'little-cpu-direction'),
        figure('injected-latency', 'plus-250ms', 'Rate × (mean + think)', '40 users', (run) => {
          const { goodPerS, latencyMs } = run.phases.delayed.traffic.locust;
          const users = goodPerS * ((latencyMs.mean + 2) / 1000);
          return { ours: `${goodPerS.toFixed(2)}/s × ${((latencyMs.mean + 2) / 1000).toFixed(3)} s = ${users.toFixed(1)}`, held: Math.abs(users / 40 - 1) < 0.02 };
        }),
      ],
    },
    {
      says: '+500 ms: health checks fail, the gateway refuses at once; closed users ask faster, and their rate swings between fast refusals and a few very slow answers while the service is quiet',
      answers: [
        ...claims('injected-latency', 'gateway-refuses', 'refused-at-once', 'few-very-slow', 'service-quiet'),
        figure('injected-latency', 'plus-500ms', 'Asked per second: at rest, then in the quietest and the busiest second while delayed', 'swings wildly, faster than at rest', (run) => {
          const asked = run.ticks.traffic.locust.offered;
          const delayed = asked.slice(120, 295).map((cell) => cell ?? 0);
          const rest = run.phases.rest.traffic.locust.offered / 70;
          return { ours: `${rest.toFixed(0)}; ${Math.min(...delayed)} and ${count(Math.max(...delayed))}`, held: Math.max(...delayed) > 2 * rest && Math.min(...delayed) < rest / 5 };
        }),
      ],
    },
    { says: 'A consequence, not a cause: subscribers cannot check out, others can, slowly; making the check optional is the fix', answers: claims('injected-latency', 'subscribers-stuck', 'guests-buy', 'optional-check') },
    { says: 'An external API blocked: only the withdrawal fails, all of it; everything else and all stored data stay right', answers: claims('blocked-partner', 'withdraw-only', 'rest-unhurt', 'not-slower', 'account-kept', 'account-gone') },
  ],
};

const pushed = (variant, published, holds) => figure('push-own-process', variant, 'Deliveries that arrive', published, (run) => {
  const { made, missed } = run.traffic.people.deliveries;
  return { ours: `${count(made)} arrived, ${count(missed)} did not (${((100 * missed) / (made + missed)).toFixed(1)} %)`, held: holds(missed / (made + missed)) };
});

/** Rate and cores in use in the step of 400 users. */
const ofBox = (run) => {
  const { fromMs, toMs, traffic } = run.phases['readers-400'];
  const cores = ({ cpuCores }) => (sum(cpuCores.mean.slice(fromMs / 1000, toMs / 1000)) / ((toMs - fromMs) / 1000)).toFixed(2);
  const parts = Object.entries(run.ticks.services).map(([name, { instances }]) => `${name} ${instances.map(cores).join(' and ')}`);
  return { ours: `${traffic.readers.goodPerS.toFixed(0)}/s; ${parts.join(', ')}`, held: null };
};

const oneBox = {
  title: '4. One box, one API process or two',
  about: 'A published load test of a box with two cores (t4g.small): Caddy, one or two Node processes, MySQL; closed users who think 50 ms. What is measured there are CPU shares; the ceiling of one process is what the values are fitted to.',
  lines: [
    { says: 'One process: about 620 a second. Two: about 640, with the whole box in use', answers: [figure('one-process-or-two', 'one-process', 'Ceiling of one process at 400 users, CPU of the API', 'about 620/s, one core (fitted, no claim)', ofBox), ...claims('one-process-or-two', 'two-ceiling', 'same-throughput', 'api-cpu'), figure('one-process-or-two', 'two-processes', 'Cores by part at 400 users', 'API 0.50 to 0.65 and 0.45 to 0.60, Caddy 0.35 to 0.50, MySQL 0.25 to 0.40', ofBox), claim('one-process-or-two', 'box-is-next')] },
    { says: '100 users: p95 0.46 s with one; 621 a second and 227 ms with two. 400 users: 3.1 s with one; 651 a second and 953 ms with two, nothing failed', answers: claims('one-process-or-two', 'two-at-100', 'two-tail-at-100', 'two-tail-at-400', 'nothing-failed', 'one-tail-at-100', 'one-tail-at-400') },
    { says: 'State in one process is wrong with two: the rate limit doubles, a lock locks half, a cron runs twice, a push misses half', answers: [...claims('state-in-one-process', 'limit', 'limit-doubles', 'limit-shared', 'one-payout-at-a-time', 'two-payouts-at-once', 'lock-shared', 'cron-twice', 'cron-still-twice'), claim('push-own-process', 'nobody-complains'), pushed('one-process', 'all of them', (share) => share === 0), pushed('two-processes', 'half of them', (share) => Math.abs(share - 0.5) < 0.03), pushed('two-with-a-channel', 'all of them', (share) => share === 0)] },
    { says: 'Blue/green: both new ones must answer before traffic moves; when one fails, the old pair goes on', answers: claims('blue-green', 'taken-over', 'nothing-lost-either', 'rolled-back', 'nothing-lost-then') },
  ],
};

const evenness = (variant) => figure('reuse-and-balance', variant, 'Requests of each of four pods', 'not unbalanced', (run) => {
  const share = run.ticks.links['gateway.app'].targets.map(({ sent }) => sum(sent.slice(50, 90).map((cell) => cell ?? 0)));
  const spread = Math.max(...share) / Math.min(...share) - 1;
  return { ours: `${share.map(count).join(', ')} requests in 40 s (${(100 * spread).toFixed(1)} % apart)`, held: spread < 0.05 };
});

const mesh = {
  title: '5. A mesh that closes every connection',
  about: 'A published load test: load box, gateway, pods of app and sidecar; a static page as the control for the app.',
  lines: [
    {
      says: 'Control: near 5,000 a second. One request a connection: about 850, 84 % refused by the pool, sidecar at 953m, app at 78m. Rule lifted: 4,559',
      answers: [
        figure('connection-churn', 'no-rule', 'Rate without the rule', 'near 5,000/s (fitted, no claim)', (run) => ({ ours: `${run.phases.steady.traffic.load.goodPerS.toFixed(0)}/s`, held: null })),
        figure('connection-churn', 'one-request-a-connection', 'Rate, CPU of sidecar and app with it', '850/s, 0.953 and 0.078 cores (fitted, no claim)', (run) => ({ ours: `${run.phases.steady.traffic.load.goodPerS.toFixed(0)}/s, ${run.services.sidecar.cpuCores.mean.toFixed(3)} and ${run.services.app.cpuCores.mean.toFixed(3)} cores`, held: null })),
        ...claims('connection-churn', 'refused', 'by-the-pool', 'lifted', 'nothing-refused', 'five-times'),
      ],
    },
    { says: 'More sidecar CPU does not move the ceiling, reuse does; the two explanations side by side', answers: claims('connection-churn', 'not-the-cpu', 'same-rate', 'but-then') },
    { says: 'The least-loaded pod is picked for each request, reuse is of connections: reuse does not unbalance; warm-up weights protect new pods', answers: [claim('reuse-and-balance', 'as-even'), evenness('reuse'), evenness('one-request-a-connection'), ...claims('reuse-and-balance', 'closing-does-not-help', 'weights-help', 'weights-help-round-robin')] },
    { says: 'A health-check rate is no operating limit: the real screen is two orders of magnitude lower; run at about half of the limit', answers: claims('screen-api', 'health-page', 'screen', 'database', 'half', 'nine-tenths') },
    { says: 'Autoscaling on CPU that includes the sidecar scales for the wrong reason', answers: claims('sidecar-autoscaling', 'scales', 'for-nothing', 'app-alone', 'reuse-too') },
  ],
};

/** By the folder of `scenarios/` that holds their files; the spike stands in `scenarios/` itself. */
export const systems = { 'order-api': orderApi, 'first-version': firstVersion, 'pod-latency': podLatency, 'one-box': oneBox, mesh };
