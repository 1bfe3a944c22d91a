// A gate for requests that come in crowds: one of them goes on in each turn of the event loop, and all others are served between.
import type { onRequestHookHandler } from 'fastify';

/** An onRequest hook; the routes that share it wait for each other. */
export function oneEachTurn(): onRequestHookHandler {
  const waiting: (() => void)[] = [];
  const letFirstPass = () => {
    waiting[0]!();
    waiting.shift();
    if (waiting.length > 0) setImmediate(letFirstPass);
  };
  return (_request, _reply, done) => {
    waiting.push(done);
    if (waiting.length === 1) setImmediate(letFirstPass);
  };
}
