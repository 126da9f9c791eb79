import { BurstSource } from './bursts.js';
import { ClosedSource } from './closed.js';
import { OpenSource } from './open.js';
import { SocketSource } from './sockets.js';
import type { Source, SourceContext } from './source.js';

/** The source that a traffic describes, scheduled from its start on; nothing is sent at its stop or later. */
export const makeSource = (context: SourceContext): Source => {
  const { source } = context.plan.model;
  switch (source.kind) {
    case 'open':
      return new OpenSource(context, source);
    case 'closed':
      return new ClosedSource(context, source);
    case 'bursts':
      return new BurstSource(context, source);
    case 'sockets':
      return new SocketSource(context, source);
  }
};
