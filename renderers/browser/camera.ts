import { exitCodes, FaultreelError } from '../../src/errors.js';
import { CameraUnfit, type Camera, type CameraOptions } from './camera-interface.js';
import { openCanvasCamera } from './canvas-camera.js';
import { loadFonts } from './fonts.js';
import { PageProblem } from './page.js';
import { openScreenshotCamera } from './screenshot-camera.js';
import { shortageOf } from './temporary-folder.js';

export { CameraUnfit, isUnfit, type Camera, type CameraOptions, type PixelFormat } from './camera-interface.js';

/**
 * Opens the camera that serves this machine best: the canvas, if what it shows is what a screenshot shows, else screenshots, with a notice that says why.
 *
 * @throws FaultreelError with exit code 5 when no browser starts, or when the one camera that was asked for cannot be used.
 */
export const openCamera = async (options: CameraOptions): Promise<Camera> => {
  if (options.camera === 'screenshot') return openExactly('screenshot', options);
  try {
    return await openExactly('canvas', options);
  } catch (error) {
    if (!(error instanceof CameraUnfit)) throw error;
    if (options.camera === 'canvas') throw noCanvas(error);
    options.onNotice(byScreenshot(error));
    return openExactly('screenshot', options);
  }
};

/** Opens this camera and no other. Throws CameraUnfit when it does not serve here, FaultreelError with exit code 5 when no browser starts. */
export const openExactly = async (name: Camera['name'], options: CameraOptions): Promise<Camera> => {
  const fonts = await loadFonts(options.host);
  const open = (): Promise<Camera> => (name === 'screenshot' ? openScreenshotCamera(options, fonts) : openCanvasCamera(options, fonts));
  // What the page itself says is the cause, unless it is just that.
  const isTold = (error: unknown): boolean => (error instanceof CameraUnfit || error instanceof PageProblem) && !/no space|quota/i.test(error.message);
  try {
    return await open().catch((error: unknown) => {
      if (error instanceof FaultreelError || options.signal?.aborted || isTold(error)) throw error;
      // A browser that died says nothing about its canvas: another one is asked.
      return open();
    });
  } catch (error) {
    if (error instanceof FaultreelError || options.signal?.aborted) throw error;
    const isKnown = isTold(error);
    const shortage = isKnown ? null : await shortageOf(options.host, options, error);
    if (shortage !== null || name === 'screenshot') throw shortage ?? error;
    throw new CameraUnfit((error instanceof Error ? error.message : String(error)).split('\n')[0], { cause: error });
  }
};

/** The canvas was asked for, and does not even open. */
export const noCanvas = (unfit: Error): FaultreelError =>
  new FaultreelError(exitCodes.environment, { message: `Expected this browser to draw by canvas, found that ${unfit.message}.`, hint: 'Pictures by screenshot look the same and take longer.' }, { cause: unfit });

export const byScreenshot = (unfit: Error): string => `Pictures are taken by screenshot, which takes longer: ${unfit.message}.`;
