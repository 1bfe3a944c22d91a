// Every table, by owner. Typed columns are what the program queries by; `record` is what was sent, merged over time and
// lossless. It is json, not jsonb: jsonb would reorder the keys, and the same record must render to the same bytes again.
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';

type Json = Record<string, unknown>;

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

// The whole service has one revision sequence, so a revision never goes back, not even when a unit is deleted and made again.
export const revisions = pgSequence('revisions');

/* ---- service ---- */

export const serviceSecrets = pgTable('service_secrets', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

/* ---- accounts ---- */

export const accounts = pgTable('accounts', {
  id: uuid('id').primaryKey().defaultRandom(),
  email: text('email').notNull().unique(),
  passwordHash: text('password_hash').notNull(),
  disabled: boolean('disabled').notNull().default(false),
  // Tokens carry the number that stood here when they were made; raising it ends all that were given out before.
  tokenEpoch: integer('token_epoch').notNull().default(0),
  createdAt: instant('created_at').notNull().defaultNow(),
});

const accountId = () =>
  uuid('account_id')
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' });

export const accountGroups = pgTable(
  'account_groups',
  { accountId: accountId(), groupName: text('group_name').notNull() },
  (table) => [primaryKey({ columns: [table.accountId, table.groupName] })],
);

// Wrong passwords in the present minute, by hashed name, address, or both; and whose turn comes after a pause. For all replicas.
export const signInGuesses = pgTable(
  'sign_in_guesses',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    // Of a pause: when it is over.
    readyAt: instant('ready_at'),
    endsAt: instant('ends_at').notNull(),
  },
  (table) => [index('sign_in_guesses_by_end').on(table.endsAt)],
);

// Where an account signed in from lately, hashed: strangers elsewhere do not shut it out from there.
export const signInAddresses = pgTable(
  'sign_in_addresses',
  { accountId: accountId(), address: text('address').notNull(), seenAt: instant('seen_at').notNull() },
  (table) => [primaryKey({ columns: [table.accountId, table.address] })],
);

/* ---- audit ---- */

// Who did what, when and from where. Nothing here refers to other rows: it outlives the accounts and competitions it tells of.
// The trigger audit_append_only lets nobody change it, see migrations.
export const audit = pgTable(
  'audit',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant('at').notNull().defaultNow(),
    accountId: uuid('account_id'),
    // The e-mail address at that time, a pseudonym once it is erased, or "cli".
    account: text('account'),
    action: text('action').notNull(),
    competitionId: uuid('competition_id'),
    target: text('target'),
    address: text('address'),
    requestId: text('request_id'),
    // How often within the minute, of what is counted; and the hash of that, with the minute.
    count: integer('count').notNull().default(1),
    counted: text('counted').unique(),
    detail: jsonb('detail').$type<Json>(),
  },
  (table) => [index('audit_by_time').on(table.at)],
);

/* ---- competitions ---- */

export const competitions = pgTable(
  'competitions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    fullName: text('full_name').notNull(),
    shortName: text('short_name').notNull(),
    slug: text('slug').notNull(),
    nameLocal: text('name_local').notNull(),
    countryId: text('country_id').notNull(),
    address: text('address').notNull(),
    city: text('city').notNull(),
    venueId: uuid('venue_id'),
    latitude: doublePrecision('latitude'),
    longitude: doublePrecision('longitude'),
    altitude: doublePrecision('altitude'),
    date: date('date', { mode: 'string' }).notNull(),
    finishDate: date('finish_date', { mode: 'string' }).notNull(),
    year: integer('year').notNull(),
    waRankingsCategoryId: integer('wa_rankings_category_id'),
    ageGroups: json('age_groups').$type<string[] | null>(),
    nationalId: text('national_id').notNull(),
    basicDescription: text('basic_description').notNull(),
    contactDetails: text('contact_details').notNull(),
    organiserId: uuid('organiser_id'),
    website: text('website'),
    entryLink: text('entry_link'),
    resultsLink: text('results_link'),
    // Fields the specification does not name, as sent.
    extra: json('extra').$type<Json>().notNull(),
    // Name after normalisation, for the duplicate check.
    nameKey: text('name_key').notNull(),
    pushNotifications: boolean('push_notifications').notNull().default(false),
    // Null for competitions older than this column.
    createdBy: uuid('created_by').references(() => accounts.id, { onDelete: 'set null' }),
    // The calendar record as JSON text, rendered at each save: lists and files join these instead of building objects.
    recordText: text('record_text').notNull(),
    // The same with what only those who may edit the competition read; null when there is no more than that.
    privateText: text('private_text'),
    revision: bigint('revision', { mode: 'number' }).notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    unique('competitions_address').on(table.countryId, table.year, table.slug),
    index('competitions_by_date').on(table.date, table.fullName, table.id),
    index('competitions_by_country').on(table.countryId, table.finishDate, table.date),
    index('competitions_by_name').on(table.nameKey, table.date),
    // Answers which version a year's calendar has without reading its records.
    index('competitions_by_year').on(table.year, table.countryId, table.revision),
  ],
);

const competitionId = () =>
  uuid('competition_id')
    .notNull()
    .references(() => competitions.id, { onDelete: 'cascade' });

export const competitionDirectors = pgTable(
  'competition_directors',
  { competitionId: competitionId(), accountId: accountId() },
  (table) => [
    primaryKey({ columns: [table.competitionId, table.accountId] }),
    index('competition_directors_by_account').on(table.accountId),
  ],
);

// Directors-to-be: addresses without an account that may be used. They become directors when there is one.
export const directorInvitations = pgTable(
  'director_invitations',
  { competitionId: competitionId(), email: text('email').notNull() },
  (table) => [
    primaryKey({ columns: [table.competitionId, table.email] }),
    index('director_invitations_by_email').on(table.email),
  ],
);

// Addresses a competition had before its slug, country or year changed; they redirect.
export const formerAddresses = pgTable(
  'former_addresses',
  {
    countryId: text('country_id').notNull(),
    year: integer('year').notNull(),
    slug: text('slug').notNull(),
    competitionId: competitionId(),
  },
  (table) => [
    primaryKey({ columns: [table.countryId, table.year, table.slug] }),
    index('former_addresses_by_competition').on(table.competitionId),
  ],
);

// What calendars show as cancelled for 30 days after it was deleted, and no more of it than that.
export const deletedCompetitions = pgTable(
  'deleted_competitions',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    year: integer('year').notNull(),
    countryId: text('country_id').notNull(),
    slug: text('slug').notNull(),
    firstDay: date('first_day', { mode: 'string' }).notNull(),
    lastDay: date('last_day', { mode: 'string' }).notNull(),
    address: text('address').notNull(),
    city: text('city').notNull(),
    // Taken when it was deleted: higher than any that it had.
    revision: bigint('revision', { mode: 'number' }).notNull(),
    deletedAt: instant('deleted_at').notNull().defaultNow(),
  },
  (table) => [index('deleted_competitions_by_year').on(table.year, table.countryId)],
);

export const overrideTokens = pgTable('override_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  nameKey: text('name_key').notNull(),
  date: date('date', { mode: 'string' }).notNull(),
  expiresAt: instant('expires_at').notNull(),
  usedAt: instant('used_at'),
});

// `sentHash` is the hash of the last sent object that nothing else has changed since: equal hash, no change.
const sentRecord = () => ({
  position: integer('position').notNull(),
  record: json('record').$type<Json>().notNull(),
  sentHash: text('sent_hash'),
});

export const competitors = pgTable(
  'competitors',
  {
    competitionId: competitionId(),
    competitorId: text('competitor_id').notNull(),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    dateOfBirth: date('date_of_birth', { mode: 'string' }),
    gender: text('gender'),
    teamId: text('team_id'),
    ...sentRecord(),
  },
  (table) => [primaryKey({ columns: [table.competitionId, table.competitorId] })],
);

export const entries = pgTable(
  'entries',
  {
    competitionId: uuid('competition_id').notNull(),
    competitorId: text('competitor_id').notNull(),
    position: integer('position').notNull(),
    eventId: text('event_id').notNull(),
    eventCode: text('event_code').notNull().default(''),
  },
  (table) => [
    primaryKey({ columns: [table.competitionId, table.competitorId, table.position] }),
    foreignKey({
      columns: [table.competitionId, table.competitorId],
      foreignColumns: [competitors.competitionId, competitors.competitorId],
    }).onDelete('cascade'),
  ],
);

export const teams = pgTable(
  'teams',
  {
    competitionId: competitionId(),
    teamId: text('team_id').notNull(),
    teamName: text('team_name').notNull().default(''),
    ...sentRecord(),
  },
  (table) => [primaryKey({ columns: [table.competitionId, table.teamId] })],
);

export const relayTeams = pgTable(
  'relay_teams',
  {
    competitionId: competitionId(),
    eventId: text('event_id').notNull(),
    relayTeamId: text('relay_team_id').notNull(),
    name: text('name').notNull().default(''),
    teamId: text('team_id'),
    ...sentRecord(),
  },
  (table) => [primaryKey({ columns: [table.competitionId, table.eventId, table.relayTeamId] })],
);

export const events = pgTable(
  'events',
  {
    competitionId: competitionId(),
    eventId: text('event_id').notNull(),
    eventCode: text('event_code').notNull().default(''),
    name: text('name').notNull().default(''),
    parent: text('parent'),
    rounds: text('rounds'),
    ...sentRecord(),
  },
  (table) => [primaryKey({ columns: [table.competitionId, table.eventId] })],
);

export const units = pgTable(
  'units',
  {
    competitionId: uuid('competition_id').notNull(),
    eventId: text('event_id').notNull(),
    round: integer('round').notNull(),
    heat: integer('heat').notNull(),
    status: text('status').notNull(),
    // As returned; the state machine compares its normalised form.
    resultsStatus: text('results_status').notNull(),
    record: json('record').$type<Json>().notNull(),
    sentHash: text('sent_hash'),
    // The one unit JSON, exactly as pushed and as read on the data site.
    text: text('text').notNull(),
    // Hash of the text without revision and updated_at: a save is a change of this.
    contentHash: text('content_hash').notNull(),
    revision: bigint('revision', { mode: 'number' }).notNull(),
    renderVersion: integer('render_version').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.competitionId, table.eventId, table.round, table.heat] }),
    foreignKey({
      columns: [table.competitionId, table.eventId],
      foreignColumns: [events.competitionId, events.eventId],
    }).onDelete('cascade'),
    index('units_by_revision').on(table.competitionId, table.revision),
  ],
);

// Requests that carried an Idempotency-Key, kept for a day: the same request again is answered and changes nothing.
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    accountId: accountId(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    answer: json('answer').$type<Json>(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.key] }),
    index('idempotency_keys_by_age').on(table.createdAt),
  ],
);

/* ---- push ---- */

// The push servers inside our own processes, each with where the others reach it. Who publishes hands every event to all of
// them; the heartbeat only decides about one that does not take them. All by the database's clock.
export const pushServers = pgTable('push_servers', {
  address: text('address').primaryKey(),
  // Which process: after a restart on the same port, what is left of the one before must not speak for it.
  instance: uuid('instance').notNull(),
  seenAt: instant('seen_at').notNull().defaultNow(),
  // Since when events go out without this server, which took none however alive it is; null: it gets them.
  givenUpAt: instant('given_up_at'),
});

// Events waiting to be published, written in the transaction of the save that caused them. Ids are in publish order per
// channel because writers hold the competition's push lock from before the insert until the commit.
export const outbox = pgTable(
  'outbox',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    // No foreign key: what was saved is published even when the competition is deleted right after.
    competitionId: uuid('competition_id').notNull(),
    channel: text('channel').notNull(),
    event: text('event').notNull(),
    data: text('data').notNull(),
    // True for unit snapshots: only the newest unpublished one of a channel has to go out.
    coalesce: boolean('coalesce').notNull().default(false),
    attempts: integer('attempts').notNull().default(0),
    dead: boolean('dead').notNull().default(false),
    lastError: text('last_error'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('outbox_waiting')
      .on(table.id)
      .where(sql`not dead`),
    // Answers whether a newer snapshot of the same channel waits, however long the queue has become.
    index('outbox_snapshots')
      .on(table.channel, table.id)
      .where(sql`"coalesce" and not dead`),
  ],
);

/* ---- changes ---- */

// The one row of the change feed: which database's numbers these are, and how far they have come. Who gives numbers locks it.
export const changeFeed = pgTable('change_feed', {
  one: boolean('one').primaryKey().default(true),
  // Stands in every cursor. Made anew where the database is another one than that in `identity`: a restored one.
  epoch: text('epoch').notNull(),
  identity: text('identity').notNull(),
  last: bigint('last', { mode: 'number' }).notNull().default(0),
  // The highest number of a deletion that is not kept any more.
  purged: bigint('purged', { mode: 'number' }).notNull().default(0),
});

// Where there may be something to number: written with every save, taken away when it is numbered. What has changed shows by
// itself, by comparison; this only says in which competition to look.
export const changeHints = pgTable('change_hints', {
  competitionId: uuid('competition_id').notNull(),
  hintedAt: instant('hinted_at').notNull().defaultNow(),
});

// Competitions as the feed knows them, deleted ones too as long as their deletions are kept.
export const changedCompetitions = pgTable('changed_competitions', {
  competitionId: uuid('competition_id').primaryKey(),
  year: integer('year').notNull(),
  countryId: text('country_id').notNull(),
  slug: text('slug').notNull(),
  // Every country that it was ever in: who follows one hears that a competition has left it.
  countries: text('countries').array().notNull(),
  revision: bigint('revision', { mode: 'number' }).notNull(),
  // The highest revision of a unit that has its number. A competition's units are committed in the order of their revisions.
  unitsSeen: bigint('units_seen', { mode: 'number' }).notNull(),
  deleted: boolean('deleted').notNull().default(false),
});

// The newest state of every object that the public can see, in the order in which the feed tells of it. Parts of a key that an
// object does not have are '' and 0.
export const changes = pgTable(
  'changes',
  {
    competitionId: uuid('competition_id').notNull(),
    type: text('type').notNull(),
    eventId: text('event_id').notNull(),
    objectId: text('object_id').notNull(),
    round: integer('round').notNull(),
    heat: integer('heat').notNull(),
    number: bigint('number', { mode: 'number' }).notNull().unique('changes_by_number'),
    // What tells a changed object from one that is not: the revision of a competition or unit, of others the row's xmin.
    version: bigint('version', { mode: 'number' }).notNull(),
    revision: bigint('revision', { mode: 'number' }).notNull(),
    deleted: boolean('deleted').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.competitionId, table.type, table.eventId, table.objectId, table.round, table.heat],
    }),
    index('changes_deleted')
      .on(table.updatedAt)
      .where(sql`deleted`),
  ],
);

/* ---- webhooks ---- */

// Receivers of webhooks, each with how far it was told of the feed. Secrets stand here as they are: the service signs with them.
export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    accountId: accountId(),
    url: text('url').notNull(),
    types: text('types').array(),
    countryId: text('country_id'),
    // No foreign key: that a competition is deleted is told, too.
    competitionId: uuid('competition_id'),
    secret: text('secret').notNull(),
    // The one before, which signs as well until then.
    formerSecret: text('former_secret'),
    formerUntil: instant('former_until'),
    epoch: text('epoch').notNull(),
    cursor: bigint('cursor', { mode: 'number' }).notNull(),
    // Attempts that failed since one succeeded, whichever delivery they were of.
    failures: integer('failures').notNull().default(0),
    failingSince: instant('failing_since'),
    // Until then nothing is sent there.
    notBefore: instant('not_before'),
    disabledAt: instant('disabled_at'),
    disabledReason: text('disabled_reason').$type<'owner' | 'operator' | 'gone' | 'failed'>(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('webhooks_by_account').on(table.accountId)],
);

// What is or was to be sent, by its webhook-id. What waits stays; the rest is kept for a while, to be looked at and sent again.
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    position: bigint('position', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    type: text('type').notNull(),
    // The key of the object in the feed. Null of what no newer state takes the place of.
    object: text('object'),
    body: text('body').notNull(),
    state: text('state').$type<'waiting' | 'delivered' | 'superseded'>().notNull().default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull(),
    // Set before it is sent: what may have arrived is not changed any more.
    lastAttemptAt: instant('last_attempt_at'),
    lastStatus: integer('last_status'),
    lastError: text('last_error'),
    createdAt: instant('created_at').notNull(),
    deliveredAt: instant('delivered_at'),
  },
  (table) => [
    index('webhook_deliveries_waiting')
      .on(table.webhookId, table.nextAttemptAt)
      .where(sql`state = 'waiting'`),
    index('webhook_deliveries_by_webhook').on(table.webhookId, table.position),
  ],
);
