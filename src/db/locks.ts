// Advisory locks. Each purpose has a number (first key) of its own, so no two features wait for each other by accident.

export const LOCKS = {
  /** session: one process migrates */
  migrations: 7301,
  /** session: the one process that publishes the outbox */
  relay: 7302,
  /** transaction, per competition: revisions and outbox ids of one competition are handed out in commit order */
  push: 7303,
  /** transaction, per name and date: two creates of the same competition wait for each other */
  duplicates: 7304,
  /** session: one process builds calendar files */
  calendar: 7305,
  /** session, in the embedded server's own database: shared by the processes that use it */
  presence: 7306,
  /** session: the one process that numbers changes */
  changes: 7308,
  /** session: the one demo process that plays the meeting */
  demo: 7307,
} as const;
