// Codes of relay teams in photo-finish files, `MTNR A`: the team and a letter. Pure.

export type RelayTeam = { eventId: string; relayTeamId: string; name: string; teamId: string | null };

/** The relay teams of one event by their codes, in their order. */
export function relayCodes(teams: RelayTeam[]): Map<string, string> {
  const codes = new Map<string, string>();
  for (const team of teams) {
    const lettered = /^(.*?)[\s_-]+([A-Z])$/i.exec(team.relayTeamId.trim());
    const code = (team.teamId ?? lettered?.[1] ?? team.relayTeamId).trim();
    // A team_id and a letter, with nothing in between.
    const joined = /^([A-Z])$/i.exec(
      team.relayTeamId.toUpperCase().startsWith(code.toUpperCase())
        ? team.relayTeamId.slice(code.length)
        : '',
    );
    const own = lettered?.[2] ?? joined?.[1] ?? /\s([A-Z])$/.exec(team.name)?.[1];
    const letter = [...(own ? [own.toUpperCase()] : []), ...LETTERS].find(
      (one) => !codes.has(key(code, one)),
    );
    if (letter) codes.set(key(code, letter), team.relayTeamId);
  }
  return codes;
}

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const key = (code: string, letter: string) => `${code.toUpperCase()} ${letter}`;

/** The relay team that an affiliation names; one without a letter where the team has no other. */
export function relayTeamOf(codes: ReadonlyMap<string, string>, affiliation: string): string | undefined {
  const wanted = affiliation.trim().replace(/\s+/g, ' ').toUpperCase();
  if (wanted === '') return undefined;
  const exact = codes.get(wanted) ?? [...codes.values()].find((id) => plain(id) === plain(wanted));
  if (exact !== undefined) return exact;
  const ofTeam = [...codes].filter(([code]) => code.slice(0, -2) === wanted);
  return ofTeam.length === 1 ? ofTeam[0]![1] : undefined;
}

const plain = (text: string) => text.toUpperCase().replace(/[\s_-]+/g, '');
