// Link PostgreSQL: makes the links between its libraries that a package cannot hold, while the folder can be written to.
import { findPrograms } from '#server/db/programs.ts'

findPrograms('/nowhere')
