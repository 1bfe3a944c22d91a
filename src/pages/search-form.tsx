// The search of a list: one field, answered by the server.
import type { ComponentChildren } from 'preact';
import type { Setting } from './frame/page.ts';

type Props = {
  action: string;
  label: string;
  text: string;
  setting: Setting;
  /** Further fields. */
  children?: ComponentChildren;
};

export const Search = ({ action, label, text, setting: { words }, children }: Props) => (
  <form class="search" role="search" method="get" action={action}>
    <label>
      <span>{label}</span>
      <input type="search" name="q" value={text} maxlength={100} />
    </label>
    {children}
    <button type="submit" data-action="search">
      {words.search}
    </button>
  </form>
);
