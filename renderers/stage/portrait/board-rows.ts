import { boardOf, type Board } from '../board/place.js';
import type { Frame } from '../frame.js';
import type { Structure } from '../structure.js';

export const boardRows = (structure: Structure, frame: Frame): Board => boardOf(structure, frame);
