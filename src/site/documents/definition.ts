// The definition of a public JSON document. Each file in documents/ exports one or two; routes.ts lists them.
import type { z } from 'zod';
import type { Executor } from '../../db/client.ts';
import type { Pieces } from '../../http/encoding.ts';
import type { Lru } from '../../lru.ts';
import type { Framed } from './whole-competition-text.ts';
import type { CalendarKey } from './store.ts';
import type { Style } from './style.ts';

export type DocumentDefinition = DocumentOfCompetition | DocumentOfCalendar;

type Published = {
  path: string;
  operationId: string;
  summary: string;
  /** The published shape, with its example. The text is sent as it is read; tests hold it against this. */
  schema: z.ZodType;
  reading: Reading;
};

/** One statement sees one state of the database by itself; several need a snapshot; large documents take turns besides. */
export type Reading = 'one statement' | 'snapshot' | 'snapshot, in turn';

/** A competition, or a part of it. */
export type DocumentOfCompetition = Published & {
  of: 'competition';
  /** The word for it in the refusal when there is none. */
  noun: string;
  /** The part that a path asks for, by its segments. @throws NotFound when there cannot be one */
  part(params: Params): Part;
};

/** The segments of a path by their names. */
export type Params = Record<string, string>;

export type Part = {
  /** Its name among the documents of the competition. */
  key: string;
  /** Null when the competition has no such part. */
  read(db: Executor, competitionId: string, context: ReadContext): Promise<Text | null>;
};

export type ReadContext = { style: Style; frames: Frames };

/** The text of a document, and the revision that it is of: both read from one state of the database. */
export type Text = { pieces: Pieces; revision: string };

/** Frames of whole competitions in memory, each of one revision of what it shows. */
export type Frames = Lru<KeptFrame>;
export type KeptFrame = Framed & { version: string; bytes: number };

/** The competitions of a calendar. */
export type DocumentOfCalendar = Published & {
  of: 'calendar';
  read(db: Executor, calendar: CalendarKey, style: Style): Promise<Text>;
};
