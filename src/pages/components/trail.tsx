// The trail above a page: the pages that it is part of, the widest first.

type Props = { label: string; links: { href: string; text: string }[] };

export const Trail = ({ label, links }: Props) => (
  <nav class="trail" aria-label={label}>
    <ol>
      {links.map(({ href, text }) => (
        <li key={href}>
          <a href={href}>{text}</a>
        </li>
      ))}
    </ol>
  </nav>
);
