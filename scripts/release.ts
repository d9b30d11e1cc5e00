// Release: the one before, which a node of this program may run beside. Whoever makes a release names its last migration here.

/** Migrations after it are not released: their functions still stand in them, and they must leave this release what it needs. */
export const released_migration = '0419-forget-problems'
