// A cache bounded in bytes: what was used longest ago goes first.

type Sized = { bytes: number };

export type Lru<Item extends Sized> = {
  get(key: string): Item | undefined;
  set(key: string, item: Item): void;
  delete(key: string): void;
};

export function createLru<Item extends Sized>(maxBytes: number): Lru<Item> {
  // In the order of their last use.
  const items = new Map<string, Item>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= items.get(key)?.bytes ?? 0;
    items.delete(key);
  }

  return {
    get(key) {
      const item = items.get(key);
      if (item) {
        items.delete(key);
        items.set(key, item);
      }
      return item;
    },
    set(key, item) {
      forget(key);
      if (item.bytes > maxBytes) return;
      items.set(key, item);
      bytes += item.bytes;
      for (const oldest of items.keys()) {
        if (bytes <= maxBytes) return;
        forget(oldest);
      }
    },
    delete: forget,
  };
}
