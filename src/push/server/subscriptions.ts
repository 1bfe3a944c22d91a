// Subscriptions: the members of each channel, and the channels of each member.

export type Subscriptions<Member> = {
  /** False when the member, or all at its address together, have as many channels as they may. */
  add(channel: string, member: Member): boolean;
  remove(channel: string, member: Member): void;
  removeAll(member: Member): void;
  members(channel: string): ReadonlySet<Member>;
  /** Channels that have members, with how many. */
  occupied(prefix: string): Map<string, number>;
};

const NOBODY: ReadonlySet<never> = new Set();

export type SubscriptionLimits = { perMember: number; perAddress: number };

/** @param addressOf whose members' subscriptions are counted together */
export function createSubscriptions<Member>(
  limits: SubscriptionLimits,
  addressOf: (member: Member) => string,
): Subscriptions<Member> {
  const atAddress = new Map<string, number>();
  const count = (member: Member, change: number) => {
    const address = addressOf(member);
    const left = (atAddress.get(address) ?? 0) + change;
    if (left > 0) atAddress.set(address, left);
    else atAddress.delete(address);
  };
  const byChannel = new Map<string, Set<Member>>();
  const byMember = new Map<Member, Set<string>>();
  const leave = (channel: string, member: Member) => {
    const members = byChannel.get(channel);
    members?.delete(member);
    if (members?.size === 0) byChannel.delete(channel);
  };
  return {
    add(channel, member) {
      const channels = entry(byMember, member);
      if (channels.has(channel)) return true;
      if (channels.size >= limits.perMember) return false;
      if ((atAddress.get(addressOf(member)) ?? 0) >= limits.perAddress) return false;
      channels.add(channel);
      count(member, 1);
      entry(byChannel, channel).add(member);
      return true;
    },
    remove(channel, member) {
      if (!byMember.get(member)?.delete(channel)) return;
      count(member, -1);
      leave(channel, member);
    },
    removeAll(member) {
      const channels = byMember.get(member);
      if (!channels) return;
      for (const channel of channels) leave(channel, member);
      count(member, -channels.size);
      byMember.delete(member);
    },
    members: (channel) => byChannel.get(channel) ?? NOBODY,
    occupied(prefix) {
      const entries = [...byChannel].filter(([channel]) => channel.startsWith(prefix));
      return new Map(entries.map(([channel, members]) => [channel, members.size]));
    },
  };
}

function entry<Key, Value>(map: Map<Key, Set<Value>>, key: Key): Set<Value> {
  const present = map.get(key);
  if (present) return present;
  const created = new Set<Value>();
  map.set(key, created);
  return created;
}
