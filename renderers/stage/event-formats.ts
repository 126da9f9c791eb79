import { splitSubject } from '../../src/study/events.js';
import type { Lang } from '../../src/study/types.js';
import type { EventFormats } from '../../src/text/events.js';
import { bytes, count, span } from '../look/numbers.js';
import type { Scene } from './scene.js';
import { wholePercent } from './whole-percent.js';

/** Names and numbers of the stage: instances of the lanes are `#2`, others carry their service. */
export const eventFormats = ({ structure, layout, study, run }: Scene, lang: Lang): EventFormats => ({
  subject: (subject) => {
    const { service, instance } = splitSubject(subject);
    if (instance === null) return subject;
    if (service === layout.group?.service.name) return `#${instance}`;
    return structure.services.find(({ name }) => name === service)?.instancesMax === 1 ? service : `${service} #${instance}`;
  },
  count,
  share: wholePercent,
  bytes,
  span: (ms) => span(ms, lang),
  averagedOverMs: (service) => {
    const wanted = `services.${service}.autoscale.window`;
    // The inputs are those of the first variant.
    if (run.overrides.some(({ path }) => wanted.startsWith(path))) return null;
    return study.inputs.find(({ path }) => path === wanted)?.value ?? null;
  },
});
