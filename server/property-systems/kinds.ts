// Property systems: one line each.
import { apaleo } from './apaleo/kind.ts'
import { cloudbeds } from './cloudbeds/kind.ts'
import { fias } from './fias/kind.ts'
import { fileDrop } from './file-drop/kind.ts'
import type { PropertySystem } from './kind.ts'
import { mews } from './mews/kind.ts'
import { mri } from './mri/kind.ts'
import { operaCloud } from './opera-cloud/kind.ts'
import { webhook } from './webhook/kind.ts'

export const systems: readonly PropertySystem[] = [fias, mri, mews, apaleo, webhook, fileDrop, cloudbeds, operaCloud]

/** The rows of their look-up table. */
export const systemTypes = () => systems.map(({ definition: { id, name } }) => ({ id, name }))

/** Undefined for a type that only a later release knows. */
export const systemOf = (property_interface_type_id: number): PropertySystem | undefined =>
  systems.find(({ definition }) => definition.id === property_interface_type_id)

export const isServed = ({ hook, talk, files, polling }: PropertySystem) =>
  [hook, talk, files, polling].some((way) => way !== undefined)
