/** 3600 → `3,600`; the same on every machine. */
export const grouped = (count: number): string => {
  const [whole = '', fraction] = String(count).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction === undefined ? '' : `.${fraction}`}`;
};
