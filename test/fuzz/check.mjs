/** What must hold of any text: it is a scenario and can be simulated within bounds, or every mistake is told with its line. */
const bounds = { events: 200_000, calls: 20_000, samples: 3_000_000 };
const set = Object.entries(bounds).map(([name, most]) => ({ path: `bounds.${name}`, value: String(most) }));

const prototypes = [Object.prototype, Array.prototype, Function.prototype, Map.prototype, String.prototype, Number.prototype];
const planted = () => prototypes.map((one) => Reflect.ownKeys(one).map(String).join()).join('|');
const clean = planted();

/** What is wrong, or null. `product`: `parse`, `simulate` and `FaultreelError`. */
export const faultIn = (text, { parse, simulate, FaultreelError }) => {
  const refused = (error, stage) => {
    if (!(error instanceof FaultreelError)) return `${stage}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    if (error.exitCode !== 3) return `${stage}: exit code ${error.exitCode}: ${error.message}`;
    const lost = error.problems.find(({ where, message }) => !where && !/^and [\d,]+ more like these$/.test(message) && !/^strange\.yaml has no/.test(message));
    return lost ? `${stage}: no place: ${lost.message}` : null;
  };
  const outcome = () => {
    let scenario;
    try {
      scenario = parse(text, { file: 'strange.yaml', set });
    } catch (error) {
      return refused(error, 'parse');
    }
    try {
      const study = simulate(scenario);
      for (const run of Object.values(study.runs)) {
        for (const [name, { offered, good, declined, refused: turned, failed, inFlight }] of Object.entries(run.traffic)) {
          const sum = [declined, turned, failed].flatMap((one) => Object.values(one)).reduce((a, b) => a + b, good + inFlight);
          if (sum !== offered) return `law: ${name} offered ${offered}, accounted for ${sum}`;
        }
      }
      return null;
    } catch (error) {
      return refused(error, 'simulate');
    }
  };
  const found = outcome();
  return found ?? (planted() === clean ? null : 'a prototype was changed');
};
