// Markup written out, for rows by the thousand: JSX makes ten objects of each. What is put into it is escaped. Pure.
import { escaped } from './escaped.ts';

/** Not to be taken for a text, which is escaped. */
export type Markup = { html: string };

/** Markup with values between its parts: texts and attributes, which are escaped, and markup, which stands as it is. */
export function markup(parts: TemplateStringsArray, ...values: (string | Markup)[]): Markup {
  let html = parts[0]!;
  for (const [index, value] of values.entries()) {
    html += (typeof value === 'string' ? escaped(value) : value.html) + parts[index + 1]!;
  }
  return { html };
}
