// The followed athletes of a competition, on its page: each with what their own page says of their next start and results.
import { type Followed, readFollowed } from './followed.ts';
import { readPage } from './latest-json.ts';

// Each is a page to be read.
const MOST_SHOWN = 20;
const MOST_RESULTS = 6;
// A page is asked again at each attempt of its competition; so often nobody looks.
const PAUSE_MS = 15_000;

export type FollowedBlock = {
  /** Something changed in the competition. */
  changed: () => void;
};

/** @param block `data-followed` is the path of the competition, `data-prefix` the language in front of it */
export function startFollowedBlock(block: HTMLElement): FollowedBlock {
  const { followed: competition = '', prefix = '' } = block.dataset;
  const list = block.querySelector('ul')!;
  const items = new Map<string, HTMLElement>();
  let reading = false;
  let timer: number | undefined;
  let next = 0;

  const here = () => readFollowed().filter(({ path }) => path.startsWith(`${competition}competitor/`));

  /** Those who are followed stand there at once; what they do is read one after another. */
  async function show(): Promise<void> {
    const shown = here().slice(0, MOST_SHOWN);
    block.hidden = shown.length === 0;
    for (const path of items.keys()) if (!shown.some((one) => one.path === path)) items.delete(path);
    for (const one of shown) if (!items.has(one.path)) items.set(one.path, itemOf(one, prefix));
    const wanted = shown.map(({ path }) => items.get(path)!);
    // What has the focus stays where it is.
    if (wanted.some((item, index) => list.children[index] !== item) || list.children.length > wanted.length)
      list.replaceChildren(...wanted);
    if (reading) return;
    reading = true;
    next = Date.now() + PAUSE_MS;
    for (const { path } of shown) {
      try {
        fill(items.get(path), await readPage(prefix + path));
      } catch {
        // What stood there stays: it is asked for again.
      }
    }
    reading = false;
  }

  const changed = () => {
    timer ??= window.setTimeout(
      () => {
        timer = undefined;
        void show();
      },
      Math.max(0, next - Date.now()),
    );
  };
  // Followed or no longer in another tab, or on the page that the reader comes back from.
  window.addEventListener('storage', () => void show());
  window.addEventListener('pageshow', ({ persisted }) => persisted && void show());
  void show();
  return { changed };
}

function itemOf({ path, name }: Followed, prefix: string): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = prefix + path;
  link.textContent = name;
  item.append(link, document.createElement('ul'));
  return item;
}

/** Takes over what the page of the athlete says. */
function fill(item: HTMLElement | undefined, page: Document): void {
  const list = item?.querySelector('ul');
  if (!list) return;
  const start = page.querySelector('[data-region=next-start] p');
  const results = [...page.querySelectorAll('[data-region=results] [data-result]')].slice(0, MOST_RESULTS);
  const lines = [
    ...(start ? [lineOf('next', page.querySelector('[data-region=next-start] h2'), ' ', start)] : []),
    ...results.map((row) =>
      lineOf(
        'result',
        row.querySelector('th'),
        ' ',
        ...['place', 'performance'].map((cell) => row.querySelector(`[data-cell=${cell}]`)),
      ),
    ),
  ];
  const fresh = document.createElement('ul');
  fresh.append(...lines);
  if (fresh.innerHTML !== list.innerHTML && !list.contains(document.activeElement)) list.replaceWith(fresh);
}

/** A line of what stands in some elements of another page. */
function lineOf(kind: string, ...parts: (Element | string | null)[]): HTMLElement {
  const line = document.createElement('li');
  line.className = kind;
  for (const part of parts) {
    if (typeof part === 'string') line.append(part);
    else if (part && part.textContent !== '') {
      const piece = document.createElement('span');
      if (part instanceof HTMLElement && part.dataset['cell']) piece.dataset['cell'] = part.dataset['cell'];
      piece.append(...part.cloneNode(true).childNodes);
      line.append(piece);
    }
  }
  return line;
}
