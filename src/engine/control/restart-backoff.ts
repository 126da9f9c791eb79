const secondNs = 1e9;

/** Clean running for this long forgets earlier deaths (kubernetes pod-lifecycle, "container restart policy"). */
export const forgottenAfterNs = 600 * secondNs;

/**
 * What the kubelet's CrashLoopBackOff adds before the restart after the n-th death in a row (1, 2 …), ns: nothing, then 10, 20, 40 … s, at most 300 s.
 * `recovery.after` comes on top: it is how long the start itself takes. Source: kubernetes pod-lifecycle.
 */
export const restartBackoffNs = (deathsInARow: number): number => (deathsInARow <= 1 ? 0 : Math.min(300, 10 << Math.min(deathsInARow - 2, 5)) * secondNs);
