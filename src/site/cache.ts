// A cache of documents, up to a number of bytes. Each is built once per version, whoever asks.
import { createLru } from '../lru.ts';

export type Built<Document> = { document: Document; version: string; bytes: number };
/** `begun` says when the build began, counted in builds. */
type Entry<Document> = { built: Built<Document> | null; begun: number };
type Build<Document> = () => Promise<Built<Document> | null>;

export type DocumentCache<Document> = {
  /** The document when it is at hand in this version. */
  known(key: string, version: string): Document | undefined;
  /**
   * The document in this version, or in a later one; null when there is none.
   * @param build reads it from a snapshot taken when it is called, and says which version that was
   */
  get(key: string, version: string, build: Build<Document>): Promise<Document | null>;
};

export function createCache<Document>(maxBytes: number): DocumentCache<Document> {
  const documents = createLru<Built<Document>>(maxBytes);
  const running = new Map<string, Promise<Entry<Document>>>();
  let builds = 0;

  async function start(key: string, build: Build<Document>): Promise<Entry<Document>> {
    const begun = ++builds;
    try {
      const built = await build();
      if (built) documents.set(key, built);
      else documents.delete(key);
      return { built, begun };
    } finally {
      running.delete(key);
    }
  }

  function known(key: string, version: string): Document | undefined {
    const found = documents.get(key);
    return found?.version === version ? found.document : undefined;
  }

  return {
    known,
    async get(key, version, build) {
      const asked = builds;
      for (;;) {
        const found = known(key, version);
        if (found !== undefined) return found;
        const building = running.get(key) ?? start(key, build);
        running.set(key, building);
        const { built, begun } = await building;
        // One that had begun before this reader asked may lack what the reader has to see.
        if (built?.version === version || begun > asked) return built?.document ?? null;
      }
    },
  };
}
