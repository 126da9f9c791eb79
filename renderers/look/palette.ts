/** What every colour is for. Text tokens have at least 5.2:1 on their grounds, fills at least 3:1 on a lane (`off` recedes in light). */
export interface Palette {
  /** Ground of the frame or page. */
  readonly bg: string;
  /** Node. */
  readonly s1: string;
  /** Lane. */
  readonly s2: string;
  /** Empty track. */
  readonly s3: string;
  /** Hairline. */
  readonly line: string;
  /** Stronger rule. */
  readonly line2: string;
  readonly text: string;
  readonly text2: string;
  readonly text3: string;
  readonly good: string;
  readonly goodText: string;
  /** Darker than `good`, so that areas differ in grey. */
  readonly goodArea: string;
  readonly refused: string;
  readonly refusedArea: string;
  readonly refusedText: string;
  readonly failed: string;
  readonly failedText: string;
  /** Ground of a killed lane. */
  readonly failedBg: string;
  /** Glyph on `failed`. */
  readonly onFailed: string;
  readonly ejected: string;
  readonly ejectedText: string;
  readonly boot: string;
  readonly bootText: string;
  readonly off: string;
  readonly offText: string;
  readonly offered: string;
  /** Ribbon before any outcome. */
  readonly trunk: string;
  /** Stripes of estimated bars. */
  readonly hatch: string;
  /** Between the stripes. */
  readonly hatchBg: string;
  /** Over the stage while a card is up. */
  readonly scrim: string;
}

export type Theme = 'dark' | 'light';

const dark: Palette = {
  bg: '#0C1117',
  s1: '#131A22',
  s2: '#1C252F',
  s3: '#2B3743',
  line: '#334150',
  line2: '#566575',
  text: '#F3F6F8',
  text2: '#BCC7D1',
  text3: '#93A1AE',
  good: '#2DBFA3',
  goodText: '#4FD6BC',
  goodArea: '#1B7D6B',
  refused: '#F4B63F',
  refusedArea: '#F4B63F',
  refusedText: '#F7C460',
  failed: '#FF617C',
  failedText: '#FF8095',
  failedBg: '#3A1420',
  onFailed: '#14060A',
  ejected: '#B794FF',
  ejectedText: '#C4A8FF',
  boot: '#5FB0FF',
  bootText: '#86C3FF',
  off: '#6F7E8C',
  offText: '#93A1AE',
  offered: '#DDE5EC',
  trunk: '#5B6B7B',
  hatch: '#AAB8C5',
  hatchBg: '#25303B',
  scrim: '#0C1117',
};

const light: Palette = {
  bg: '#F5F4F0',
  s1: '#FFFFFF',
  s2: '#F4F5F6',
  s3: '#DDE2E6',
  line: '#CBD2D8',
  line2: '#8D99A4',
  text: '#12181E',
  text2: '#3F4B56',
  text3: '#5A6773',
  good: '#0B8A75',
  goodText: '#00705E',
  goodArea: '#2A8B79',
  refused: '#B57300',
  refusedArea: '#F1B83E',
  refusedText: '#7A4F00',
  failed: '#B5153A',
  failedText: '#A81236',
  failedBg: '#FBE3E8',
  onFailed: '#FFFFFF',
  ejected: '#6D45C9',
  ejectedText: '#6038BE',
  boot: '#1F6FCB',
  bootText: '#165CAD',
  off: '#8D99A4',
  offText: '#5A6773',
  offered: '#28323B',
  trunk: '#93A0AC',
  hatch: '#5D6B78',
  hatchBg: '#ECEFF1',
  scrim: '#F5F4F0',
};

/** Ink on white paper; survives black-and-white printing. */
export const print: Palette = {
  bg: '#FFFFFF',
  s1: '#F3F4F5',
  s2: '#F3F4F5',
  s3: '#E2E6E9',
  line: '#C3CAD0',
  line2: '#7D8893',
  text: '#11171C',
  text2: '#3F4A54',
  text3: '#5E6973',
  good: '#0B7E6B',
  goodText: '#006655',
  goodArea: '#4C9C8D',
  refused: '#F3C566',
  refusedArea: '#F3C566',
  refusedText: '#7A5000',
  failed: '#9E1030',
  failedText: '#A01233',
  failedBg: '#FBE3E8',
  onFailed: '#FFFFFF',
  ejected: '#5B36B0',
  ejectedText: '#5B36B0',
  boot: '#1B5FB0',
  bootText: '#1B5FB0',
  off: '#7D8893',
  offText: '#5E6973',
  offered: '#11171C',
  trunk: '#93A0AC',
  hatch: '#3F4A54',
  hatchBg: '#FFFFFF',
  scrim: '#FFFFFF',
};

export const themes: Readonly<Record<Theme, Palette>> = { dark, light };
