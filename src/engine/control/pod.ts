import type { Instance } from '../parts/instance.js';

/** The containers of a pod: the instance and those that stand beside it. Without sidecars, itself alone. */
export const containersOf = (instance: Instance): readonly Instance[] => (instance.sidecars.length === 0 ? [instance] : [instance, ...instance.sidecars]);

export const podOf = (instance: Instance): Instance => instance.pod ?? instance;

/** Nothing is inside any of its containers or on its way there. */
export const isEmpty = (pod: Instance): boolean => containersOf(pod).every((container) => !container.serves || container.isIdle);
