/** How tests run that kill a server and count: what is lost in one run of many is lost, so none of them is tried again. */
export const LOSES_NOTHING = { timeout: 180_000, retry: 0 };
