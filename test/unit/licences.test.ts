import { expect, test } from 'vitest';
import { read } from '../helpers/house.ts';

/** What we take: permissive licences, which ask for no more than their notice. */
const TAKEN = new Set([
  'MIT',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'ISC',
  'BlueOak-1.0.0',
  'Unlicense',
]);

/** Tools that no installation of the service contains, and why their licences do no harm. */
const TOOLS_BESIDES: Record<string, string> = {
  lightningcss: 'MPL-2.0: used unchanged by the test runner',
  'axe-core': 'MPL-2.0: used unchanged by tests of the pages',
  argparse: 'Python-2.0: permissive, of a linter',
  dompurify: 'MPL-2.0 or Apache-2.0: taken under the latter',
  decko: 'MIT, by its own page; names none in its package',
  stickyfill: 'MIT, by its own page; names none in its package',
  'url-template': 'BSD, without a number',
};

type Package = { license?: string; dev?: boolean; optional?: boolean };
const PACKAGES = Object.entries(
  (JSON.parse(read('package-lock.json')) as { packages: Record<string, Package> }).packages,
).flatMap(([path, one]) => (path === '' ? [] : [{ name: path.split('node_modules/').at(-1)!, ...one }]));

const isTaken = ({ license }: Package) => license !== undefined && TAKEN.has(license);

test('what the service is installed with has a licence that we take', () => {
  const foreign = PACKAGES.filter(({ dev }) => !dev).filter((one) => !isTaken(one));
  expect(foreign.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
});

test('so have the tools, but for those that are named', () => {
  const foreign = PACKAGES.filter(({ dev }) => dev).filter((one) => !isTaken(one));
  const families = foreign.map(({ name }) => name.replace(/^lightningcss-.*/, 'lightningcss'));
  expect([...new Set(families)].toSorted()).toEqual(Object.keys(TOOLS_BESIDES).toSorted());
});
