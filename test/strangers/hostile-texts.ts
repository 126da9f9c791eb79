/** Texts that mean something elsewhere, wherever the language has room for a text. */
export const markup = `<script>alert(1)</script><img src=x onerror=alert(2)>`;
const formula = `=HYPERLINK("http://x.test";"a")`;
const marks = '**bold** [a](http://x.test) | `code` <!-- no --> {{title}} ${title}';
const program = ') >> /OpenAction << /S /JavaScript /JS (app.alert(1)) >>';
/** A scenario that is full of them. */
export const text = `faultreel: 1
title: ${JSON.stringify(`${markup} ${marks} ${program}`)}
about: ${JSON.stringify(markup)}
limits: [${JSON.stringify(formula)}, ${JSON.stringify(markup)}, ${JSON.stringify(program)}]
duration: 20s
services:
  api: { title: ${JSON.stringify(markup)}, machine: c6i.large, slots: 1, queue: { limit: 2 }, handlers: { get: [ { cpu: { assumed: 20ms, why: ${JSON.stringify(formula)} } }, { chance: 10%, decline: sold-out } ] } }
traffic:
  users: { title: ${JSON.stringify(formula)}, to: api, send: get, open: { rate: 60/s } }
phases: { all: [0s, 20s] }
objectives: { fast: { of: users, p99: "<= 10ms" } }
claims: { told: { says: ${JSON.stringify(`${markup} ${formula}`)}, from: ${JSON.stringify(marks)}, of: users, p99: "<= 10ms" } }
rehearsal: { stops: { why: { at: 5s, ask: ${JSON.stringify(markup)}, answer: ${JSON.stringify(`--> ${marks}`)} } } }
`;
