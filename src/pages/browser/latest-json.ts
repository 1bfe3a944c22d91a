// The newest state of a document: asked for again, and taken when it is there.

type Taker<Document> = {
  take: (document: Document) => void;
  /** Told when there is no such document any more. */
  gone: () => void;
};

/** Rejects when the server cannot answer. */
export async function readLatest<Document>(url: string, { take, gone }: Taker<Document>): Promise<void> {
  const answer = await fetch(url, { cache: 'no-cache' });
  if (answer.ok) take((await answer.json()) as Document);
  else if (answer.status === 404) gone();
  else throw new Error(`status ${answer.status}`);
}

/** The newest state of a page. Rejects unless there is one. */
export async function readPage(url: string): Promise<Document> {
  const answer = await fetch(url, { cache: 'no-cache', headers: { accept: 'text/html' } });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}
