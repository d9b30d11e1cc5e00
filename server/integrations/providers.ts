// Providers: one line each.
import type { Known } from './known-provider.ts'
import { mailchimp } from './mailchimp/client.ts'
import type { Kind } from '#server/integrations/definition.ts'
import { xero } from './xero/client.ts'

export const providers: { readonly [K in Kind]: readonly Known<K>[] } = {
  accounting: [xero],
  marketing: [mailchimp],
}
