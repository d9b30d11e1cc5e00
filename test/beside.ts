// Beside: another node on the database of a Foyer, as an operator starts a second one behind the same balancer.
import { pathToFileURL } from 'node:url'
import { openNode } from '#server/node.ts'
import { readConfig } from '#server/start/config.ts'
import { patient, type TestFoyer } from '#test/foyer.ts'

/** It has all roles unless `env` names some, and shares the folder and the files. The test closes it before the Foyer. */
export const openBeside = (foyer: TestFoyer, env: Record<string, string> = {}) =>
  openNode({
    config: readConfig({
      ROLES: 'all',
      PUBLIC_URL: 'http://foyer.test',
      DATA_DIR: foyer.data_dir,
      STORAGE_URL: pathToFileURL(foyer.storage).href,
      SIGNUP: 'open',
      DISK_RESERVE_MB: '0',
      ...env,
    }),
    ...foyer.database,
    webRoot: null,
    checkAnswers: true,
    tenancy: patient,
    turn_wait_max_ms: patient.statement_timeout_ms,
  })
