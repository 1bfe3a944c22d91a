// Subscriptions: the members of each channel, and the channels of each member.

export type Subscriptions<Member> = {
  /** False when the member already has as many channels as it may. */
  add(channel: string, member: Member): boolean;
  remove(channel: string, member: Member): void;
  removeAll(member: Member): void;
  members(channel: string): ReadonlySet<Member>;
  /** Channels that have members, with how many. */
  occupied(prefix: string): Map<string, number>;
};

const NOBODY: ReadonlySet<never> = new Set();

export function createSubscriptions<Member>(channelsPerMemberMax: number): Subscriptions<Member> {
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
      if (channels.size >= channelsPerMemberMax) return false;
      channels.add(channel);
      entry(byChannel, channel).add(member);
      return true;
    },
    remove(channel, member) {
      byMember.get(member)?.delete(channel);
      leave(channel, member);
    },
    removeAll(member) {
      for (const channel of byMember.get(member) ?? []) leave(channel, member);
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
