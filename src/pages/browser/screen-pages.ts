// The pages of a big screen: as many rows of one unit as fit, then the next ones, then the next unit.

type ScreenPage = { place: HTMLElement; first: number; last: number };

export type Paging = {
  turn: (by: number) => void;
  /** To be called when rows may have become larger or smaller. */
  measure: () => void;
};

const rowsOf = (place: HTMLElement) => Array.from(place.querySelectorAll<HTMLElement>('tbody tr'));

export function startPaging(main: HTMLElement): Paging {
  const board = main.querySelector<HTMLElement>('.board')!;
  const places = Array.from(board.querySelectorAll<HTMLElement>('[data-live-unit]'));
  const mostRows = Number(main.dataset['rows']);
  const seconds = Number(main.dataset['seconds']);
  const number = main.querySelector<HTMLElement>('[data-pages]')!;
  let pages: ScreenPage[] = [];
  let at = 0;
  let timer: number | undefined;

  /** How many rows of a unit fit below each other, at least one. */
  function fitting(place: HTMLElement): number {
    for (const other of places) other.hidden = other !== place;
    const rows = rowsOf(place);
    for (const row of rows) row.hidden = false;
    const bottom = board.getBoundingClientRect().bottom + 1;
    const beyond = rows.findIndex((row) => row.getBoundingClientRect().bottom > bottom);
    return Math.max(1, Math.min(mostRows, beyond === -1 ? rows.length : beyond));
  }

  function pagesOf(place: HTMLElement): ScreenPage[] {
    const most = fitting(place);
    const count = Math.max(1, rowsOf(place).length);
    // Nearly as many rows on each: none with a single one left over.
    const size = Math.ceil(count / Math.ceil(count / most));
    return Array.from({ length: Math.ceil(count / size) }, (_, index) => ({
      place,
      first: index * size,
      last: (index + 1) * size,
    }));
  }

  function measure() {
    pages = places.flatMap(pagesOf);
    show();
  }

  function show() {
    if (pages.length === 0) return;
    at = ((at % pages.length) + pages.length) % pages.length;
    const page = pages[at]!;
    for (const place of places) {
      place.hidden = place !== page.place;
      rowsOf(place).forEach((row, index) => {
        row.hidden = index < page.first || index >= page.last;
      });
    }
    const text = pages.length > 1 ? `${at + 1}/${pages.length}` : '';
    if (number.textContent !== text) number.textContent = text;
  }

  function turn(by: number) {
    at += by;
    show();
    wait();
  }

  function wait() {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => turn(1), seconds * 1000);
  }

  // Rows come, go and change places with every save.
  new MutationObserver(measure).observe(board, { childList: true, subtree: true });
  window.addEventListener('resize', measure);
  main.classList.add('paged');
  measure();
  wait();
  return { turn, measure };
}
