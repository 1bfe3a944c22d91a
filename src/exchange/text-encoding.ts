// Encodings of exchanged files: bytes of whatever program to text, and text to the bytes that a program asks for. Pure.
import { isUtf8 } from 'node:buffer';

/** The encodings that files are written in. */
export const FILE_ENCODINGS = ['utf8', 'utf16le', 'cp1252'] as const;
export type FileEncoding = (typeof FILE_ENCODINGS)[number];

// What Windows-1252 has in place of the control characters of Latin-1; U+FFFD where it has nothing. Written out: some releases of
// Node decode it as Latin-1.
const FROM_0X80 = '€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ';
const BYTES = new Map(Array.from(FROM_0X80, (character, index) => [character, 0x80 + index]));
BYTES.delete('\uFFFD');

export type FoundEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
export type Decoded = { text: string; encoding: FoundEncoding };

/** The text of a file: by its byte order mark, then by its zeros, then UTF-8 if it can be that, else Windows-1252. */
export function decodeText(bytes: Uint8Array): Decoded {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(file, 0xef, 0xbb, 0xbf)) return eightBits(file.subarray(3));
  if (startsWith(file, 0xff, 0xfe)) return littleEndian(file.subarray(2));
  if (startsWith(file, 0xfe, 0xff)) return bigEndian(file.subarray(2));
  const order = byteOrderOf(file);
  if (order === null) return eightBits(file);
  return order === 'little' ? littleEndian(file) : bigEndian(file);
}

const startsWith = (file: Buffer, ...mark: number[]) => mark.every((byte, at) => file[at] === byte);

const eightBits = (file: Buffer): Decoded =>
  isUtf8(file)
    ? { text: file.toString('utf8'), encoding: 'utf-8' }
    : { text: fromWindows(file), encoding: 'windows-1252' };

const fromWindows = (file: Buffer) =>
  file.toString('latin1').replace(/[\x80-\x9f]/g, (character) => FROM_0X80[character.charCodeAt(0) - 0x80]!);

const whole = (file: Buffer) => file.subarray(0, file.length - (file.length % 2));
// A lone surrogate cannot be stored.
const wide = (file: Buffer) => whole(file).toString('utf16le').toWellFormed();
const littleEndian = (file: Buffer): Decoded => ({ text: wide(file), encoding: 'utf-16le' });
const bigEndian = (file: Buffer): Decoded => ({
  text: wide(Buffer.from(whole(file)).swap16()),
  encoding: 'utf-16be',
});

const SAMPLE = 4096;

// Of UTF-16 text in western scripts nearly every second byte is zero, always the first or always the second of two.
function byteOrderOf(file: Buffer): 'little' | 'big' | null {
  const pairs = Math.floor(Math.min(file.length, SAMPLE) / 2);
  let [first, second] = [0, 0];
  for (let at = 0; at < 2 * pairs; at += 2) {
    if (file[at] === 0) first++;
    if (file[at + 1] === 0) second++;
  }
  if (second > pairs / 2 && first < pairs / 10) return 'little';
  return first > pairs / 2 && second < pairs / 10 ? 'big' : null;
}

/** The bytes of a text. UTF-16 begins with its mark; what Windows-1252 does not have loses its accent, or becomes `?`. */
export function encodeText(text: string, encoding: FileEncoding): Buffer {
  if (encoding === 'utf8') return Buffer.from(text, 'utf8');
  if (encoding === 'utf16le') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  return Buffer.from(Array.from(text, byteOf));
}

function byteOf(character: string): number {
  const known = windowsByte(character) ?? windowsByte(character.normalize('NFD')[0]!);
  return known ?? 0x3f;
}

function windowsByte(character: string): number | undefined {
  const code = character.codePointAt(0)!;
  return code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : BYTES.get(character);
}
