/** An element with attributes and children; text is always text, never markup. */
export const element = <K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Readonly<Record<string, string>> = {}, ...children: readonly (Node | string)[]): HTMLElementTagNameMap[K] => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

const svgNamespace = 'http://www.w3.org/2000/svg';

export const svgElement = <K extends keyof SVGElementTagNameMap>(tag: K, attributes: Readonly<Record<string, string | number>> = {}, ...children: readonly Node[]): SVGElementTagNameMap[K] => {
  const made = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
};

const parser = new DOMParser();

/** SVG text as an element: parsed as XML, so nothing in it can run. */
export const pictureOf = (svg: string): SVGSVGElement => document.adoptNode(parser.parseFromString(svg, 'image/svg+xml').documentElement) as unknown as SVGSVGElement;

/** A picture whose ids have a prefix of their own: two pictures in one page must not share patterns. */
export const prefixedPictureOf = (svg: string, prefix: string): SVGSVGElement => {
  const picture = pictureOf(svg);
  for (const one of picture.querySelectorAll('[id]')) one.id = prefix + one.id;
  for (const name of ['fill', 'clip-path'])
    for (const one of picture.querySelectorAll(`[${name}^="url(#"]`)) one.setAttribute(name, one.getAttribute(name)!.replace('url(#', `url(#${prefix}`));
  return picture;
};

/** Sets a text only when it differs: a live region speaks at each change. */
export const setText = (node: Element, text: string): void => {
  if (node.textContent !== text) node.textContent = text;
};
