// A semaphore: lets a few pieces of work run at a time, because each takes much memory.

/** Lets `permits` pieces of work run at a time; the others wait in order. */
export function createSemaphore(permits: number) {
  let free = permits;
  const queue: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (free === 0) await new Promise<void>((resolve) => queue.push(resolve));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else free += 1;
    }
  };
}
