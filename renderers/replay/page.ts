import { createHash } from 'node:crypto';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import Handlebars from 'handlebars';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import { packageFolder, type Host } from '../../src/host.js';
import type { Lang } from '../../src/study/types.js';
import { replayWords } from '../../src/text/replay.js';
import { themes, type Theme } from '../look/palette.js';

/** What a page is made of beside the study. */
export interface Templates {
  readonly page: string;
  readonly style: string;
  /** The player and the stage, one script for the browser. */
  readonly script: string;
}

/**
 * Reads what a page is made of.
 * @throws FaultreelError (environment) when a part of the installation is missing.
 */
export const loadTemplates = async (host: Pick<Host, 'readText'>): Promise<Templates> => {
  const read = (file: string, hint: string): Promise<string> => {
    const at = path.join(packageFolder(), file);
    return host.readText(at).catch((cause: unknown) => {
      throw new FaultreelError(exitCodes.environment, { message: `expected the part ${at} of replay.html, found nothing that can be read`, hint }, { cause });
    });
  };
  const whole = 'Install faultreel again: its templates folder is not whole.';
  const [page, style, script] = await Promise.all([read('templates/replay/page.hbs', whole), read('templates/replay/replay.css', whole), read(scriptFile, 'Build it: npm run build')]);
  return { page, style, script };
};

/** Where the build puts the script, in the package's folder. */
export const scriptFile = 'dist/renderers/replay/player.js';

export interface PageParts {
  readonly templates: Templates;
  readonly fonts: readonly { readonly weight: number; readonly woff2: Uint8Array }[];
  /** The study as JSON. */
  readonly study: string;
  readonly title: string;
  readonly lang: Lang;
  readonly theme: Theme;
  readonly variant: string;
}

/** The page: script and style only as the policy names them, everything else as data. The same parts give the same bytes. */
export const pageHtml = ({ templates, fonts, study, title, lang, theme, variant }: PageParts): string => {
  const style = `${fonts.map(fontFace).join('\n')}\n${Object.entries(themes).map(([name, palette]) => `html[data-theme='${name}'] { ${variables(palette)} }`).join('\n')}\n${templates.style}`;
  const { script } = templates;
  return Handlebars.compile(templates.page)({
    title: replayWords[lang].title(plain(title)),
    lang,
    theme,
    variant,
    style,
    script,
    styleHash: sha256(style),
    scriptHash: sha256(script),
    loading: replayWords[lang].loading,
    noScript: replayWords[lang].noScript,
    study: deflateSync(study, { level: 9 }).toString('base64'),
  });
};

const fontFace = ({ weight, woff2 }: PageParts['fonts'][number]): string => `@font-face { font-family: Pretendard; font-weight: ${weight}; src: url(data:font/woff2;base64,${Buffer.from(woff2).toString('base64')}); }`;

const variables = (palette: (typeof themes)[Theme]): string =>
  Object.entries(palette)
    .map(([name, value]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value};`)
    .join(' ');

const sha256 = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** A title of a window has no direction marks, control characters or line ends. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, ' ');
