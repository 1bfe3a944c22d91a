// What the README shows to be copied: its blocks of code.
import { read } from './house.ts';

/** The block of that language that holds a text. */
export function readmeBlock(language: 'sh' | 'html' | 'python' | 'typescript', holding: string): string {
  const blocks = Array.from(read('README.md').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm));
  const found = blocks.find(([, name, code]) => name === language && code!.includes(holding));
  if (!found) throw new Error(`The README has no ${language} with ${holding}`);
  return found[2]!;
}
