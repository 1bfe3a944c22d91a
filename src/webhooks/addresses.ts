// Addresses that webhooks may call: those of the internet, and where it is allowed those of private networks. By the registries of
// special addresses that IANA keeps.
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Where a network ends and its own addresses begin: allowed or not as the operator says. */
const PRIVATE = [
  '10.0.0.0/8',
  '100.64.0.0/10', // of a provider, behind its translation
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local; clouds answer there with keys of the machine
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

/** No receiver is there; some lead back to private addresses by way of a translator. */
const NEVER = [
  '0.0.0.0/8',
  '192.0.0.0/24',
  '192.0.2.0/24', // documentation
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24', // 6to4 relays
  '192.175.48.0/24',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4',
  '::/128',
  '::/96', // IPv4-compatible; its ::1 is judged by the list above where that is allowed
  '::ffff:0:0/96', // IPv4-mapped
  '::ffff:0:0:0/96', // IPv4-translated
  '64:ff9b::/96', // NAT64
  '64:ff9b:1::/48',
  '2001::/23', // Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48',
  '3fff::/20', // documentation
];

// All that IPv6 gives to the internet is below 2000::/3.
const OUTSIDE = ['::/3', '4000::/2', '8000::/1'];

type Family = 'ipv4' | 'ipv6';
type Lists = Record<Family, BlockList>;

// Two lists: one for both would find an IPv4 address among the mapped ones.
function listsOf(subnets: string[]): Lists {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    lists[family].addSubnet(address, Number(bits), family);
  }
  return lists;
}

const privateOnes = listsOf(PRIVATE);
const impossible = listsOf(NEVER);
const outside = listsOf(OUTSIDE);

/** Whether a webhook may connect to an IP address. What is no address is none that may be called. */
export function mayCall(address: string, allowPrivate: boolean): boolean {
  const family = familyOf(address);
  if (!family) return false;
  if (privateOnes[family].check(address, family)) return allowPrivate;
  return !impossible[family].check(address, family) && !outside[family].check(address, family);
}

/** The host of a URL without the brackets of IPv6. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

export const isAddress = (host: string): boolean => familyOf(host) !== undefined;

function familyOf(address: string): Family | undefined {
  if (isIPv4(address)) return 'ipv4';
  // With a zone it means another network on every machine.
  return isIPv6(address) && !address.includes('%') ? 'ipv6' : undefined;
}

const LENGTH_MAX = 2000;

/** Why no webhook goes to this URL, as far as it shows without asking for its name; null if it may. */
export function urlFault(text: string, allowPrivate: boolean): string | null {
  if (text.length > LENGTH_MAX) return `May have ${LENGTH_MAX} characters`;
  const url = URL.canParse(text) ? new URL(text) : null;
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!url || !schemes.includes(url.protocol))
    return `Must be an ${allowPrivate ? 'https or http' : 'https'} address`;
  if (url.username || url.password)
    return 'Must hold no user name and no password: the signature says who calls';
  if (url.hash) return 'Must have no fragment: it is not sent';
  // The parser has made an address of whatever stands for one: 127.1, 0x7f000001, 2130706433.
  const host = bareHost(url.hostname);
  const isLocal = !allowPrivate && /^(.*\.)?localhost\.?$/.test(host);
  if (isLocal || (isAddress(host) && !mayCall(host, allowPrivate)))
    return 'Leads to an address that is not public';
  return null;
}
