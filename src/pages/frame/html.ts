// The HTML text of a page, and the content security policy that it is sent with.
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { BareFrame } from './bare-frame.tsx';
import { PageFrame } from './page-frame.tsx';
import { type Page, type Setting, titled } from './page.ts';

export function htmlOf(untitled: Page, setting: Setting): string {
  const page = titled(untitled, setting);
  const { bare } = page;
  const drawn = bare
    ? renderToString(h(BareFrame, { page, bare, setting }))
    : renderToString(h(PageFrame, { page, setting }));
  return `<!doctype html>${drawn}`;
}

/** @param push scheme and host of the push server: older Safari does not count WebSockets to 'self' */
export const policyOf = (push: string, ancestors = "'none'"): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${push}`,
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');
