// A wish of the reader's, kept on the device.

/** Where storage is refused (a frame of another site, a private window) it lasts as long as the page. */
export function remembered(name: string) {
  const key = `athletics-${name}`;
  let fallback: string | null = null;
  return {
    get(): string | null {
      try {
        return localStorage.getItem(key) ?? fallback;
      } catch {
        return fallback;
      }
    },
    set(value: string) {
      fallback = value;
      try {
        localStorage.setItem(key, value);
      } catch {
        // Kept above.
      }
    },
  };
}
