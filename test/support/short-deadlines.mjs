// Loaded before the program (node --import): deadlines of minutes end after seconds. FAULTREEL_TEST_DEADLINES says which, as "30000:5000,120000:5000".
const shortened = new Map((process.env.FAULTREEL_TEST_DEADLINES ?? '').split(',').map((pair) => pair.split(':').map(Number)));
const realSetTimeout = globalThis.setTimeout;
globalThis.setTimeout = Object.assign((listener, ms, ...rest) => realSetTimeout(listener, shortened.get(ms) ?? ms, ...rest), realSetTimeout);
