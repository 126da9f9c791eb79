import { told } from '../../stage/caption-events.js';
import { captionsOf } from '../../stage/captions.js';
import { pageFrames, type PageFrames } from '../../stage/page-frame.js';
import { figuresOf } from '../../stage/panel.js';
import { momentOf, sceneOf } from '../../stage/scene.js';
import type { Drawing } from '../../look/drawing.js';
import { clock, span } from '../../look/numbers.js';
import { print } from '../../look/palette.js';
import { beganAtMs } from '../../../src/study/events.js';
import type { LoggedEvent } from '../../../src/study/types.js';
import { frameWords } from '../../../src/text/report-frames.js';
import { counted, mainTraffic, type ReportContext } from '../context.js';
import { column, styles, type Flow } from '../flow.js';
import { bold, breakLines, clean, markedOnce, markOnly, say, type TextStyle } from '../rich.js';
import { basisOf } from '../moments.js';
import { turningPoints, type TurningPoint } from '../turning-points.js';

/** Smallest type of a picture, pt: so that two stand beside each other. */
export const leastPt = 5.2;
/** Between a picture and the text beside it. */
const gap = 16;
/** Below a row of pictures. */
const below = 12;

/** The stage of the film at the turning points of the run, two beside each other, each over what happened and what it came to in that tick. */
export const frames = (report: ReportContext): void => {
  const { flow, run, study, prose, lang } = report;
  const points = report.remember('turning points', () => turningPoints(run, mainTraffic(report), study.scenario.tickMs));
  if (points.length === 0) return;
  const pictures = report.remember('frames', () => pageFrames(study, run.variant, points.map(({ tick }) => tick), { lang, leastPt }));
  const told = points.map((point, index): Told => {
    const caption = captionOf(report, point);
    return { drawing: pictures.drawings[index], caption, lines: textOf(report, point, caption) };
  });
  const rows = Array.from({ length: Math.ceil(told.length / 2) }, (_, row) => told.slice(2 * row, 2 * row + 2));
  const heightOf = (row: readonly Told[]): number =>
    row.length < 2 ? Math.max(pictures.height, textHeight(row[0].lines, widthBeside(pictures))) : pictures.height + 4 + Math.max(...row.map(({ lines }) => textHeight(lines, halfWidth)));
  flow.h2(`${markOnly('counted')}${frameWords[lang].title}`, '', heightOf(rows[0]) + 30);
  flow.paragraph(prose('frames', 'intro', { one: points.length === 1 }), styles.small);
  flow.space(5);
  for (const row of rows) {
    flow.need(heightOf(row));
    if (row.length === 1) single(flow, row[0], pictures);
    else flow.beside(heightOf(row), row.map((one, index) => () => {
      flow.drawing(one.drawing, altOf(one), column.left + index * (halfWidth + columnGap));
      flow.space(4);
      for (const { markup, style } of one.lines) flow.paragraph(markup, style);
    }));
    flow.space(below);
  }
};

/** Of `Flow.beside`. */
const columnGap = 18;
const halfWidth = (column.width - columnGap) / 2;

interface Told {
  readonly drawing: Drawing;
  readonly caption: Caption;
  readonly lines: readonly TextBlock[];
}
interface TextBlock {
  readonly markup: string;
  readonly style: TextStyle;
}

const altOf = ({ caption: { time, lead, rest } }: Told): string => `${time} ${lead} ${rest}`.trim();

/** Of the text beside a picture that is alone in its row. */
const widthBeside = ({ width }: Pick<PageFrames, 'width'>): number => column.width - width - gap;

/** A picture alone in its row has its text beside it. */
const single = (flow: Flow, one: Told, { width, height }: PageFrames): void => {
  const top = flow.y;
  flow.drawing(one.drawing, altOf(one));
  flow.y = top;
  const box = { x: column.left + width + gap, width: widthBeside({ width }) };
  for (const { markup, style } of one.lines) flow.paragraph(markup, style, 'P', box);
  flow.y = Math.max(flow.y, top + height);
};

const textHeight = (lines: readonly TextBlock[], width: number): number => lines.reduce((sum, { markup, style }) => sum + breakLines(markedOnce(markup), width, style).length * style.lineHeight!, 0);

interface Caption {
  readonly time: string;
  readonly lead: string;
  readonly rest: string;
}

/** In the words of the film: what happened in that tick, or what holds. That an objective is kept again the film has no words for. */
const captionOf = ({ run, study, words, lang, remember }: ReportContext, { kind, tick, events }: TurningPoint): Caption => {
  const scene = sceneOf(study, run.variant);
  if (kind === 'again') return { time: clock(tick * scene.tickMs), lead: words.keptAgain(clean(run.firstToBreak!.objective)), rest: '' };
  const { lead, rest } = events.length > 0 ? told(events, scene, tick, tick, lang) : remember('captions', () => captionsOf(scene, lang))[tick];
  // As everywhere, a saturation is told by its beginning; the picture shows it from when it was noticed.
  const saturated = events.filter(({ kind }) => kind === 'saturated');
  return { time: clock(saturated.length > 0 ? Math.min(...saturated.map(beganAtMs)) : tick * scene.tickMs), lead: clean(lead), rest: clean(rest) };
};

const textOf = ({ run, study, lang }: ReportContext, { kind, tick, events }: TurningPoint, { time, lead, rest }: Caption): TextBlock[] => {
  const { tickMs } = study.scenario;
  const words = frameWords[lang];
  const figures = figuresOf(momentOf(study, run.variant, tick, { lang, theme: 'light' })).map(({ label, now }) => words.figure(counted(now), label)).join(', ');
  const basis = events.length > 0 ? basisOf(events) : 'counted';
  return [
    { markup: `${bold(say(time, basis))} ${bold(words.turn[kind])}`, style: { ...styles.body, size: 9.5, lineHeight: 13 } },
    { markup: [lead, rest].filter(Boolean).map((text, index) => (index === 0 ? bold(marked(text, basis)) : marked(text, basis))).join(' '), style: styles.note },
    { markup: words.inTick(counted(clock(tick * tickMs)), span(tickMs, lang), figures), style: { ...styles.note, fill: print.text3 } },
  ];
};

/** A caption whose sentences with figures carry the mark of what they tell; `#2` is a name. */
const marked = (text: string, basis: LoggedEvent['basis']): string => text.split(/(?<=[.!?]) +/).map((sentence) => (/\d/.test(sentence.replace(/#\d+/g, '')) ? `${markOnly(basis)}${sentence}` : sentence)).join(' ');
