// The Chromium of this machine, where there is one.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PROGRAM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** Said where a browser is needed and there is none; else empty. */
export const CHROMIUM_MISSING = PROGRAM ? '' : 'no Chromium in /usr/bin; apt-get install chromium';

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: PROGRAM!,
    // Containers run it as root, which its sandbox does not allow.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}
