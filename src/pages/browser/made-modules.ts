// Modules that the bundler makes: bundle.ts says of what.
declare module 'spoken-words' {
  export const SPOKEN: unknown;
}
declare module 'widget-style' {
  export const STYLE: string;
}
