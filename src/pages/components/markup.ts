// Markup written out, for rows by the thousand: JSX makes ten objects of each. What is put into it is escaped. Pure.
import { escaped } from './escaped.ts';

/** Nothing that was sent can be one of these: all else is escaped. */
export class Markup {
  readonly html: string;
  constructor(html: string) {
    this.html = html;
  }
}

/** Markup with values between its parts: texts and attributes, which are escaped, and markup, which stands as it is. */
export function markup(parts: TemplateStringsArray, ...values: (string | Markup)[]): Markup {
  let html = parts[0]!;
  for (const [index, value] of values.entries()) {
    html += (value instanceof Markup ? value.html : escaped(value)) + parts[index + 1]!;
  }
  return new Markup(html);
}
