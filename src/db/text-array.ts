// Many texts as one parameter, in Postgres's binary form of text[].
const HEADER_BYTES = 20;
const TEXT_OID = 25;
const NULL_LENGTH = -1;

/**
 * The driver writes arrays as literals, in which every quote of a JSON text is escaped: for a large upload that took longer
 * than everything else. In binary form the bytes are copied as they are.
 */
export function textArray(values: (string | null)[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + (value === null ? 0 : Buffer.byteLength(value)), 0);
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + 4 * values.length + bytes);
  const header = [1, values.includes(null) ? 1 : 0, TEXT_OID, values.length, 1];
  let at = 0;
  for (const number of header) at = buffer.writeInt32BE(number, at);
  for (const value of values) {
    const length = value === null ? NULL_LENGTH : buffer.write(value, at + 4);
    buffer.writeInt32BE(length, at);
    at += 4 + Math.max(0, length);
  }
  return buffer;
}
