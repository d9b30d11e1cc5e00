// Definition: what people read and fill in about a provider of the books or of marketing; its form is drawn from it.
import type { z } from 'zod'
import type { Choice, Parameter } from '#contract/integrations.ts'

export interface IntegrationDefinition {
  integration_type: string
  name: string
  parameters: z.output<typeof Parameter>[]
}

export type Choices = z.output<typeof Choice>[]
