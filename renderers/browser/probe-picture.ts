import { fontFamily } from './fonts.js';

/** A picture with what pictures of films have: text of each weight, Latin and Hangul, stripes, a cut, lines, curves, see-through. */
export const probePicture = (width: number, height: number): string => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 960 540" preserveAspectRatio="none" font-family="${fontFamily}" text-rendering="geometricPrecision">
<defs><pattern id="h" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="8" height="8" fill="#1C252F"/><rect width="3" height="8" fill="#BCC7D1"/></pattern><clipPath id="c"><rect x="500" y="40" width="180" height="60" rx="12"/></clipPath></defs>
<rect width="960" height="540" fill="#0C1117"/>
${[400, 500, 600, 700, 800].map((weight, index) => `<text x="40" y="${90 + index * 70}" font-size="44" font-weight="${weight}" fill="#F3F6F8">가A뷁 0123 4/s ${weight}</text>`).join('\n')}
<rect x="500" y="120" width="300" height="40" rx="6" fill="url(#h)" stroke="#AAB8C5" stroke-width="1.5"/>
<g clip-path="url(#c)"><rect x="480" y="20" width="400" height="400" fill="#2DBFA3"/><circle cx="500" cy="60" r="50" fill="#FF617C"/></g>
<path d="M500 220L560 260L600 190L700 300L900 200" fill="none" stroke="#F4B63F" stroke-width="3" stroke-linejoin="round"/>
<path d="M500 320C600 220 700 460 900 330L900 420L500 420Z" fill="#5FB0FF" opacity="0.6"/>
<line x1="40" y1="480" x2="920" y2="480" stroke="#DDE5EC" stroke-width="1.8" stroke-dasharray="10 6"/>
</svg>
`;
