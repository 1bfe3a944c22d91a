// The place of the followed athletes on a competition's page. Who they are only the device knows: its script fills it.
import type { Words } from '../locales/en.ts';

type Props = { path: string; setting: { words: Words; prefix: string } };

/** @param path of the competition, without the language */
export const FollowedAthletes = ({ path, setting: { words, prefix } }: Props) => (
  <section
    class="block followed"
    aria-label={words.followedAthletes}
    data-followed={path}
    data-prefix={prefix}
    hidden
  >
    <h2>{words.followedAthletes}</h2>
    <ul />
  </section>
);
