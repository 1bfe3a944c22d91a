// Light or dark: what the device prefers, until the reader chooses.
import { remembered } from './remembered.ts';

export function startTheme(): void {
  const wish = remembered('theme');
  const root = document.documentElement;
  // Chosen by the address.
  if (root.dataset['theme'] !== undefined) return;
  const chosen = wish.get();
  if (chosen === 'light' || chosen === 'dark') root.dataset['theme'] = chosen;
  const button = document.querySelector<HTMLButtonElement>('[data-action=theme]');
  if (!button) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    const dark = (root.dataset['theme'] ?? preferred()) === 'dark';
    root.dataset['theme'] = dark ? 'light' : 'dark';
    wish.set(root.dataset['theme']);
  });
}

const preferred = () => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
