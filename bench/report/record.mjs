// Writes down what a report asks of pdfkit, and asks the same of a bare PDFDocument.
import PDFDocument from 'pdfkit';

/** Runs `write` and returns the outermost calls that it made on its document, in order, those inside of structure content nested. */
export const record = async (write) => {
  const calls = { options: null, ops: [] };
  let [list, depth, ids] = [calls.ops, 0, 0];
  const elements = new Map();
  const known = (value) => (elements.has(value) ? { element: elements.get(value) } : value?.structParent ? { ...value, structParent: known(value.structParent) } : value);
  const noted = (element) => {
    const id = ids++;
    elements.set(element, id);
    const { add, end } = element;
    element.add = (child) => {
      if (depth > 0) return add.call(element, child);
      const op = { element: id, name: 'add', args: [known(child)] };
      list.push(op);
      if (typeof child !== 'function') return quiet(() => add.call(element, child));
      const outer = list;
      op.inside = [];
      return quiet(() => add.call(element, () => {
        [list, depth] = [op.inside, 0];
        child();
        [list, depth] = [outer, 1];
      }));
    };
    element.end = () => {
      if (depth === 0) list.push({ element: id, name: 'end', args: [] });
      return quiet(() => end.call(element));
    };
    return id;
  };
  const quiet = (call) => {
    depth++;
    try {
      return call();
    } finally {
      depth--;
    }
  };
  const original = new Map();
  for (const name of Object.getOwnPropertyNames(PDFDocument.prototype)) {
    const method = Object.getOwnPropertyDescriptor(PDFDocument.prototype, name).value;
    if (name === 'constructor' || name.startsWith('_') || name.startsWith('init') || typeof method !== 'function') continue;
    original.set(name, method);
    PDFDocument.prototype[name] = function (...args) {
      // What the constructor does is done again by the constructor.
      if (depth > 0 || !this._id) return method.apply(this, args);
      calls.options ??= this.options;
      const op = { name, args: args.map(known) };
      if (!['ref', 'write', 'addContent', 'flushPages'].includes(name)) list.push(op);
      const result = quiet(() => method.apply(this, args));
      if (name === 'struct') op.makes = noted(result);
      return result;
    };
  }
  try {
    await write();
  } finally {
    for (const [name, method] of original) PDFDocument.prototype[name] = method;
  }
  return calls;
};

/** The same calls on a document of pdfkit alone. `keepShapes`: each text is shaped once, as the report does. */
export const replay = ({ options, ops }, { keepShapes = false } = {}) =>
  new Promise((resolve, reject) => {
    const pdf = new PDFDocument(options);
    const chunks = [];
    pdf.on('data', (chunk) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
    const made = [];
    const real = (value) => (value?.element !== undefined ? made[value.element] : value?.structParent ? { ...value, structParent: real(value.structParent) } : value);
    const run = (list) => {
      for (const { element, name, args, inside, makes } of list) {
        const target = element === undefined ? pdf : made[element];
        const result = inside ? target.add(() => run(inside)) : target[name](...args.map(real));
        if (makes !== undefined) made[makes] = result;
        if (keepShapes && name === 'font') shapedOnce(pdf._font);
      }
    };
    run(ops);
  });

const shapedOnce = (font) => {
  if (font.kept) return;
  font.kept = new Map();
  const shape = font.layoutRun.bind(font);
  font.layoutRun = (text, features) => {
    if (!font.kept.has(text)) font.kept.set(text, shape(text, features));
    return font.kept.get(text);
  };
};
