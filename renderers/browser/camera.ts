import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Camera, CameraOptions } from './camera-interface.js';
import { openCanvasCamera } from './canvas-camera.js';
import { loadFonts } from './fonts.js';
import { openScreenshotCamera } from './screenshot-camera.js';

export { CameraUnfit, type Camera, type CameraOptions, type PixelFormat } from './camera-interface.js';

/**
 * Opens the camera that serves this machine best: the canvas, if what it shows is what a screenshot shows, else screenshots, with a notice that says why.
 *
 * @throws FaultreelError with exit code 5 when no browser starts, or when the one camera that was asked for cannot be used.
 */
export const openCamera = async (options: CameraOptions): Promise<Camera> => {
  const fonts = await loadFonts(options.host);
  if (options.camera === 'screenshot') return openScreenshotCamera(options, fonts);
  try {
    return await openCanvasCamera(options, fonts);
  } catch (error) {
    if (error instanceof FaultreelError || options.signal?.aborted) throw error;
    const reason = (error instanceof Error ? error.message : String(error)).split('\n')[0];
    if (options.camera === 'canvas') throw new FaultreelError(exitCodes.environment, { message: `Expected this browser to draw by canvas, found that ${reason}.`, hint: 'Pictures by screenshot look the same and take longer.' }, { cause: error });
    options.onNotice(`Pictures are taken by screenshot, which takes longer: ${reason}.`);
    return openScreenshotCamera(options, fonts);
  }
};
