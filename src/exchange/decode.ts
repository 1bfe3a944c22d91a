// Text of files in whatever code programs of the stadium write it: UTF-8, UTF-16, Windows-1252. Pure.

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
export type Decoded = { text: string; encoding: TextEncoding };

/** The text, without a byte order mark. Any bytes are a text: what is nothing else is Windows-1252. */
export function decodeText(bytes: Uint8Array): Decoded {
  const encoding = markedAs(bytes) ?? wideAs(bytes);
  if (encoding) return { text: new TextDecoder(encoding).decode(bytes), encoding };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}

function markedAs([first, second, third]: Uint8Array): TextEncoding | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

const LOOKED_AT = 4096;

/** Two bytes a character, of which in European text one is mostly NUL: the second in UTF-16LE. */
function wideAs(bytes: Uint8Array): TextEncoding | undefined {
  const length = Math.min(bytes.length, LOOKED_AT) & ~1;
  const nuls = [0, 0];
  for (let at = 0; at < length; at++) if (bytes[at] === 0) nuls[at % 2]! += 1;
  const [even = 0, odd = 0] = nuls;
  if (odd > length / 4 && even <= odd / 4) return 'utf-16le';
  return even > length / 4 && odd <= even / 4 ? 'utf-16be' : undefined;
}
