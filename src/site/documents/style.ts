// The style of the documents: how names are spelled, and whether dates of birth are shown. Pure.
import { camelName, camelRecordText, camelText } from './camel.ts';

export type Naming = 'snake' | 'camel';
export type Style = { naming: Naming; publishDateOfBirth: boolean };

/** Changes the names in stored texts, which are in snake case. */
type Spelling = {
  name: (name: string) => string;
  text: (json: string) => string;
  record: (json: string) => string;
};
const asStored = (text: string) => text;
export const SPELLINGS: Record<Naming, Spelling> = {
  snake: { name: asStored, text: asStored, record: asStored },
  camel: { name: camelName, text: camelText, record: camelRecordText },
};
