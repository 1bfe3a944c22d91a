// The definition of a public document, JSON or a file. Each file in documents/ exports one or two; routes.ts lists them.
import type { z } from 'zod';
import type { Address } from '../../addresses.ts';
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
  /** The media type of what is not JSON, with the charset. */
  type?: string;
  /** The query of what is not JSON, and has no spelling of names. */
  query?: z.ZodType;
  reading: Reading;
};

/** One statement sees one state of the database by itself; several need a snapshot; large documents take turns besides. */
export type Reading = 'one statement' | 'snapshot' | 'snapshot, in turn';

/** A competition, or a part of it. */
export type DocumentOfCompetition = Published & {
  of: 'competition';
  /** The word for it in the refusal when there is none. */
  noun: string;
  /** The part that a path asks for, by its segments and its query. @throws NotFound when there cannot be one */
  part(params: Params, query: Params): Part;
  /** What is to be read at the address of a competition that was deleted lately; null when there was none. */
  gone?(db: Executor, address: Address, context: Context): Promise<Text | null>;
};

/** The segments of a path by their names; or the parameters of a query. */
export type Params = Record<string, string>;

export type Part = {
  /** Its name among the documents of the competition. */
  key: string;
  /** Whether readers write what they like into the key: such parts have a small share of memory to themselves. */
  atWill?: boolean;
  /** What its text depends on beside the competition and the program; a few letters. */
  madeFor?: () => string;
  /** Null when the competition has no such part. */
  read(db: Executor, competitionId: string, context: ReadContext): Promise<Text | null>;
};

/** `baseUrl`: the public address of the service. */
export type Context = { style: Style; baseUrl: string };
export type ReadContext = Context & { frames: Frames };

/** The text of a document, and the revision that it is of: both read from one state of the database. */
export type Text = { pieces: Pieces; revision: string };

/** Frames of whole competitions in memory, each of one revision of what it shows. */
export type Frames = Lru<KeptFrame>;
export type KeptFrame = Framed & { version: string; bytes: number };

/** The competitions of a calendar. */
export type DocumentOfCalendar = Published & {
  of: 'calendar';
  /** Its text when there are no competitions. */
  empty(calendar: CalendarKey): Iterable<string>;
  read(db: Executor, calendar: CalendarKey, context: Context): Promise<Text>;
};
