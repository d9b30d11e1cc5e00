// Link PostgreSQL: creates the symbolic links between its libraries that an npm package cannot contain, while the folder is writable.
import { findPrograms } from '#server/db/programs.ts'

findPrograms('/nowhere')
