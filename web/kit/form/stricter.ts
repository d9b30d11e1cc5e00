// Stricter: a schema with stricter fields for one form, such as a field that only a draft may leave empty.
import type { z } from 'zod'

/** The stricter fields accept a subset of the schema's values, so the result can be typed as the schema itself. */
export const stricter = <S extends z.ZodObject>(schema: S, fields: z.ZodRawShape): S =>
  schema.safeExtend(fields) as unknown as S
