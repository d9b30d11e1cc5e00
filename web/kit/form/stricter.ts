// Stricter: a schema some of whose fields are asked for more closely in one form, such as one that a draft may leave empty.
import type { z } from 'zod'

/** What the stricter fields let through is what the schema takes, so that a form of the one is a form of the other. */
export const stricter = <S extends z.ZodObject>(schema: S, fields: z.ZodRawShape): S =>
  schema.safeExtend(fields) as unknown as S
