import { svgElement } from './dom.js';

/** Signs of buttons, as paths in a box of 24 units. */
const paths = {
  play: 'M6 4L20 12L6 20Z',
  pause: 'M5 4H10V20H5ZM14 4H19V20H14Z',
  back: 'M15 5L7 12L15 19Z',
  forward: 'M9 5L17 12L9 19Z',
  previousEvent: 'M4 5H7V19H4ZM20 5L9 12L20 19Z',
  nextEvent: 'M17 5H20V19H17ZM4 5L15 12L4 19Z',
  start: 'M3 5H5.5V19H3ZM13 5L6 12L13 19ZM21 5L14 12L21 19Z',
  end: 'M18.5 5H21V19H18.5ZM3 5L10 12L3 19ZM11 5L18 12L11 19Z',
  theme: 'M12 3A9 9 0 1 0 12 21ZM12 3A9 9 0 0 1 12 21L12 19.2A7.2 7.2 0 0 0 12 4.8Z',
  close: 'M5 6.4L6.4 5L12 10.6L17.6 5L19 6.4L13.4 12L19 17.6L17.6 19L12 13.4L6.4 19L5 17.6L10.6 12Z',
  aside: 'M3 4H21V20H3ZM5 6V18H14V6ZM16 8V9.6H19.5V8ZM16 11.2V12.8H19.5V11.2ZM16 14.4V16H19.5V14.4Z',
  fullScreen: 'M3 3H10V5.5H5.5V10H3ZM14 3H21V10H18.5V5.5H14ZM3 14H5.5V18.5H10V21H3ZM18.5 14H21V21H14V18.5H18.5Z',
} as const;
export type Icon = keyof typeof paths;

export const icon = (name: Icon): SVGSVGElement => svgElement('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, svgElement('path', { d: paths[name], 'fill-rule': 'evenodd' }));

export const setIcon = (button: Element, name: Icon): void => {
  if (button.getAttribute('data-icon') === name) return;
  button.setAttribute('data-icon', name);
  button.replaceChildren(icon(name));
};
