// The parts of a widget that the page around it may style: marked as they are drawn.

const PARTS: Record<string, string> = {
  table: 'table',
  caption: 'caption',
  'tbody tr, li': 'row',
  'td, th': 'cell',
  '.chip': 'state',
};

/** Marks the parts of what stands in a place, now and later. */
export function keepParts(place: HTMLElement): void {
  const mark = () => {
    for (const [selector, part] of Object.entries(PARTS))
      for (const element of place.querySelectorAll(selector)) element.setAttribute('part', part);
  };
  new MutationObserver(mark).observe(place, { childList: true, subtree: true });
}
