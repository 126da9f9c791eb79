import { coordinate, type Drawing, type Hatch, type Paint, type Shape } from './drawing.js';

/**
 * A drawing as SVG text: same drawing, same text. Needs the font family `Pretendard` where it is shown.
 * Everything that came from a scenario is escaped. An id says what it defines: it does not change with what else is in the picture.
 */
export const toSvg = (drawing: Drawing): string => {
  const definitions = new Definitions();
  const body = drawing.shapes.map((shape) => shapeSvg(shape, definitions)).join('\n');
  const { width, height } = drawing;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${coordinate(width)}" height="${coordinate(height)}" viewBox="0 0 ${coordinate(width)} ${coordinate(height)}" ` +
    `font-family="Pretendard" font-feature-settings="'tnum' 1, 'kern' 1" text-rendering="geometricPrecision" xml:space="preserve">\n` +
    `<defs>${definitions.text()}</defs>\n${body}\n</svg>\n`
  );
};

/** Text that can stand in SVG and HTML, between tags and in attributes. */
export const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char]).replace(unprintable, '\uFFFD');

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
// Control characters, and those that turn the direction of what follows: not allowed in XML, or used to disguise text.
const unprintable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/g;

class Definitions {
  readonly #idByContent = new Map<string, string>();
  readonly #contentById = new Map<string, string>();

  /** Id of a definition; the same content is defined once. */
  id(prefix: string, content: (id: string) => string): string {
    const key = content('');
    const known = this.#idByContent.get(key);
    if (known !== undefined) return known;
    let id = prefix + hashOf(key).toString(36);
    while (this.#contentById.has(id)) id += '-';
    this.#idByContent.set(key, id);
    this.#contentById.set(id, content(id));
    return id;
  }

  text(): string {
    return [...this.#contentById.keys()].sort().map((id) => this.#contentById.get(id)).join('');
  }
}

/** FNV-1a of 32 bits, by UTF-16 units. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
};

const shapeSvg = (shape: Shape, definitions: Definitions): string => {
  switch (shape.kind) {
    case 'rect':
      return `<rect x="${coordinate(shape.x)}" y="${coordinate(shape.y)}" width="${coordinate(shape.width)}" height="${coordinate(shape.height)}"${shape.radius ? ` rx="${coordinate(shape.radius)}"` : ''}${paintSvg(shape, definitions)}/>`;
    case 'circle':
      return `<circle cx="${coordinate(shape.x)}" cy="${coordinate(shape.y)}" r="${coordinate(shape.r)}"${paintSvg(shape, definitions)}/>`;
    case 'path':
      return `<path d="${shape.d}"${shape.evenOdd ? ' fill-rule="evenodd"' : ''}${paintSvg(shape, definitions)}/>`;
    case 'text':
      return textSvg(shape);
    case 'group':
      return `<g clip-path="url(#${clipId(shape.clip, definitions)})">${shape.shapes.map((inner) => shapeSvg(inner, definitions)).join('')}</g>`;
  }
};

const textSvg = ({ x, y, runs, anchor, rotate }: Extract<Shape, { kind: 'text' }>): string => {
  const [first, ...rest] = runs as readonly [(typeof runs)[number], ...typeof runs];
  const same = rest.every((run) => run.weight === first.weight && run.fill === first.fill && run.size === first.size);
  const content = same
    ? escapeXml(runs.map((run) => run.text).join(''))
    : runs.map((run) => `<tspan font-size="${coordinate(run.size)}" font-weight="${run.weight}" fill="${run.fill}">${escapeXml(run.text)}</tspan>`).join('');
  const style = same ? ` font-size="${coordinate(first.size)}"${first.weight === 400 ? '' : ` font-weight="${first.weight}"`} fill="${first.fill}"` : '';
  const turn = rotate ? ` transform="rotate(${coordinate(rotate)} ${coordinate(x)} ${coordinate(y)})"` : '';
  return `<text x="${coordinate(x)}" y="${coordinate(y)}"${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}${style}${turn}>${content}</text>`;
};

const paintSvg = ({ fill, stroke, strokeWidth, dash, round, opacity }: Paint, definitions: Definitions): string =>
  ` fill="${fill === undefined ? 'none' : typeof fill === 'string' ? fill : `url(#${hatchId(fill, definitions)})`}"` +
  (stroke ? ` stroke="${stroke}" stroke-width="${coordinate(strokeWidth ?? 1.5)}"` : '') +
  (dash ? ` stroke-dasharray="${dash.map(coordinate).join(' ')}"` : '') +
  (round ? ' stroke-linecap="round" stroke-linejoin="round"' : '') +
  (opacity === undefined ? '' : ` opacity="${coordinate(opacity)}"`);

const hatchId = ({ color, ground, period, stripe }: Hatch, definitions: Definitions): string =>
  definitions.id(
    'h',
    (id) =>
      `<pattern id="${id}" width="${coordinate(period)}" height="${coordinate(period)}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
      `${ground ? `<rect width="${coordinate(period)}" height="${coordinate(period)}" fill="${ground}"/>` : ''}<rect width="${coordinate(stripe)}" height="${coordinate(period)}" fill="${color}"/></pattern>`,
  );

const clipId = ({ x, y, width, height, radius }: Extract<Shape, { kind: 'group' }>['clip'], definitions: Definitions): string =>
  definitions.id(
    'c',
    (id) => `<clipPath id="${id}"><rect x="${coordinate(x)}" y="${coordinate(y)}" width="${coordinate(width)}" height="${coordinate(height)}"${radius ? ` rx="${coordinate(radius)}"` : ''}/></clipPath>`,
  );
