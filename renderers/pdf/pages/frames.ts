import { told } from '../../stage/caption-events.js';
import { captionsOf } from '../../stage/captions.js';
import { pageFrames } from '../../stage/page-frame.js';
import { figuresOf } from '../../stage/panel.js';
import { momentOf, sceneOf } from '../../stage/scene.js';
import { clock, span } from '../../look/numbers.js';
import { print } from '../../look/palette.js';
import { beganAtMs } from '../../../src/study/events.js';
import { frameWords } from '../../../src/text/report-frames.js';
import { counted, mainTraffic, type ReportContext } from '../context.js';
import { column, styles } from '../flow.js';
import { bold, clean, say } from '../rich.js';
import { basisOf } from '../moments.js';
import { turningPoints, type TurningPoint } from '../turning-points.js';

/** Smallest type of a picture, pt. */
const leastPt = 5.6;
const gap = 16;

/** The stage of the film at the turning points of the run, each beside what happened and what it came to in that tick. */
export const frames = (report: ReportContext): void => {
  const { flow, run, study, prose, lang } = report;
  const points = report.remember('turning points', () => turningPoints(run, mainTraffic(report), study.scenario.tickMs));
  if (points.length === 0) return;
  const { width, height, drawings } = report.remember('frames', () => pageFrames(study, run.variant, points.map(({ tick }) => tick), { lang, leastPt }));
  flow.h2(frameWords[lang].title, '', height + 30);
  flow.paragraph(prose('frames', 'intro', { one: points.length === 1 }), styles.small);
  flow.space(5);
  points.forEach((point, index) => {
    const caption = captionOf(report, point);
    flow.need(height);
    const top = flow.y;
    flow.figure([{ drawing: drawings[index], x: 0, y: 0 }], { width, height, alt: `${caption.time} ${caption.lead} ${caption.rest}`.trim() });
    flow.y = top;
    beside(report, point, caption, { x: column.left + width + gap, width: column.width - width - gap });
    flow.y = Math.max(flow.y, top + height);
    flow.space(12);
  });
};

interface Caption {
  readonly time: string;
  readonly lead: string;
  readonly rest: string;
}

/** In the words of the film: what happened in that tick, or what holds. */
const captionOf = ({ run, study, lang, remember }: ReportContext, { tick, events }: TurningPoint): Caption => {
  const scene = sceneOf(study, run.variant);
  const { lead, rest } = events.length > 0 ? told(events, scene, tick, tick, lang) : remember('captions', () => captionsOf(scene, lang))[tick];
  // As everywhere, a saturation is told by its beginning; the picture shows it from when it was noticed.
  const saturated = events.filter(({ kind }) => kind === 'saturated');
  return { time: clock(saturated.length > 0 ? Math.min(...saturated.map(beganAtMs)) : tick * scene.tickMs), lead: clean(lead), rest: clean(rest) };
};

const beside = (report: ReportContext, { kind, tick, events }: TurningPoint, { time, lead, rest }: Caption, box: { readonly x: number; readonly width: number }): void => {
  const { flow, run, study, lang } = report;
  const words = frameWords[lang];
  flow.paragraph(`${bold(say(time, events.length > 0 ? basisOf(events) : 'counted'))} ${bold(words.turn[kind])}`, { ...styles.body, size: 9.5, lineHeight: 13 }, 'P', box);
  flow.space(2);
  flow.paragraph(`${bold(lead)} ${rest}`.trim(), styles.note, 'P', box);
  flow.space(4);
  flow.paragraph(words.inTick(clock(tick * study.scenario.tickMs), span(study.scenario.tickMs, lang)), { ...styles.small, fill: print.text3 }, 'P', box);
  for (const { label, now } of figuresOf(momentOf(study, run.variant, tick, { lang, theme: 'light' }))) flow.paragraph(`${counted(now)} ${label}`, styles.note, 'P', box);
};
