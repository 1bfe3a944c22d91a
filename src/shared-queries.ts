// One query for many readers. Who asks while it runs waits for the next one: no answer is older than its question.

type Waiting<Answer> = {
  key: string;
  resolve: (answer: Answer | undefined) => void;
  reject: (error: unknown) => void;
};

/** Asks for many keys at once on behalf of all who ask for one. A key without an answer is answered with undefined. */
export function shareQueries<Answer>(
  ask: (keys: string[]) => Promise<ReadonlyMap<string, Answer>>,
): (key: string) => Promise<Answer | undefined> {
  let waiting: Waiting<Answer>[] = [];
  let running = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const asking = waiting;
      waiting = [];
      try {
        const answers = await ask([...new Set(asking.map(({ key }) => key))]);
        for (const { key, resolve } of asking) resolve(answers.get(key));
      } catch (error) {
        for (const { reject } of asking) reject(error);
      }
    }
    running = false;
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (running) return;
      running = true;
      // After this turn of the event loop: requests that came in together share the first query too.
      setImmediate(() => void run());
    });
}
