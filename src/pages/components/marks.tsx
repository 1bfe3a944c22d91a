// Marks and codes of the sport, each with the words that a screen reader says in its place.
import { CODES, type Code } from '../unit/codes.ts';
import type { UnitWords } from '../locales/unit-words.ts';

/** What a code stands for. */
export function meaningOf(code: Code, words: UnitWords): string {
  if (code === '–') return words.passed;
  return code === 'r' ? words.retired : words[code];
}

/** Marks at a height or of an attempt: `XXO`, `7.15`, `X`. */
export function Marks({ text, words }: { text: string; words: UnitWords }) {
  if (!/^[XO–r]+$/.test(text)) return <>{text}</>;
  const spoken = Array.from(text, (mark) => meaningOf(mark as Code, words)).join(', ');
  return (
    <>
      <span aria-hidden="true">{text}</span>
      <span class="spoken">{spoken}</span>
    </>
  );
}

/** A performance, or the code in its place with its meaning ("DQ R163.3a"). */
export function Performance({ text, words }: { text: string; words: UnitWords }) {
  const [first = '', ...rest] = text.split(' ');
  const code = CODES.find((one) => one === first || (one.length > 1 && one === first.toUpperCase()));
  if (!code) return <>{text}</>;
  return (
    <>
      <abbr title={meaningOf(code, words)}>{code}</abbr>
      {rest.length > 0 && ` ${rest.join(' ')}`}
    </>
  );
}

/** The codes that a page uses, and what they stand for. */
export function Legend({ codes, words }: { codes: Code[]; words: UnitWords }) {
  if (codes.length === 0) return null;
  return (
    <details class="legend">
      <summary>{words.codes}</summary>
      <dl>
        {codes.map((code) => (
          <div key={code}>
            <dt>{code}</dt>
            <dd>{meaningOf(code, words)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
