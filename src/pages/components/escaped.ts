// Text as it stands in HTML or XML that is no JSX: in an element or in an attribute. Pure.

export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
