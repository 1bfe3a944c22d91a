// Work that takes memory, a few pieces at a time.

/** Lets `count` pieces of work run at a time; the others wait in order. */
export function createTurns(count: number) {
  let free = count;
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
