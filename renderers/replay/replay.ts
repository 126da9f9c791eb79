import type { Host } from '../../src/host.js';
import type { Lang, Study } from '../../src/study/types.js';
import type { Theme } from '../look/palette.js';
import { charactersOf } from './characters.js';
import { loadTemplates, pageHtml, type Templates } from './page.js';
import { loadSubsetter } from './subset.js';
import { toWoff2 } from './woff2.js';

export interface ReplayOptions {
  /** The variant that is shown first. */
  readonly variant: string;
  readonly lang: Lang;
  readonly theme: Theme;
}

export interface ReplayMeans {
  readonly host: Pick<Host, 'readBytes' | 'readText'>;
  /** The bundled fonts, TrueType. */
  readonly fonts: readonly { readonly weight: number; readonly bytes: Uint8Array }[];
  /** What the page is made of; the installed package's own when absent. */
  readonly templates?: Templates;
}

/**
 * replay.html: the stage of every variant in the reader's browser, in one file that asks for nothing. The same study and options give the same bytes.
 * @throws FaultreelError (environment) when a part of the installation is missing.
 */
export const replayHtml = async (study: Study, { variant, lang, theme }: ReplayOptions, { host, fonts, templates: given }: ReplayMeans): Promise<string> => {
  const templates = given ?? (await loadTemplates(host));
  const carried = JSON.stringify(withoutSource(study));
  const subset = await loadSubsetter(host);
  const characters = charactersOf(templates.script, carried);
  return pageHtml({ templates, fonts: fonts.map(({ weight, bytes }) => ({ weight, woff2: toWoff2(subset(bytes, characters)) })), study: carried, title: study.scenario.title[lang], variant, lang, theme });
};

/** All that is drawn; the file itself is not. */
const withoutSource = (study: Study): Study => ({ ...study, scenario: { ...study.scenario, text: '' } });
