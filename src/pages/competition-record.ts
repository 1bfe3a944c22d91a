// The published record of a competition, as far as pages show it. Pure.

export type CompetitionRecord = {
  full_name: string;
  city?: string;
  address?: string;
  country_id: string;
  latitude?: number | null;
  longitude?: number | null;
  organiser_id?: string | null;
  basic_description?: string;
  website?: string | null;
  entry_link?: string | null;
  results_link?: string | null;
};

/** Where it takes place, in words. */
export const placeOf = ({ address, city, country_id }: CompetitionRecord): string =>
  [address, city !== address && city, country_id].filter(Boolean).join(', ');
